// Wide CSV of a growth: every value, unit, gap and instant, as a reader of CSV sees them.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { runHere } from '../../support/command.ts';
import { type GrowthQueue, writeGrowthQueue } from '../../support/rigs/growth-queue.ts';

const small = () => writeGrowthQueue({ seconds: 1600, channels: 6, gaps: 4 });
const target = ({ data }: GrowthQueue) => join(dirname(data), 'out.csv');

async function exportCsv(queue: GrowthQueue, ...words: string[]): Promise<string> {
  const out = target(queue);
  const asked = ['export', '--data', queue.data, '--growth', queue.growth, '--format', 'csv', '--out', out];
  expect(await runHere([...asked, ...words])).toMatchObject({ code: 0, err: '' });
  expect(readdirSync(dirname(queue.data)).filter((name) => name.endsWith('.part'))).toEqual([]);
  return readFileSync(out, 'utf8');
}

/** Head lines, names of columns, and rows of cells. */
function tableOf(text: string, delimiter = ',') {
  const lines = text.split('\r\n');
  const head = lines.filter((line) => line.startsWith('#'));
  const [names = [], ...rows] = parse(lines.slice(head.length).join('\n'), { delimiter }) as string[][];
  return { head, names, rows };
}

const nameOf = ({ channel, unit }: { channel: string; unit: string }) =>
  `${channel.startsWith('=') ? "'" : ''}${channel} [${unit}]`;

test('as recorded, it holds each point of each series at its instant, bit for bit, and nothing else', async () => {
  const queue = small();
  const { names, rows } = tableOf(await exportCsv(queue));
  expect(names.slice(3).toSorted()).toEqual(queue.series.map(nameOf).toSorted());
  let points = 0;
  for (const series of queue.series) {
    const column = names.indexOf(nameOf(series));
    const filled = rows.filter((row) => row[column] !== '');
    expect(filled.map(([stamp]) => Number(stamp))).toEqual(series.timesMs);
    const values = filled.map((row) => Number(row[column]));
    expect(values.every((value, i) => Object.is(value, series.values[i]))).toBe(true);
    points += filled.length;
  }
  expect(points).toBe(queue.points);
});

test('its head names each gap, note and stream, and no cell of it begins a formula', async () => {
  const queue = small();
  const { head } = tableOf(await exportCsv(queue));
  expect(head[0]).toBe(`# Epistream wide CSV; the table begins at line ${head.length + 1}`);
  for (const { fromMs, toMs, source } of queue.gaps) {
    const span = `${new Date(fromMs).toISOString()} to ${new Date(toMs).toISOString()}, source ${source}`;
    expect(head.filter((line) => line.startsWith(`# gap: ${span}`))).toHaveLength(1);
  }
  expect(head.some((line) => line.includes('substrate looks cloudy'))).toBe(true);
  for (const line of head) for (const cell of line.split(/[,;\t]/)) expect(cell).not.toMatch(/^\s*[=+\-@]/);
});

test('with a decimal comma the cells are parted by semicolons, and give the same numbers', async () => {
  const queue = small();
  const { names, rows } = tableOf(await exportCsv(queue, '--decimal', 'comma', '--channel', 'ch 02'), ';');
  const series = queue.series.filter(({ channel }) => channel === 'ch 02');
  expect(names.slice(3)).toEqual(series.map(nameOf));
  const numbers = (column: number) =>
    rows.flatMap((row) => (row[column] ? [Number(row[column].replace(',', '.'))] : []));
  for (const [i, { values }] of series.entries()) expect(numbers(i + 3)).toEqual(values);
  expect(rows.some((row) => row[3]?.includes(','))).toBe(true);
});

test('resampled, each step has the mean of its own points, a gap stays blank, and the head says how', async () => {
  const queue = small();
  const { head, names, rows } = tableOf(await exportCsv(queue, '--every', '10s', '--channel', 'log/ch 01'));
  expect(head.some((line) => line.includes('resampled every 10000 ms: mean'))).toBe(true);
  for (const series of queue.series.filter(({ source, channel }) => source === 'log' && channel === 'ch 01')) {
    const steps = new Map<number, number[]>();
    for (const [i, timeMs] of series.timesMs.entries()) {
      const step = Math.floor(timeMs / 10_000) * 10_000;
      steps.set(step, [...(steps.get(step) ?? []), series.values[i] as number]);
    }
    const column = names.indexOf(nameOf(series));
    const filled = rows.filter((row) => row[column] !== '');
    expect(filled.map(([stamp]) => Number(stamp))).toEqual([...steps.keys()]);
    for (const [i, points] of [...steps.values()].entries()) {
      const mean = points.reduce((sum, value) => sum + value / points.length, 0);
      const got = Number(filled[i]?.[column]);
      expect(Math.abs(got - mean) <= 1e-9 * Math.max(1, Math.abs(mean))).toBe(true);
    }
  }
});

test('without --format a growth or a time is a table, and a stream its points unless columns are asked for', async () => {
  const queue = small();
  const export1 = async (name: string, ...words: string[]) => {
    const out = join(dirname(queue.data), name);
    expect(await runHere(['export', '--data', queue.data, '--out', out, ...words])).toMatchObject({ code: 0, err: '' });
    return readFileSync(out, 'utf8');
  };
  const { names, rows } = tableOf(await exportCsv(queue));
  expect(tableOf(await export1('growth.csv', '--growth', queue.growth))).toMatchObject({ names, rows });
  const span = ['--from', '2000-01-01T00:00Z', '--to', '2100-01-01T00:00Z'];
  expect(tableOf(await export1('span.csv', ...span)).rows).not.toEqual([]);
  expect(await export1('points.csv', '--stream', '1')).toMatch(/^unix_ms,time_utc,channel,/);
  expect(tableOf(await export1('stream.csv', '--stream', '1', '--every', '1s')).rows).not.toEqual([]);
});

test('what does not fit is refused before a file is begun', async () => {
  const queue = small();
  const out = target(queue);
  const ask = (...words: string[]) => runHere(['export', '--data', queue.data, '--out', out, ...words]);
  expect((await ask('--format', 'csv')).err).toContain('say one of --growth, --stream, --entry, or --from with --to');
  expect((await ask()).err).toContain('say one of --growth, --stream, --entry, or --from with --to');
  expect((await ask('--stream', '1', '--growth', 'G-042')).err).toContain('say one of --growth, --stream');
  expect((await ask('--format', 'long', '--growth', 'G-042')).err).toContain('--format long is of one --stream');
  const cells = await ask('--format', 'long', '--stream', '1', '--every', '1s', '--decimal', 'comma');
  expect(cells.err).toContain('--format long takes no --every, no --decimal');
  const time = await ask('--format', 'csv', '--from', '2026-10-25T02:30', '--to', '2026-10-25T04:00Z');
  expect(time.err).toContain('write a time with its zone');
  const both = await ask('--format', 'csv', '--growth', 'G-042', '--decimal', 'comma', '--separator', 'comma');
  expect(both.err).toContain('a decimal comma needs');
  expect((await ask('--format', 'csv', '--growth', 'G-043')).err).toContain('code: export.nothing-found');
  expect((await ask('--format', 'csv', '--growth', 'G-042', '--channel', 'ch 99')).err).toContain(
    'code: export.no-channel',
  );
  expect(readdirSync(dirname(queue.data))).toEqual(['data']);
});

test('a time in which nothing was recorded is told as that', async () => {
  const queue = writeGrowthQueue({ seconds: 60, channels: 2, gaps: 1 });
  const span = ['--from', '2000-01-01T00:00Z', '--to', '2000-01-02T00:00Z'];
  const { err } = await runHere(['export', '--data', queue.data, ...span, '--format', 'csv', '--out', target(queue)]);
  expect(err).toContain('There is no series that could be exported.');
});

test('a channel is chosen by its whole name, commas included', async () => {
  const queue = writeGrowthQueue({ seconds: 60, channels: 4, gaps: 1 });
  const odd = '=cmd|calc, "x"';
  const { names } = tableOf(await exportCsv(queue, `--channel=${odd}`, '--channel', 'ch 04'));
  const series = queue.series.filter(({ channel }) => [odd, 'ch 04'].includes(channel));
  expect(names.slice(3).toSorted()).toEqual(series.map(nameOf).toSorted());
});

test('an entry is found by its id alone, never by the number or the name of a stream', async () => {
  const queue = small();
  const ask = (entry: string) =>
    runHere(['export', '--data', queue.data, '--entry', entry, '--format', 'csv', '--out', target(queue)]);
  for (const entry of ['1', 'nonce1']) expect((await ask(entry)).err).toContain('code: export.no-service');
  expect(readdirSync(dirname(queue.data))).toEqual(['data']);
});

test('a time takes what lies in it, its end not included', async () => {
  const queue = small();
  const startMs = Math.min(...queue.series.flatMap(({ timesMs }) => timesMs.slice(0, 1)));
  const [fromMs, toMs] = [startMs + 100_000, startMs + 900_000];
  const out = target(queue);
  const span = ['--from', new Date(fromMs).toISOString(), '--to', new Date(toMs).toISOString()];
  const { code } = await runHere(['export', '--data', queue.data, '--format', 'csv', ...span, '--out', out]);
  expect(code).toBe(0);
  const { names, rows } = tableOf(readFileSync(out, 'utf8'));
  for (const series of queue.series) {
    const column = names.indexOf(nameOf(series));
    const expected = series.timesMs.filter((timeMs) => timeMs >= fromMs && timeMs < toMs);
    expect(rows.filter((row) => row[column] !== '').map(([stamp]) => Number(stamp))).toEqual(expected);
  }
});
