// Receipts and exports of the real agent: after a drain, and while it records.
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Receipt } from '../../src-main/delivery/receipt/receipt.ts';
import type { Clock } from '../../src-main/platform/clock.ts';
import { runHere } from '../support/command.ts';
import { fastClock } from '../support/fast-clock.ts';
import { startHere } from '../support/rigs/agent-here.ts';
import { openBackfillRig } from '../support/rigs/backfill-rig.ts';
import { openServiceRig } from '../support/rigs/service-rig.ts';
import { tempFolder } from '../support/temp-folder.ts';

const START_S = Date.UTC(2026, 10, 20, 6) / 1000;
const KEY = 'receipt-test-key-0123456789abcdef';
/** Time of the agents runs so much faster: each but the first waits 15 s before it sends. */
const SPEED = 20;
/** Row n: each value tells n; every tenth `b` is a word, every seventh is missing. */
const bOf = (n: number) => (n % 10 === 9 ? 'FAULT' : n % 7 === 0 ? '' : String(-n / 4));
const row = (n: number) => `${START_S + n * 0.5},${n},${bOf(n)}\n`;
const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => row(from + i)).join('');
const isPoint = (text: string) => text !== '' && text !== 'FAULT';

interface Rig {
  readonly data: string;
  readonly log: string;
  readonly config: string;
  readonly env: Record<string, string>;
  readonly clock: Clock;
}

function rig(url = 'embedded'): Rig {
  const folder = tempFolder('receipt');
  const logs = join(folder, 'logs');
  mkdirSync(logs);
  const log = join(logs, 'growth.csv');
  writeFileSync(log, 'time,a,=b\n');
  const config = join(folder, 'epistream.yaml');
  writeFileSync(
    config,
    `version: 1
service: { url: '${url}' }
tool: { name: T, time_zone: UTC }
stream_defaults: { points_per_chunk: 100 }
sources: [{ id: log, kind: log, path: '${logs}', match: '*.csv', backfill: all }]
`,
  );
  return { data: join(folder, 'data'), log, config, env: { EPISTREAM_API_KEY: KEY }, clock: fastClock(SPEED) };
}

const drain = ({ config, data, env, clock }: Rig) =>
  runHere(['run', '--config', config, '--data', data, '--drain-and-exit'], env, clock);

async function readReceipts({ data }: Rig): Promise<Receipt[]> {
  const all = JSON.parse((await runHere(['receipt', '--data', data, '--json'])).out) as { id: number }[];
  const receipts: Receipt[] = [];
  for (const { id } of all.toReversed()) {
    const { out } = await runHere(['receipt', '--data', data, '--json', String(id)]);
    receipts.push(Receipt.parse(JSON.parse(out)));
  }
  return receipts;
}

/** What a person does who has the file: cut it, hash it, compare. */
function expectProved(receipt: Receipt, file: string): void {
  const bytes = readFileSync(file);
  expect(receipt.source.length).toBeGreaterThan(0);
  for (const { fromByte, toByte, sha256 } of receipt.source) {
    expect(sha256).toBe(createHash('sha256').update(bytes.subarray(fromByte, toByte)).digest('hex'));
  }
}

/** Points of an export by channel: stamp and value as they stand there, and what became of them. */
function readExport(file: string): Map<string, { timeMs: number; value: number; state: string; words: string }[]> {
  const [header, ...lines] = readFileSync(file, 'utf8').split('\r\n').slice(0, -1);
  expect(header).toBe('unix_ms,time_utc,channel,unit,value,state,service_words');
  const points = new Map<string, { timeMs: number; value: number; state: string; words: string }[]>();
  for (const line of lines) {
    const [timeMs, iso = '', channel = '', , value, state = '', words = ''] = line.split(',');
    expect(Date.parse(iso)).toBe(Math.floor(Number(timeMs)));
    points.set(channel, [
      ...(points.get(channel) ?? []),
      { timeMs: Number(timeMs), value: Number(value), state, words },
    ]);
  }
  return points;
}

const stampMs = (n: number) => (START_S + n * 0.5) * 1000;
const upTo = (last: number) => Array.from({ length: last }, (_, n) => n);

describe('after a drain', () => {
  test('the receipt counts what the log holds, names the lines that are no numbers, and proves the bytes', async () => {
    const own = rig();
    appendFileSync(own.log, rows(0, 1000));
    expect((await drain(own)).code).toBe(0);
    const [receipt] = await readReceipts(own);
    const words = upTo(1000).filter((n) => bOf(n) === 'FAULT');
    const points = 1000 + upTo(1000).filter((n) => isPoint(bOf(n))).length;
    expect(receipt?.counts).toMatchObject({
      rowsRead: 1000,
      cellsRefused: words.length,
      pointsStored: points,
      pointsAcknowledged: points,
      pointsRefused: 0,
      pointsWaiting: 0,
    });
    expect(receipt?.disagreements).toEqual([]);
    expect(receipt?.stream).toMatchObject({
      state: 'delivered',
      firstReadingMs: stampMs(0),
      lastReadingMs: stampMs(999),
    });
    expect(receipt?.channels.map(({ name, stored }) => [name, stored])).toEqual([
      ['a', 1000],
      ['=b', points - 1000],
    ]);
    expect(receipt?.refusedCells.map(({ line, channel, text }) => [line, channel, text])).toEqual(
      words.map((n) => [n + 2, '=b', 'FAULT']),
    );
    const size = readFileSync(own.log).length;
    expect(receipt?.source).toMatchObject([{ place: 'growth.csv', fromByte: 0, toByte: size }]);
    expectProved(receipt as Receipt, own.log);
  });

  test('later lines are spans of their own, each proved', async () => {
    const own = rig();
    for (const [from, to] of [
      [0, 150],
      [150, 420],
      [420, 421],
    ] as const) {
      appendFileSync(own.log, rows(from, to));
      expect((await drain(own)).code).toBe(0);
    }
    const receipts = await readReceipts(own);
    for (const receipt of receipts) expectProved(receipt, own.log);
    const spans = receipts.flatMap(({ source }) => source).toSorted((p, q) => p.fromByte - q.fromByte);
    expect(spans[0]?.fromByte).toBe(0);
    for (const [i, span] of spans.entries()) expect(spans[i + 1]?.fromByte ?? span.toByte).toBe(span.toByte);
    expect(spans.at(-1)?.toByte).toBe(readFileSync(own.log).length);
  });

  test('the bytes are those of the file, whatever its encoding', async () => {
    const own = rig();
    const wide = (text: string) => Buffer.from(text, 'utf16le');
    writeFileSync(own.log, wide(`\ufefftime,a,µ\n${rows(0, 300)}`));
    expect((await drain(own)).code).toBe(0);
    appendFileSync(own.log, wide(rows(300, 500)));
    expect((await drain(own)).code).toBe(0);
    const receipts = await readReceipts(own);
    for (const receipt of receipts) expectProved(receipt, own.log);
    const last = receipts.flatMap(({ source }) => source).map(({ toByte }) => toByte);
    expect(Math.max(...last)).toBe(readFileSync(own.log).length);
  });

  test('the export holds every point value by value, only text is escaped, and no file is overwritten', async () => {
    const own = rig();
    appendFileSync(own.log, rows(0, 1000));
    await drain(own);
    const out = join(own.data, '..', 'out.csv');
    const exported = await runHere(['export', '--data', own.data, '--stream', '1', '--out', out]);
    expect(exported).toMatchObject({ code: 0, err: '' });
    const points = readExport(out);
    expect([...points.keys()].sort()).toEqual(["'=b", 'a']);
    const told = { state: 'acknowledged', words: '' };
    expect(points.get('a')).toEqual(upTo(1000).map((n) => ({ timeMs: stampMs(n), value: n, ...told })));
    const b = upTo(1000).filter((n) => isPoint(bOf(n)));
    expect(points.get("'=b")).toEqual(b.map((n) => ({ timeMs: stampMs(n), value: Number(bOf(n)), ...told })));

    const before = readFileSync(out);
    const again = await runHere(['export', '--data', own.data, '--stream', '1', '--out', out]);
    expect(again.code).toBe(1);
    expect(again.err).toContain('code: file.exists');
    expect(readFileSync(out)).toEqual(before);
    expect(readdirSync(join(own.data, '..')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('lists the streams, and says which stream does not exist', async () => {
    const own = rig();
    appendFileSync(own.log, rows(0, 20));
    await drain(own);
    const unknown = await runHere(['receipt', '--data', own.data, 'nobody']);
    expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('code: receipt.unknown-stream') });
    const list = await runHere(['receipt', '--data', own.data]);
    expect(list.out).toMatch(/^1 {2}T log .*: delivered; 20 rows read/);
  });
});

test('what the service refused is kept, counted by channel, and exported with its words', async () => {
  const { service } = await openServiceRig({ bench: {}, key: KEY });
  const own = rig(service.url);
  appendFileSync(own.log, rows(0, 200));
  const body = JSON.stringify({ detail: 'b is not calibrated' });
  await service.setBench({
    rules: [{ fault: { kind: 'answer', status: 422, body }, endpoint: 'ingestChunk', channel: '=b' }],
  });
  await drain(own);
  const [receipt] = await readReceipts(own);
  const refused = upTo(200).filter((n) => isPoint(bOf(n))).length;
  expect(receipt?.counts).toMatchObject({
    pointsStored: 200 + refused,
    pointsAcknowledged: 200,
    pointsRefused: refused,
  });
  expect(receipt?.channels.map(({ name, refused }) => [name, refused])).toEqual([
    ['a', 0],
    ['=b', refused],
  ]);
  expect(receipt?.refusedByService.reduce((sum, { points }) => sum + points, 0)).toBe(refused);
  for (const { words } of receipt?.refusedByService ?? []) expect(words).toContain('b is not calibrated');
  const out = join(own.data, 'out.csv');
  await runHere(['export', '--data', own.data, '--stream', receipt?.stream.nonce ?? '', '--out', out]);
  const points = readExport(out);
  expect(points.get('a')?.every(({ state }) => state === 'acknowledged')).toBe(true);
  expect(points.get("'=b")?.length).toBe(refused);
  for (const { state, words } of points.get("'=b") ?? []) {
    expect(state).toBe('refused');
    expect(words).toContain('b is not calibrated');
  }
});

test('while the agent records, the same commands ask it, and what is not sealed yet is there too', async () => {
  const own = rig();
  appendFileSync(own.log, rows(0, 150));
  const { agent, stop } = await startHere({ ...own, key: KEY });
  const stored = () => agent.snapshot.streams.reduce((sum, { pointsStored }) => sum + pointsStored, 0);
  const pointsOf = (rows: number) => rows + upTo(rows).filter((n) => isPoint(bOf(n))).length;
  await expect.poll(stored).toBe(pointsOf(150));
  appendFileSync(own.log, rows(150, 250));
  await expect.poll(stored).toBe(pointsOf(250));
  const receipts = await readReceipts(own);
  const values: number[] = [];
  for (const [i, receipt] of receipts.entries()) {
    expect(receipt.disagreements).toEqual([]);
    expectProved(receipt, own.log);
    const out = join(own.data, `out-${i}.csv`);
    const { code } = await runHere(['export', '--data', own.data, '--stream', String(receipt.stream.id), '--out', out]);
    expect(code).toBe(0);
    const points = readExport(out);
    expect([...points.values()].flat().length).toBe(receipt.counts.pointsStored);
    values.push(...(points.get('a') ?? []).map(({ value }) => value));
    const wide = join(own.data, `wide-${i}.csv`);
    const asked = ['export', '--data', own.data, '--stream', String(receipt.stream.id), '--format', 'csv'];
    expect((await runHere([...asked, '--out', wide])).code).toBe(0);
    const rows = readFileSync(wide, 'utf8')
      .split('\r\n')
      .filter((line) => /^\d/.test(line));
    const cells = rows.flatMap((line) => line.split(',').slice(3)).filter((cell) => cell !== '');
    expect(cells).toHaveLength(receipt.counts.pointsStored);
  }
  expect(values.toSorted((p, q) => p - q)).toEqual(upTo(250));
  expect(receipts.flatMap(({ channels }) => channels).some(({ open }) => open > 0)).toBe(true);
  await stop();
});

test('lists entries of the service that belong to no stream here, while an agent runs', async () => {
  const { place, write, deliver } = await openBackfillRig();
  const orphan = await deliver('T log 2026-09-01 08:00:01 GaAs on Si kk22222', 1, 10);
  await deliver('another tool 2026-09-01 08:00:01 kk33333', 1, 10);
  write('log.csv', 101, 120);
  const { stop } = await place.start();
  const orphans = (...more: string[]) => runHere(['receipt', '--data', place.data, '--orphans', ...more]);
  const told = await orphans();
  expect(told, told.err).toMatchObject({
    code: 0,
    out: `${orphan}  T log 2026-09-01 08:00:01 GaAs on Si kk22222: begun from another data folder\n1 entry without a stream.\n`,
  });
  expect(JSON.parse((await orphans('--json')).out)).toMatchObject({ total: 1, orphans: [{ dataId: orphan }] });
  await stop();
  expect(await orphans()).toMatchObject({ code: 1, err: expect.stringContaining('code: receipt.no-agent') });
});
