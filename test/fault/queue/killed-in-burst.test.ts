// Part A, row 2: the process is killed while several chunks of a stream are on their way to a service that is 50 ms away. Of
// each burst some are served before the kill, some after the next life began, and some never.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import SQLite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { Chance } from '../../simulation/random.ts';
import { chunkOf, openMiddleman } from '../../support/faults/middleman.ts';
import { LogAgent } from '../../support/logs/log-agent.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';

const KILLS = 4;
const DELAY_MS = 50;
/** So many are on their way when the kill comes. */
const SIDE_BY_SIDE = 3;

/** Indexes of the chunks that may have arrived, in their order, by entry, as the killed process left them. */
function readNoted(path: string): Map<string, number[]> {
  const raw = new SQLite(path, { readonly: true });
  const rows = raw
    .prepare(
      `SELECT s.data_id AS dataId, c.chunk_index AS "index" FROM chunk c JOIN stream s ON s.id = c.stream
       WHERE c.state = 'sealed' AND c.burst = 1 ORDER BY c.id`,
    )
    .all() as { dataId: string; index: number }[];
  raw.close();
  const noted = new Map<string, number[]>();
  for (const { dataId, index } of rows) noted.set(dataId, [...(noted.get(dataId) ?? []), index]);
  return noted;
}

test(`2: over ${KILLS} kills with chunks on their way side by side nothing is lost, nothing doubled, and all is settled`, async () => {
  const { service, client } = await openServiceRig();
  const middleman = await openMiddleman(service.url);
  const chance = new Chance(7);
  const options = { url: middleman.url, key: service.apiKey, service: 'resend: repeat, upload_window: 8' };
  const agent = new LogAgent(options);
  agent.configure(options.url, options.service);
  let noted = new Map<string, number[]>();
  for (let kill = 0; kill < KILLS; kill++) {
    agent.write(400);
    const running = agent.launch();
    let underWay = 0;
    middleman.meet = async (asked) => {
      if (chunkOf(asked) === null) return 'pass';
      if (++underWay >= SIDE_BY_SIDE) running.child.kill('SIGKILL');
      await sleep(DELAY_MS);
      underWay -= 1;
      if (running.child.signalCode === null && !running.child.killed) return 'pass';
      const how = 'close';
      return chance.pick([
        { do: 'lose-answer', how },
        { do: 'lose-request', how },
        { do: 'late', how, delayMs: chance.between(1, 2000) },
      ] as const);
    };
    expect((await running.ended).signal).toBe('SIGKILL');
    noted = readNoted(join(agent.data, 'queue.db'));
    expect([...noted.values()].flat().length).toBeGreaterThan(1);
  }
  const streams = new Map<string, { underWay: number; most: number; alone: number[] }>();
  middleman.meet = async (asked) => {
    const chunk = chunkOf(asked);
    if (chunk === null) return 'pass' as const;
    const stream = streams.get(chunk.data_id) ?? { underWay: 0, most: 0, alone: [] };
    streams.set(chunk.data_id, stream);
    stream.most = Math.max(stream.most, ++stream.underWay);
    if (stream.most === 1) stream.alone.push(chunk.chunk_index);
    await sleep(DELAY_MS);
    stream.underWay -= 1;
    return 'pass' as const;
  };
  const last = await agent.start();
  await agent.until('all delivered', ({ store }) => store?.waitingPoints === 0);
  await agent.stop(last);
  // First those that may have arrived, one at a time and in order; then side by side again.
  for (const [dataId, indices] of noted) {
    expect(streams.get(dataId)?.alone.slice(0, indices.length)).toEqual(indices);
  }
  expect(Math.max(...[...streams.values()].map(({ most }) => most))).toBeGreaterThanOrEqual(SIDE_BY_SIDE);
  await agent.expectDelivered(client);
});
