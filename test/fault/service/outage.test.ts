// Part E, row 90, by the whole agent: logs of three days and a live tool are recorded while the service is away, and
// drain by themselves when it is back. (Three days on a virtual clock: test/scenario/long-outage; 10^7 points: the bench.)
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { createServiceClient } from '../../../src-main/delivery/client/client.ts';
import { type Asked, chunkOf, openMiddleman } from '../../support/faults/middleman.ts';
import { LogAgentHere } from '../../support/logs/log-agent.ts';
import { readDelivered } from '../../support/rigs/delivered.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';

const DAY_S = 86_400;
const ROWS_A_DAY = 2000;
/** How many chunks of a stream go out side by side, as `service.upload_window` has it unless told. */
const UPLOAD_WINDOW = 8;
const START_S = Date.UTC(2026, 10, 17, 8) / 1000;

test('90: recorded for days without a service: safe here and live on the screen, then delivered in order, today first', async () => {
  const { service } = await openServiceRig();
  let isAway = true;
  const served: Asked[] = [];
  const middleman = await openMiddleman(service.url, (asked) => {
    if (isAway && chunkOf(asked))
      return { do: 'instead', answer: { status: 503, headers: { 'retry-after': '1' }, body: '' } };
    served.push(asked);
    return 'pass';
  });
  const agent = new LogAgentHere({
    url: middleman.url,
    service: 'resend: repeat',
    key: service.apiKey,
    pointsPerChunk: 100,
    rollover: 'daily',
    sources: ['{ id: tool, kind: simulator, interval: 100ms, points_per_chunk: 10 }'],
  });
  for (const day of [0, 1, 2]) {
    const rows = Array.from({ length: ROWS_A_DAY }, (_, n) => {
      return `${START_S + day * DAY_S + n},${day * ROWS_A_DAY + n}\n`;
    });
    writeFileSync(join(agent.logs, `day-${day}.csv`), `time,y\n${rows.join('')}`);
  }
  await agent.start();
  const storedOf = ({ streams }: Snapshot, id: string) =>
    streams.filter(({ sourceId }) => sourceId === id).reduce((sum, { pointsStored }) => sum + pointsStored, 0);
  // The first request is refused some time after the first chunk is stored.
  const waiting = await agent.until('all of it is stored, and the service asks to wait', (seen) => {
    const isStored = storedOf(seen, 'log') === 3 * ROWS_A_DAY && storedOf(seen, 'tool') > 100;
    return isStored && seen.sentence.text.includes('asks to wait');
  });
  expect(waiting.sentence.tone).toBe('busy');
  expect(waiting.sentence.text).toMatch(
    /^Recording 2 sources\. Sending waits\. [\d,]+ points are safe here\. .*asks to wait/,
  );
  // Live although nothing goes out: each look shows a newer reading.
  const newest = ({ sources }: typeof waiting) => sources.find(({ id }) => id === 'tool')?.lastReadingMs ?? 0;
  await agent.until('a newer reading is shown', (seen) => newest(seen) > newest(waiting));

  isAway = false;
  const { streams } = await agent.until('the backlog is delivered', ({ streams }) => {
    const logs = streams.filter(({ sourceId }) => sourceId === 'log');
    return logs.every(({ chunksWaiting, pointsAcknowledged }) => chunksWaiting === 0 && pointsAcknowledged > 0);
  });
  await agent.stop();
  // Every chunk of each stream once, and in order but for those that go out side by side; what is live now came before the
  // last of the days before.
  const sent = served.flatMap((asked) => chunkOf(asked) ?? []);
  for (const { dataId } of streams) {
    const indices = sent.filter(({ data_id }) => data_id === dataId).map(({ chunk_index }) => chunk_index);
    expect(indices.toSorted((one, other) => one - other)).toEqual(Array.from(indices, (_, n) => n));
    expect(indices.filter((index, at) => Math.abs(index - at) >= UPLOAD_WINDOW)).toEqual([]);
  }
  // One stream, or two where a day ended meanwhile.
  const live = streams.filter(({ sourceId }) => sourceId === 'tool').map(({ dataId }) => dataId);
  const firstLive = sent.findIndex(({ data_id }) => live.includes(data_id));
  expect(firstLive).toBeGreaterThanOrEqual(0);
  expect(firstLive).toBeLessThan(10);
  const client = createServiceClient({ baseUrl: service.url, apiKey: () => service.apiKey });
  const delivered = await readDelivered(client);
  for (const day of [0, 1, 2]) {
    const values = delivered.get(`y (day-${day})`)?.map(({ value }) => value);
    expect(values).toEqual(Array.from({ length: ROWS_A_DAY }, (_, n) => day * ROWS_A_DAY + n));
  }
  await client.close();
});
