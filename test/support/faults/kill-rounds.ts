// The whole agent, killed at random moments of a delivery, for as many times as one likes.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { createServiceClient } from '../../../src-main/delivery/client/client.ts';
import { startLocalService } from '../../../src-main/local-service/local-service.ts';
import { type AgentProcess, startAgent } from '../processes/agent-process.ts';
import { readDelivered } from '../rigs/delivered.ts';
import { tempFolder } from '../temp-folder.ts';

const ROWS_A_ROUND = 1500;
const START_S = Date.UTC(2026, 10, 20, 6) / 1000;
const KEY = 'kill-test-key-0123456789abcdef';

/** Row n of the log: its stamp and values tell n, so that whatever arrives can be told apart. */
const row = (n: number) => `${START_S + n * 0.5},${n},${n / 4},${n % 7 === 0 ? '' : -n}\n`;

/** Where the agent runs, and how it is started there. */
export interface KillPlace {
  /** A folder for the log, the settings and the queue. */
  readonly folder: string;
  /** The folder as the agent sees it, with `/`. */
  readonly seenAs: string;
  start(args: readonly string[], env: Record<string, string>): Pick<AgentProcess, 'child' | 'ended'>;
  /** Between which times after its start it is killed, milliseconds. */
  readonly killMs: readonly [number, number];
}

function here(): KillPlace {
  const folder = tempFolder();
  return { folder, seenAs: folder, start: startAgent, killMs: [450, 1550] };
}

/** Kill a draining agent so many times, drain to the end, and hold what the service has against what was written. */
export async function expectNoLossOverKills(most: number, place = here()): Promise<void> {
  const { folder, seenAs } = place;
  const [earliestMs, latestMs] = place.killMs;
  const logs = join(folder, 'logs');
  const log = join(logs, 'growth.csv');
  mkdirSync(logs);
  writeFileSync(log, 'time,a,b,c\n');
  const service = await startLocalService({ folder: tempFolder('service'), key: KEY });
  const client = createServiceClient({ baseUrl: service.url, apiKey: () => KEY });
  onTestFinished(async () => {
    await client.close();
    await service.stop();
  });
  const config = join(folder, 'epistream.yaml');
  writeFileSync(
    config,
    `version: 1
service: { url: '${service.url}', resend: repeat }
tool: { name: T, time_zone: UTC }
stream_defaults: { points_per_chunk: 100 }
sources: [{ id: log, kind: log, path: '${seenAs}/logs', match: '*.csv', backfill: all }]
`,
  );
  const args = ['run', '--config', `${seenAs}/epistream.yaml`, '--data', `${seenAs}/data`, '--drain-and-exit'];
  let rows = 0;
  let kills = 0;
  while (kills < most) {
    for (let i = 0; i < ROWS_A_ROUND; i++) appendFileSync(log, row(rows++));
    const agent = place.start(args, { EPISTREAM_API_KEY: KEY });
    const timer = setTimeout(() => agent.child.kill('SIGKILL'), earliestMs + Math.random() * (latestMs - earliestMs));
    const { signal, err } = await agent.ended;
    clearTimeout(timer);
    if (signal === 'SIGKILL') kills += 1;
    expect(err).toBe('');
  }
  expect(await place.start(args, { EPISTREAM_API_KEY: KEY }).ended).toMatchObject({ code: 0, err: '' });

  const delivered = await readDelivered(client);
  const truth = (value: (n: number) => number, isThere = (_: number) => true) =>
    Array.from({ length: rows }, (_, n) => n)
      .filter(isThere)
      .map((n) => ({ timeMs: (START_S + n * 0.5) * 1000, value: value(n) }));
  const sorted = (name: string) => (delivered.get(name) ?? []).toSorted((p, q) => p.timeMs - q.timeMs);
  expect(sorted('a')).toEqual(truth((n) => n));
  expect(sorted('b')).toEqual(truth((n) => n / 4));
  expect(sorted('c')).toEqual(
    truth(
      (n) => -n,
      (n) => n % 7 !== 0,
    ),
  );
  console.log(`${kills} kills, ${rows} rows, ${delivered.size} channels: 0 lost, 0 doubled`);
}
