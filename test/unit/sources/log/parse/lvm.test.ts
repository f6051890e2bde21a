// LabVIEW measurement files: what the fixtures cannot show. Blocks that end anywhere, segments that change, heads that
// tell no time.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HeldDesk } from '../../../../../src-main/sources/log/follow/held-desk.ts';
import { openLogSource } from '../../../../../src-main/sources/log/log-source.ts';
import { LogReader } from '../../../../support/logs/log-reader.ts';
import { MemorySink, runToEnd } from '../../../../support/logs/log-sink.ts';
import { follow, recognise as recogniseText } from '../../../../support/logs/text-log.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const fileHead = (columns = 'One', preference = 'Relative') =>
  `LabVIEW Measurement\t\nSeparator\tTab\nDecimal_Separator\t.\nX_Columns\t${columns}\nTime_Pref\t${preference}\nDate\t2026/11/20\nTime\t10:15:00.5\n***End_of_Header***\t\n\t\n`;
const segment = (time: string, rows: string, names = 'p', more = '') =>
  `Channels\t1\t\nSamples\t9\t\nDate\t2026/11/20\t\nTime\t${time}\t\n${more}X0\t0.0\t\nDelta_X\t0.5\t\n***End_of_Header***\t\t\nX_Value\t${names}\tComment\n${rows}`;

const recognise = (text: string, zone = 'UTC') => recogniseText(text, { path: 'run.lvm', zone });

/** Points of a text that is parsed in blocks of so many lines, with what one block leaves to the next. */
function pointsOf(text: string, linesABlock: number): [number, number][] {
  const found = recognise(text);
  if (!('layout' in found)) throw new Error(found.message);
  const rows = text
    .split(/(?<=\n)/)
    .slice(found.dataLine)
    .join('');
  return [...follow(found, rows, linesABlock)].flatMap(({ refusals, timesMs, values }) => {
    expect(refusals).toEqual([]);
    return [...timesMs].map((timeMs, row): [number, number] => [timeMs, values[row] as number]);
  });
}

const startMs = Date.UTC(2026, 10, 20, 10, 15);

describe('a LabVIEW measurement file', () => {
  test.each(['One', 'No'])('is read the same wherever a block ends, with X_Columns %s', (columns) => {
    const row = (n: number) => (columns === 'One' ? `${n * 0.5}\t${n}\n` : `\t${n}\n`);
    const text = `${fileHead(columns)}${segment('10:15:01.25', row(0) + row(1) + row(2))}\n${segment('10:20:00', row(0) + row(1))}`;
    const truth = [1250, 1750, 2250, 300_000, 300_500].map((ms, n) => [startMs + ms, n % 3]);
    for (let lines = 1; lines < 20; lines++) expect(pointsOf(text, lines)).toEqual(truth);
  });

  test('takes seconds since 1904 as such, and asks where the head is of another day', () => {
    const rows = (s: number) => `${s}\t1\n${s + 1}\t2\n`;
    const second = Date.UTC(2026, 10, 20, 10, 15) / 1000 + 2_082_844_800;
    const text = (s: number) => `${fileHead('One', 'Absolute')}${segment('10:15:00', rows(s))}`;
    expect(pointsOf(text(second), 9)).toEqual([
      [startMs, 1],
      [startMs + 1000, 2],
    ]);
    expect(recognise(text(second - 4 * 365 * 86_400))).toMatchObject({ code: 'log.lvm-unclear' });
  });

  test.each([
    ['is over a frequency', segment('10:15:00', '0\t1\n', 'p', 'X_Dimension\tFrequency\t\n'), 'over Frequency'],
    ['has a start that is none', segment('soon', '0\t1\n'), 'soon'],
  ])('that %s is a question', (_, text, words) => {
    const found = recognise(fileHead() + text);
    expect(found).toMatchObject({ code: 'log.lvm-unclear', message: expect.stringContaining(words) });
  });

  test('with a head and no row yet waits', () => {
    expect(recognise(fileHead() + segment('10:15:00', ''))).toMatchObject({ isWaiting: true });
  });

  test('whose columns change in a segment stops there, and reads on with an answer', async () => {
    const folder = tempFolder();
    const path = join(folder, 'run.lvm');
    writeFileSync(path, `${fileHead()}${segment('10:15:00', '0\t1\n')}\n${segment('10:20:00', '0\t2\n', 'q')}`);
    const held = new HeldDesk();
    const sink = new MemorySink();
    const stop = new AbortController();
    const log = { id: 'log', path: folder, match: '*', dialect: 'auto', timeZone: 'UTC', backfill: 'all' } as const;
    const run = openLogSource({ ...log, held }).run(sink, stop.signal);
    await sink.until(() => sink.notes.has('log.columns-changed'));
    expect(sink.points('p')).toEqual([{ timeMs: startMs, value: 1 }]);
    await held.answer('run.lvm', { answer: 'accept' }, () => Promise.resolve());
    appendFileSync(path, '1\t3\n');
    await sink.until(() => sink.points('q').length === 2);
    stop.abort();
    await run;
    expect(sink.points('q')).toEqual([
      { timeMs: startMs + 300_000, value: 2 },
      { timeMs: startMs + 301_000, value: 3 },
    ]);
    expect(sink.refusedCount).toBe(0);
  });

  test('goes on after a kill anywhere, also within a head', async () => {
    const text = `${fileHead()}${segment('10:15:00', '0\t1\n0.5\t2\n')}\n${segment('10:20:00', '0\t3\n1\t4\n')}`;
    const lines = text.split(/(?<=\n)/);
    const folder = tempFolder();
    const reader = new LogReader({ path: folder, match: '*', timeZone: 'UTC' });
    try {
      for (const [index, line] of lines.entries()) {
        appendFileSync(join(folder, 'run.lvm'), line);
        await reader.look();
        if (index % 3 === 0) await reader.kill();
      }
    } finally {
      await reader.kill();
    }
    const times = [0, 500, 300_000, 301_000].map((ms) => startMs + ms);
    expect(reader.sink.points('p')).toEqual(times.map((timeMs, n) => ({ timeMs, value: n + 1 })));
    expect(reader.sink.refusedCount).toBe(0);
  });

  test('whose times begin again without a head is not read on by itself', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'run.lvm'), `${fileHead()}${segment('10:15:00', '0\t1\n1\t2\n0\t3\n1\t4\n')}`);
    const sink = new MemorySink();
    const log = { id: 'log', path: folder, match: '*', dialect: 'auto', timeZone: 'UTC', backfill: 'all' } as const;
    const drained = runToEnd(openLogSource({ ...log, isDrain: true }), sink);
    await expect(drained).rejects.toMatchObject({
      code: 'log.time-again',
      message: expect.stringContaining('line 20'),
    });
    expect(sink.values('p')).toEqual([1, 2]);
  });

  test('tells that rows without a time were counted', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'run.lvm'), fileHead('No') + segment('10:15:00', '\t1\n'));
    const sink = new MemorySink();
    const log = { id: 'log', path: folder, match: '*', dialect: 'auto', timeZone: 'UTC', backfill: 'all' } as const;
    await runToEnd(openLogSource({ ...log, isDrain: true }), sink);
    expect(sink.notes.get('log.times-counted')?.message).toContain('run.lvm');
  });
});
