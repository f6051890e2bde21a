// Where in time a loss lies is told by the stamps of the readings, which may be years older than the wall time at which the
// queue took them.
import { expect, test } from 'vitest';
import { salvageQueue } from '../../../../../src-main/queue/store/repair/salvage.ts';
import {
  alterFile,
  chunkOf,
  emptyCommit,
  GA,
  IN,
  openSmallQueue,
  openUntilEnd,
  reopenAltered,
} from '../../../../support/rigs/small-queue.ts';

const OPENED_MS = 1e12;

test('commits that are missing are a gap of each stream that took readings, from its own last one on', () => {
  const { queue, path } = openSmallQueue([chunkOf(0, [GA, IN])]);
  queue.close();
  alterFile(
    path,
    `UPDATE stream SET last_reading_ms = 5000;
    INSERT INTO stream (id, source, period, nonce, name, opened_ms, last_reading_ms, points_per_chunk)
      VALUES (2, 's', 'live', 'm', 'T s m', ${OPENED_MS}, ${OPENED_MS + 7}, 2)`,
  );
  const entry = {
    state: 'open',
    queueId: 'a'.repeat(32),
    sequence: 9,
    atMs: OPENED_MS + 99,
    walSalt: null,
    sinceMs: null,
  } as const;
  salvageQueue(path, { why: 'test', hasForeignWal: false }, entry, OPENED_MS + 1e6);
  const salvaged = openUntilEnd(path);
  const gaps = salvaged.listGaps(9).filter(({ cause }) => cause === 'test');
  expect(gaps.map(({ fromMs, toMs }) => [fromMs, toMs]).sort()).toEqual([
    [OPENED_MS + 7, OPENED_MS + 99],
    [5000, OPENED_MS + 99],
  ]);
});

test('readings that the disk altered before they were sent are a gap from the first reading on', () => {
  const own = openSmallQueue([]);
  own.queue.commit({
    ...emptyCommit,
    sequence: 2,
    lanes: [{ id: 1, streamId: 1, channelIds: [GA], nextIndex: 0 }],
    openReadings: [{ laneId: 1, rows: 2, timesMs: Float64Array.of(3000, 4000), values: Float64Array.of(1, 2) }],
    changes: [
      {
        ...{ id: 1, rowsRead: 2, points: 2, refused: 0, pointsPerChunk: null, closedMs: null },
        ...{ firstReadingMs: 3000, lastReadingMs: 4000 },
      },
    ],
  });
  const opened = reopenAltered(
    own,
    `UPDATE stream SET opened_ms = ${OPENED_MS}; UPDATE open_readings SET crc = crc + 1`,
  );
  opened.load();
  expect(opened.listGaps(9)).toMatchObject([{ fromMs: 3000, toMs: 4000 }]);
});
