// What the service refused, repaired and sent again by the command, with and without a running agent.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Receipt } from '../../src-main/delivery/receipt/receipt.ts';
import type { BenchSettings } from '../support/bench/bench-settings.ts';
import { runHere } from '../support/command.ts';
import { fastClock } from '../support/fast-clock.ts';
import { startHere } from '../support/rigs/agent-here.ts';
import { readDelivered } from '../support/rigs/delivered.ts';
import { until } from '../support/rigs/growth-rig.ts';
import { openServiceRig } from '../support/rigs/service-rig.ts';
import { tempFolder } from '../support/temp-folder.ts';

const START_S = Date.UTC(2026, 10, 20, 6) / 1000;
const KEY = 'resend-test-key-0123456789abcdef';
/** Time of the agents runs so much faster: a stream closes after a pause, and is read back after another one. */
const SPEED = 20;
const rows = (from: number, to: number) =>
  Array.from(
    { length: to - from },
    (_, i) => `${START_S + from + i},${from + i},${1000 + from + i},${(from + i) / 4}\n`,
  ).join('');
const truth = (from: number, to: number, value: (n: number) => number) =>
  Array.from({ length: to - from }, (_, i) => ({ timeMs: (START_S + from + i) * 1000, value: value(from + i) }));

/** The service refuses every chunk that holds one of these channels. */
const refusing = (...channels: string[]): BenchSettings => ({
  rules: channels.map((channel) => {
    const body = JSON.stringify({ detail: `${channel} is not calibrated` });
    return { fault: { kind: 'answer', status: 422, body }, endpoint: 'ingestChunk', channel };
  }),
});

async function rig() {
  const { service, client } = await openServiceRig({ bench: {}, key: KEY });
  const folder = tempFolder('resend');
  const [logs, data, config] = [join(folder, 'logs'), join(folder, 'data'), join(folder, 'epistream.yaml')];
  const log = join(logs, 'growth.csv');
  mkdirSync(logs);
  writeFileSync(log, 'time,a,b,c\n');
  writeFileSync(
    config,
    `version: 1
service: { url: '${service.url}' }
tool: { name: T, time_zone: UTC }
stream_defaults: { points_per_chunk: 20, close_after_quiet: ${SPEED}s }
sources: [{ id: log, kind: log, path: '${logs}', match: '*.csv', backfill: all }]
`,
  );
  const env = { EPISTREAM_API_KEY: KEY };
  const clock = fastClock(SPEED);
  const run = (...words: string[]) => runHere([...words, '--data', data], env, clock);
  const start = () => startHere({ config, data, key: KEY, clock });
  const receipt = async (stream: number) => {
    const { out } = await run('receipt', '--json', String(stream));
    return Receipt.parse(JSON.parse(out));
  };
  const receiptWhere = (stream: number, holds: (receipt: Receipt) => boolean) =>
    until(`the receipt of stream ${stream}`, async () => {
      const found = await receipt(stream).catch(() => null);
      return found && holds(found) ? found : null;
    });
  const pointsOf = async (channel: string) =>
    ((await readDelivered(client)).get(channel) ?? []).toSorted((p, q) => p.timeMs - q.timeMs);
  const add = (from: number, to: number) => appendFileSync(log, rows(from, to));
  return { service, config, run, start, receipt, receiptWhere, pointsOf, add };
}

test('without an agent: refused, repaired, sent again, and at the end confirmed point by point', async () => {
  const { service, config, run, receipt, pointsOf, add } = await rig();
  const drain = () => run('run', '--config', config, '--drain-and-exit');
  add(0, 50);
  await service.setBench(refusing('b'));
  expect(await drain()).toMatchObject({
    code: 3,
    err: expect.stringContaining('the service refused 50 points, which stay here'),
  });
  expect((await receipt(1)).counts).toMatchObject({ pointsStored: 150, pointsAcknowledged: 100, pointsRefused: 50 });
  const { out } = await run('resend', '--stream', '1', '--list');
  const listed = out.trim().split('\n');
  expect(listed).toHaveLength(3);
  for (const line of listed)
    expect(line).toMatch(/^chunk \d+: b, [012], (20|10) points, 2026-11-20T.*b is not calibrated/);

  await service.setBench({});
  const [chunk] = listed[2]?.match(/\d+/) ?? [];
  const one = await run('resend', '--stream', '1', '--chunk', chunk ?? '');
  expect(one).toMatchObject({ code: 0, err: '', out: expect.stringContaining('10 points in 1 chunk wait again') });
  const rest = await run('resend', '--stream', '1');
  expect(rest.out).toContain('40 points in 2 chunks wait again, in their place.');
  expect((await run('resend', '--stream', '1')).out).toContain('Nothing to send again.');
  expect((await receipt(1)).stream.state).toBe('closed');
  expect(await drain()).toMatchObject({ code: 0, err: '' });
  const whole = await receipt(1);
  expect(whole.counts).toMatchObject({ pointsAcknowledged: 150, pointsRefused: 0, pointsReadBack: 150 });
  expect(whole.confirmation?.outcome).toBe('confirmed');
  expect(whole.disagreements).toEqual([]);
  expect(await pointsOf('b')).toEqual(truth(0, 50, (n) => 1000 + n));
});

test('what does not fit is told, with an exit code that says so', async () => {
  const { run, add, config } = await rig();
  add(0, 20);
  await run('run', '--config', config, '--drain-and-exit');
  for (const [args, code, words] of [
    [[], 2, 'needs --stream'],
    [['--stream', '1', '--points-per-chunk', '0'], 2, 'pointsPerChunk'],
    [['--stream', '1', '--points-per-chunk', 'few'], 2, 'not a whole number'],
    [['--stream', '1', '--unit', 'K'], 2, 'name it'],
    [['--stream', '1', '--chunk', '1', '--chunk', 'x'], 2, '--chunk x'],
    [['--stream', 'nobody'], 1, 'code: receipt.unknown-stream'],
    [['--stream', '1', '--channel', 'z'], 1, 'code: resend.unknown-channel'],
    [['--stream', '1', '--chunk', '999'], 1, 'code: resend.unknown-chunk'],
  ] as const) {
    expect(await run('resend', ...args)).toMatchObject({ code, err: expect.stringContaining(words) });
  }
  expect((await run('resend', '--stream', '1')).out).toContain('Nothing to send again.');
});

test('while the agent records: in its place, and as a corrected stream, both confirmed, and recording goes on beside', async () => {
  const { service, run, start, receiptWhere, receipt, pointsOf, add } = await rig();
  await service.setBench(refusing('b', 'c'));
  add(0, 50);
  const { told, stop } = await start();
  const confirmed = ({ stream, confirmation }: Receipt) =>
    stream.state === 'delivered' && confirmation?.outcome === 'confirmed';
  expect((await receiptWhere(1, confirmed)).counts).toMatchObject({ pointsRefused: 100, pointsReadBack: 50 });

  await service.setBench(refusing('c'));
  const again = await run('resend', '--stream', '1', '--channel', 'b');
  expect(again).toMatchObject({ code: 0, err: '' });
  await told(/50 points of stream 1 that the service refused are sent again in their place/);
  const both = await receiptWhere(1, (found) => confirmed(found) && found.counts.pointsReadBack === 100);
  expect(both.counts).toMatchObject({ pointsAcknowledged: 100, pointsRefused: 50 });

  add(50, 70);
  const changes = ['--channel', 'c', '--unit', 'K', '--rename', 'c repaired', '--points-per-chunk', '7'];
  const asNew = await run('resend', '--stream', '1', ...changes);
  const [, id = ''] =
    asNew.out.match(/50 points in 3 chunks wait in stream (\d+), "T log .*, corrected part \w+"/) ?? [];
  const twice = await run('resend', '--stream', '1', ...changes);
  expect(twice).toMatchObject({ code: 0, out: expect.stringContaining(`it was sent again in stream ${id}.`) });
  const part = await receiptWhere(Number(id), confirmed);
  expect(part).toMatchObject({
    stream: { sourceId: 'log', pointsPerChunk: 7 },
    counts: { pointsStored: 50, pointsReadBack: 50 },
    channels: [{ name: 'c repaired', unit: 'K' }],
  });
  await service.setBench({});
  add(70, 90);
  expect(await receipt(1)).toMatchObject({ stream: { state: 'delivered' }, counts: { pointsResent: 50 } });
  // Channels of a chunk that was refused go out one by one.
  for (const channel of ['a', 'b']) await expect.poll(() => pointsOf(channel)).toHaveLength(90);
  await stop();
  expect(await pointsOf('a')).toEqual(truth(0, 90, (n) => n));
  expect(await pointsOf('b')).toEqual(truth(0, 90, (n) => 1000 + n));
  expect(await pointsOf('c repaired')).toEqual(truth(0, 50, (n) => n / 4));
});
