// Six streams, each with two acknowledged chunks, that differ in how far they have come; one has a chunk that waits, too.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Commit } from '../../../../../src-main/model/queue.ts';
import type { Confirmation } from '../../../../../src-main/model/receipt.ts';
import { askFile, emptyCommit, openUntilEnd, reopenAltered } from '../../../../support/rigs/small-queue.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const DAY_MS = 86_400_000;
const [OPEN, WAITING, UNCONFIRMED, DIFFERS, CONFIRMED, LATE] = [1, 2, 3, 4, 5, 6];
const ALL = [OPEN, WAITING, UNCONFIRMED, DIFFERS, CONFIRMED, LATE];
/** Chunks of these streams are settled on day 1, of LATE on day 5. */
const settledMs = (stream: number) => (stream === LATE ? 5 : 1) * DAY_MS;

const filling: Commit = {
  ...{ ...emptyCommit, sequence: 1 },
  streams: ALL.map((id) => {
    const names = { sourceId: 's', period: `p${id}`, nonce: `n${id}`, name: `T s n${id}` };
    return { id, ...names, openedMs: 0, pointsPerChunk: 1, synthSourceId: null };
  }),
  channels: ALL.map((id) => ({ id, streamId: id, name: 'a', unit: '' })),
  changes: ALL.map((id) => {
    const counts = { rowsRead: 2, points: id === WAITING ? 3 : 2, refused: 0 };
    return { id, ...counts, lastReadingMs: 1, pointsPerChunk: null, closedMs: id === OPEN ? null : DAY_MS };
  }),
  chunks: ALL.flatMap((streamId) =>
    [0, 1, 2].slice(0, streamId === WAITING ? 3 : 2).map((index) => {
      const [timesMs, values] = [Float64Array.of(index), Float64Array.of(streamId * 10 + index)];
      return { streamId, channelIds: [streamId], index, rows: 1, timesMs, values };
    }),
  ),
};

/** A queue with these streams; `keptBytes`: what the acknowledged chunks are said to take. */
function filled(keptBytes?: number) {
  const path = join(tempFolder('sweep'), 'q.db');
  let queue = openUntilEnd(path);
  queue.commit(filling);
  for (const id of ALL) {
    for (let times = 0; times < 2; times++) queue.acknowledge(queue.nextChunk(id)?.id ?? 0, settledMs(id));
  }
  const confirm = (id: number, outcome: Confirmation['outcome']) =>
    queue.putConfirmation(id, { atMs: settledMs(id), outcome, pointsCompared: 2, pointsExpected: 2, notes: [] });
  confirm(DIFFERS, 'differs');
  confirm(CONFIRMED, 'confirmed');
  confirm(LATE, 'counted');
  if (keptBytes !== undefined) {
    queue = reopenAltered({ queue, path }, "UPDATE meta SET value = ? WHERE key = 'acknowledged_bytes'", keptBytes);
  }
  /** Streams of which acknowledged chunks are still there. */
  const kept = () =>
    ALL.filter((id) => queue.storedPage(id, 0, 1000).blocks.some(({ state }) => state === 'acknowledged'));
  return { queue, kept, path };
}

test('by age only what was delivered a week ago and confirmed goes', () => {
  const { queue, kept } = filled();
  expect(queue.sweep(8 * DAY_MS)).toBe(0);
  expect(queue.sweep(8 * DAY_MS + 1)).toBe(2);
  expect(kept()).toEqual([OPEN, WAITING, UNCONFIRMED, DIFFERS, LATE]);
  expect(queue.sweep(12 * DAY_MS + 1)).toBe(2);
  expect(queue.sweep(1000 * DAY_MS)).toBe(0);
  expect(kept()).toEqual([OPEN, WAITING, UNCONFIRMED, DIFFERS]);
  queue.putConfirmation(UNCONFIRMED, {
    ...{ atMs: 1, outcome: 'confirmed', pointsCompared: 2, pointsExpected: 2, notes: [] },
  });
  expect(queue.sweep(1000 * DAY_MS)).toBe(2);
  expect(kept()).toEqual([OPEN, WAITING, DIFFERS]);
});

test('what acknowledged chunks take is counted down by just what goes', () => {
  const { queue: first, path } = filled();
  first.close();
  const counted = () => {
    const kept = askFile(path, "SELECT value FROM meta WHERE key = 'acknowledged_bytes'");
    return { kept, found: askFile(path, "SELECT sum(length(data)) FROM chunk WHERE state = 'acknowledged'") };
  };
  const before = counted();
  expect(before.kept).toBe(before.found);
  expect(before.kept).toBeGreaterThan(0);
  const queue = openUntilEnd(path);
  expect(queue.sweep(1000 * DAY_MS)).toBe(4);
  queue.close();
  const after = counted();
  expect(after.kept).toBe(after.found);
  expect(after.kept).toBeLessThan(before.kept as number);
});

test('over the byte cap what is confirmed goes first, then the rest; what waits never goes', () => {
  const { queue, kept } = filled(3 * 1024 ** 3);
  expect(queue.sweep(2 * DAY_MS)).toBe(4);
  expect(kept()).toEqual([OPEN, WAITING, UNCONFIRMED, DIFFERS]);
  expect(queue.sweep(2 * DAY_MS)).toBe(8);
  expect(kept()).toEqual([]);
  expect(queue.sweep(2 * DAY_MS)).toBe(0);
  expect(queue.tally(10)).toMatchObject({ waitingChunks: 1, waitingPoints: 1 });
  expect(queue.nextChunk(WAITING)).toMatchObject({ index: 2 });
});

test('on a full disk all of it gives way, in the same order', () => {
  const { queue, kept } = filled();
  expect(queue.dropAcknowledged()).toBe(4);
  expect(kept()).toEqual([OPEN, WAITING, UNCONFIRMED, DIFFERS]);
  expect(queue.dropAcknowledged()).toBe(8);
  expect(queue.dropAcknowledged()).toBe(0);
  expect(queue.nextChunk(WAITING)).toMatchObject({ index: 2 });
});
