// What comes late, stamped before a growth began.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeNonce } from '../../../../src-main/agent/pipeline/nonce.ts';
import { Recorder } from '../../../../src-main/queue/recorder/recorder.ts';
import { openQueue } from '../../../../src-main/queue/store/queue.ts';
import { StillClock } from '../../../support/still-clock.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('a tool whose clock is behind makes one more stream of the time before a growth, not one for each row', async () => {
  const clock = new StillClock();
  const queue = openQueue(join(tempFolder(), 'q.db'));
  const recorder = await Recorder.open({
    store: { load: async () => queue.load(), commit: async (commit) => queue.commit(commit) },
    ...{ clock, timeZone: 'Europe/Berlin', toolName: 'MBE-1', synthSourceId: null, makeNonce },
    ruleOf: () => ({ pointsPerChunk: 7, rollover: 'daily', closeAfterQuietMs: 900_000 }),
    ...{ onCommitted: () => {}, onStoreState: () => {} },
  });
  const behindMs = 3_600_000;
  const row = () => {
    const timesMs = Float64Array.of(clock.nowMs() - behindMs);
    return recorder.capture('s', {
      ...{ blocks: [{ channels: ['a'], timesMs, values: Float64Array.of(1) }], positions: [], rowsRead: 1 },
      ...{ refusals: [], refusedCount: 0, origin: 'live' },
    });
  };
  await row();
  clock.monotonic += 1000;
  const none = { name: '', sampleId: null, newSampleName: null, projectId: null };
  const atMs = clock.nowMs();
  await recorder.putGrowths([
    {
      ...{ id: 'g', startedMs: atMs, startCause: 'by hand', endedMs: null, endCause: '', fileName: null },
      ...{ parts: [{ id: 'part', fromMs: atMs, toMs: null, ...none }], restarts: [] },
    },
  ]);
  for (let second = 0; second < 1200; second++) {
    if (second % 30 === 29) await row();
    clock.monotonic += 1000;
    recorder.tick();
  }
  await recorder.flush();
  expect(queue.tally(99)).toMatchObject({ streamsTotal: 2, streams: [{ isClosed: false }, { isClosed: true }] });
  queue.close();
});
