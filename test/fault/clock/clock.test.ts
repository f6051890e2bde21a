// Part D, rows 69, 70, 72, 73: what a person, a time server, a dead battery or sleep does to the clocks, done to the real
// agent as a process of its own.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ServiceClient } from '../../../src-main/delivery/client/client.ts';
import { openQueue } from '../../../src-main/queue/store/queue.ts';
import type { BenchReport } from '../../support/bench/bench-settings.ts';
import { machineClock, noMachineClock } from '../../support/machine-clock.ts';
import { type AgentProcess, readStatus, runAgent, startAgent } from '../../support/processes/agent-process.ts';
import { type DeliveredPoint, readDelivered } from '../../support/rigs/delivered.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const KEY = 'clock-test-key-0123456789abcdef';
const INTERVAL_MS = 100;
const pause = (durationMs: number) => new Promise((resolve) => setTimeout(resolve, durationMs));

/** An agent that records a simulated tool and a log into a service of its own. */
async function rig(timeZone = 'UTC') {
  const folder = tempFolder('clock');
  const logs = join(folder, 'logs');
  mkdirSync(logs);
  const log = join(logs, 'tool.csv');
  writeFileSync(log, 'time,x\n');
  const { service, client } = await openServiceRig({ key: KEY, bench: {} });
  const config = join(folder, 'epistream.yaml');
  writeFileSync(
    config,
    `version: 1
service: { url: '${service.url}' }
tool: { name: T, time_zone: '${timeZone}' }
stream_defaults: { points_per_chunk: 10, rollover: growth }
sources:
  - { id: tool, kind: simulator, interval: ${INTERVAL_MS}ms }
  - { id: log, kind: log, path: '${logs}', match: '*.csv', backfill: all }
`,
  );
  const data = join(folder, 'data');
  const start = async (env: Record<string, string>): Promise<AgentProcess> => {
    const agent = startAgent(['run', '--config', config, '--data', data], { EPISTREAM_API_KEY: KEY, ...env });
    await agent.waitFor(/Recording of T started/);
    return agent;
  };
  const status = () => readStatus(data);
  /** Stop in good order; gives the stored events and the channels of the simulated tool. */
  const stop = async (agent: AgentProcess) => {
    agent.child.kill('SIGTERM');
    expect((await agent.ended).code).toBe(0);
    const queue = openQueue(join(data, 'queue.db'));
    const events = queue.listEvents(1000).toReversed();
    const channels = queue.listChannels().filter(({ sourceId }) => sourceId === 'tool');
    queue.close();
    return { events, channels };
  };
  return { folder, log, client, service, start, status, stop };
}

/** Readings of the simulated tool that the service holds, of one channel. */
async function countDelivered(client: ServiceClient): Promise<number> {
  return (await readDelivered(client)).get('substrate temperature')?.length ?? 0;
}

type Stopped = Awaited<ReturnType<Awaited<ReturnType<typeof rig>>['stop']>>;

function codes({ events }: Stopped): string[] {
  return events.map(({ code }) => code).filter((code) => code.startsWith('clock.'));
}

/** Stamps of each channel rise without a step: never back, never forward by more than a busy moment. */
function expectSteady(delivered: Map<string, DeliveredPoint[]>, channel: string, longestMs: number): void {
  const points = delivered.get(channel) ?? [];
  expect(points.length).toBeGreaterThan(20);
  for (const [i, { timeMs }] of points.entries()) {
    const stepMs = (points[i + 1]?.timeMs ?? timeMs + INTERVAL_MS) - timeMs;
    expect(stepMs).toBeGreaterThan(0);
    expect(stepMs).toBeLessThanOrEqual(longestMs);
  }
}

/** Run in several threads at once: how often a clock showed less than before. */
const LOOK_BACK = `
const { Worker, isMainThread } = require('node:worker_threads');
if (isMainThread) for (let n = 0; n < 2; n++) new Worker(__filename);
let wentBack = 0;
let wallMs = Date.now();
let monotonicMs = performance.now();
for (let n = 0; n < 100_000; n++) {
  const now = [Date.now(), performance.now()];
  if (now[0] < wallMs || now[1] < monotonicMs) wentBack += 1;
  [wallMs, monotonicMs] = now;
}
console.log(wentBack);
`;

describe.skipIf(noMachineClock !== '')('with clocks of its own', () => {
  test('a clock that was set goes back in no thread', () => {
    const folder = tempFolder('look-back');
    const script = join(folder, 'look-back.cjs');
    writeFileSync(script, LOOK_BACK);
    const { env } = machineClock(folder, 3600, true);
    const out = execFileSync(process.execPath, [script], { env: { ...process.env, ...env }, encoding: 'utf8' });
    expect(out.trim().split('\n')).toEqual(['0', '0', '0']);
  });

  test.each([
    ['back by 2 h', -7200, 'clock.set-back'],
    ['forward by 2 h', 7200, 'clock.set-forward'],
  ])('69: %s mid-stream: stamps go on, deliveries too, and the step is told', async (_, offsetS, code) => {
    const { folder, client, start, status, stop, log } = await rig();
    const clock = machineClock(folder);
    const agent = await start(clock.env);
    await pause(3000);
    clock.set(offsetS);
    await agent.waitFor(/The PC clock was set/);
    appendFileSync(log, `${Math.floor(Date.now() / 1000)},1\n`);
    const before = await countDelivered(client);
    await expect.poll(() => countDelivered(client)).toBeGreaterThan(before + 20);
    const { journal, phase } = await status();
    expect(phase).toBe('running');
    expect(journal.find((entry) => entry.code === code)?.message).toMatch(/set (back|forward) by 2 h/);
    const seen = await stop(agent);
    expect(codes(seen)).toEqual([code]);
    const delivered = await readDelivered(client);
    for (const { channel } of seen.channels) expectSteady(delivered, channel, 2 * INTERVAL_MS);
    expect(delivered.get('substrate temperature')?.length).toBeGreaterThan(before);
  });

  test('69: a wait that is under way when the clock is set back ends when it should', async () => {
    const { folder, client, service, start, stop } = await rig();
    const clock = machineClock(folder);
    const agent = await start(clock.env);
    await expect.poll(() => countDelivered(client)).toBeGreaterThan(0);
    const headers = { 'retry-after': '4' };
    await service.setBench({ rules: [{ fault: { kind: 'answer', status: 503, headers }, endpoint: 'ingestChunk' }] });
    const refused = async () => ((await service.runBench({ kind: 'report' })) as BenchReport).hits[0];
    await expect.poll(refused).toBeGreaterThan(0);
    clock.set(-7200);
    await service.setBench({});
    const before = await countDelivered(client);
    // Within the minute of a poll; by the clock that was set it would be two hours.
    await expect.poll(() => countDelivered(client)).toBeGreaterThan(before + 50);
    await stop(agent);
  });

  test('70: years off at boot: capture runs, upload waits; once the clock is right everything goes out', async () => {
    const { folder, client, start, status, stop } = await rig();
    const yearsS = 20 * 365 * 86_400;
    const clock = machineClock(folder, -yearsS);
    // The year may end while this runs.
    const year = new Date(Date.now() - yearsS * 1000).getUTCFullYear();
    const years = [year, year + 1];
    const agent = await start(clock.env);
    await agent.waitFor(/cannot be right/);
    await expect.poll(async () => (await status()).store?.waitingPoints).toBeGreaterThan(50);
    // The first request that is refused for the clock tells of it.
    await expect
      .poll(async () => (await status()).sentence.text)
      .toMatch(
        new RegExp(`^Recording 2 sources\\. The PC clock shows (${years.join('|')})-.*capture runs, upload waits`),
      );
    expect(await client.listDataEntries({})).toEqual([]);
    clock.set(0);
    await agent.waitFor(/plausible again/);
    await expect.poll(async () => (await status()).service?.state).toBe('connected');
    await expect.poll(() => countDelivered(client)).toBeGreaterThan(20);
    const seen = await stop(agent);
    expect(codes(seen).filter((code) => code !== 'clock.upload-waits')).toEqual([
      'clock.implausible',
      'clock.set-forward',
      'clock.plausible',
    ]);
    const delivered = await readDelivered(client);
    for (const { channel } of seen.channels) {
      const stamps = (delivered.get(channel) ?? []).map(({ timeMs }) => timeMs);
      expect(stamps).toEqual(stamps.toSorted((a, b) => a - b));
      expect(years).toContain(new Date(stamps[0] ?? 0).getUTCFullYear());
    }
  });

  test('72: an hour of sleep on a monotonic clock that counts it: a gap, an event, and it goes on', async () => {
    const { folder, client, start, status, stop } = await rig();
    const clock = machineClock(folder, 0, true);
    const agent = await start(clock.env);
    await pause(3000);
    clock.set(3600);
    await agent.waitFor(/Stood still/);
    const before = await countDelivered(client);
    await expect.poll(() => countDelivered(client)).toBeGreaterThan(before + 20);
    expect((await status()).phase).toBe('running');
    const seen = await stop(agent);
    expect(codes(seen)).toEqual(['clock.stood-still']);
    const gap = seen.events.find(({ code }) => code === 'source.gap');
    expect(gap?.message).toMatch(/Source tool: nothing from .* to .*paused/);
    const delivered = await readDelivered(client);
    for (const { channel } of seen.channels) expectSteady(delivered, channel, 3_700_000);
  });
});

test('72: stopped for 13 s: told with both ends, a gap for what is gone, nothing lost of the log', async () => {
  const { client, start, stop, log } = await rig();
  const agent = await start({});
  const startS = Math.floor(Date.now() / 1000);
  const line = (n: number) => `${startS + n},${n}\n`;
  appendFileSync(log, [0, 1, 2].map(line).join(''));
  await pause(2500);
  agent.child.kill('SIGSTOP');
  const stoppedMs = Date.now();
  for (let n = 3; n < 10; n++) appendFileSync(log, line(n));
  await pause(13_000);
  agent.child.kill('SIGCONT');
  const [, from = '', to = ''] = await agent.waitFor(/Stood still \(asleep, or stopped\) from (\S+) to (\S+)\./);
  expect(Date.parse(to) - Date.parse(from)).toBeGreaterThan(12_000);
  await pause(3000);
  const seen = await stop(agent);
  expect(codes(seen)).toEqual(['clock.stood-still']);
  expect(seen.events.filter(({ code }) => code === 'source.gap').map(({ message }) => message)).toEqual([
    expect.stringMatching(/^Source tool: /),
  ]);
  const delivered = await readDelivered(client);
  const pausedMs = Date.parse(to) - Date.parse(from);
  // A machine that was busy before it, or behind it, looks later at its clocks, and reads later as well.
  for (const { channel } of seen.channels) expectSteady(delivered, channel, pausedMs + 1000);
  const before = (delivered.get('substrate temperature') ?? []).findLast(({ timeMs }) => timeMs <= stoppedMs);
  expect(Math.abs(Date.parse(from) - (before?.timeMs ?? 0))).toBeLessThan(2000);
  const after = (delivered.get('substrate temperature') ?? []).find(({ timeMs }) => timeMs > stoppedMs);
  expect(Math.abs(Date.parse(to) - (after?.timeMs ?? 0))).toBeLessThan(2000);
  const again = await start({});
  await pause(1500);
  await stop(again);
  const queued = (await readDelivered(client)).get('x')?.map(({ value }) => value) ?? [];
  expect(queued).toEqual(Array.from({ length: queued.length }, (_, n) => n));
});

test('73: the zone of the PC changes between two runs: the data does not', async () => {
  const folder = tempFolder('zone');
  const points: unknown[] = [];
  for (const TZ of ['America/New_York', 'Asia/Tokyo']) {
    const logs = join(folder, TZ.replace('/', '-'));
    mkdirSync(logs);
    // Stamps without a zone: those of the tool, which stands in Berlin.
    writeFileSync(join(logs, 'a.csv'), 'time,x\n2026-11-20 12:00:00,1\n2026-11-20 12:00:01,2\n');
    const { service, client } = await openServiceRig({ key: KEY });
    const config = join(folder, `${TZ.replace('/', '-')}.yaml`);
    writeFileSync(
      config,
      `version: 1
service: { url: '${service.url}' }
tool: { name: T, time_zone: Europe/Berlin }
sources: [{ id: log, kind: log, path: '${logs}', match: '*.csv', backfill: all }]
`,
    );
    const args = ['run', '--config', config, '--data', `${logs}-data`, '--drain-and-exit'];
    expect((await runAgent(args, { TZ, EPISTREAM_API_KEY: KEY })).code).toBe(0);
    points.push((await readDelivered(client)).get('x'));
  }
  expect(points[0]).toEqual([
    { timeMs: Date.UTC(2026, 10, 20, 11), value: 1 },
    { timeMs: Date.UTC(2026, 10, 20, 11, 0, 1), value: 2 },
  ]);
  expect(points[1]).toEqual(points[0]);
});
