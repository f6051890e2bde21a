// Part D, rows 69, 70, 72, 73: what a person, a time server, a dead battery or sleep does to the clocks, done to the real
// agent as a process of its own, whose clocks they are.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ServiceClient } from '../../../src-main/delivery/client/client.ts';
import { openQueue } from '../../../src-main/queue/store/queue.ts';
import type { BenchReport } from '../../support/bench/bench-settings.ts';
import { runHere } from '../../support/command.ts';
import { machineClock, noMachineClock } from '../../support/machine-clock.ts';
import { type AgentProcess, readStatus, startAgent, whileHalted } from '../../support/processes/agent-process.ts';
import { type DeliveredPoint, readDelivered } from '../../support/rigs/delivered.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const KEY = 'clock-test-key-0123456789abcdef';
const INTERVAL_MS = 100;
/** How often the service is read until it holds enough. */
const LOOK = { interval: 200 };

/** An agent that records a simulated tool and a log into a service of its own. */
async function rig() {
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
service: { url: '${service.url}', resend: repeat }
tool: { name: T, time_zone: UTC }
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
  /** Read the log to its end, deliver all of it and end. */
  const drain = () =>
    runHere(['run', '--config', config, '--data', data, '--drain-and-exit'], { EPISTREAM_API_KEY: KEY });
  return { folder, log, client, service, start, status, stop, drain };
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
for (let n = 0; n < 10_000; n++) {
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

  test('69: set forward and back by 2 h mid-stream: stamps, deliveries and a running wait continue, and each step is reported', async () => {
    const { folder, client, service, start, status, stop } = await rig();
    const clock = machineClock(folder);
    const agent = await start(clock.env);
    const deliverMore = async () => {
      const before = await countDelivered(client);
      await expect.poll(() => countDelivered(client), LOOK).toBeGreaterThan(before + 10);
    };
    await deliverMore();
    clock.set(7200);
    await agent.waitFor(/The PC clock was set forward by 2 h/);
    await deliverMore();
    const headers = { 'retry-after': '2' };
    await service.setBench({ rules: [{ fault: { kind: 'answer', status: 503, headers }, endpoint: 'ingestChunk' }] });
    const refused = async () => ((await service.runBench({ kind: 'report' })) as BenchReport).hits[0];
    await expect.poll(refused, LOOK).toBeGreaterThan(0);
    clock.set(0);
    await service.setBench({});
    await agent.waitFor(/The PC clock was set back by 2 h/);
    // Within the minute of a poll; by the clock that was set it would be two hours.
    await deliverMore();
    expect((await status()).phase).toBe('running');
    const seen = await stop(agent);
    expect(codes(seen)).toEqual(['clock.set-forward', 'clock.set-back']);
    const delivered = await readDelivered(client);
    for (const { channel } of seen.channels) expectSteady(delivered, channel, 2 * INTERVAL_MS);
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
    await expect.poll(async () => (await status()).store?.waitingPoints, LOOK).toBeGreaterThan(50);
    // The first request that is refused for the clock tells of it.
    await expect
      .poll(async () => (await status()).sentence.text)
      .toMatch(
        new RegExp(
          `^Recording 2 sources\\. Sending waits\\. .*The PC clock shows (${years.join('|')})-.*capture runs, upload waits`,
        ),
      );
    expect(await client.listDataEntries({})).toEqual([]);
    clock.set(0);
    await agent.waitFor(/plausible again/);
    await expect.poll(async () => (await status()).service?.state).toBe('connected');
    await expect.poll(() => countDelivered(client), LOOK).toBeGreaterThan(20);
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

  test('72: stopped for an hour: told with both ends, a gap for what is gone, nothing lost of the log', async () => {
    const { folder, client, start, stop, drain, log } = await rig();
    const clock = machineClock(folder, 0, true);
    const agent = await start(clock.env);
    const startS = Math.floor(Date.now() / 1000);
    const line = (n: number) => `${startS + n},${n}\n`;
    appendFileSync(log, [0, 1, 2].map(line).join(''));
    await expect.poll(() => countDelivered(client), LOOK).toBeGreaterThan(10);
    // The monotonic clock counts it, as it counts the time in which a process is stopped.
    await whileHalted(agent, () => {
      for (let n = 3; n < 10; n++) appendFileSync(log, line(n));
      clock.set(3600);
    });
    const [, from = '', to = ''] = await agent.waitFor(
      /Stood still \(asleep, or stopped\) from (.*) UTC to (.*) UTC\./,
    );
    const [fromMs, toMs] = [Date.parse(`${from}Z`), Date.parse(`${to}Z`)];
    expect(toMs - fromMs).toBeGreaterThanOrEqual(3_599_000);
    const before = await countDelivered(client);
    await expect.poll(() => countDelivered(client), LOOK).toBeGreaterThan(before + 10);
    const seen = await stop(agent);
    expect(codes(seen)).toEqual(['clock.stood-still']);
    expect(seen.events.filter(({ code }) => code === 'source.gap').map(({ message }) => message)).toEqual([
      expect.stringMatching(/^Source tool: nothing from .* to .*paused/),
    ]);
    const delivered = await readDelivered(client);
    // A machine that was busy before it, or behind it, looks later at its clocks, and reads later as well.
    for (const { channel } of seen.channels) expectSteady(delivered, channel, 3_700_000);
    const stamps = (delivered.get('substrate temperature') ?? []).map(({ timeMs }) => timeMs);
    const after = stamps.findIndex((timeMs, at) => at > 0 && timeMs - (stamps[at - 1] ?? 0) > 3_000_000);
    expect(Math.abs(fromMs - (stamps[after - 1] ?? 0))).toBeLessThan(2000);
    expect(Math.abs(toMs - (stamps[after] ?? 0))).toBeLessThan(2000);
    expect(await drain()).toMatchObject({ code: 0 });
    const queued = (await readDelivered(client)).get('x')?.map(({ value }) => value);
    expect(queued).toEqual(Array.from({ length: 10 }, (_, n) => n));
  });
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
    expect((await runHere(args, { TZ, EPISTREAM_API_KEY: KEY })).code).toBe(0);
    points.push((await readDelivered(client)).get('x'));
  }
  expect(points[0]).toEqual([
    { timeMs: Date.UTC(2026, 10, 20, 11), value: 1 },
    { timeMs: Date.UTC(2026, 10, 20, 11, 0, 1), value: 2 },
  ]);
  expect(points[1]).toEqual(points[0]);
});
