// Rows that are sent before their chunk is full: when, and how the full chunk takes their place.
import { describe, expect, test } from 'vitest';
import { chunkOf, emptyCommit, GA } from '../../../support/rigs/small-queue.ts';
import {
  conflict,
  HOLD_OFF_MS,
  type RigOptions,
  refused,
  rig,
  type ServiceByHand,
} from '../../../support/rigs/stream-upload-rig.ts';

describe('rows that are sent before their chunk is full', () => {
  const open = (rows: number) => ({
    lanes: [{ id: 1, streamId: 1, channelIds: [GA], nextIndex: 1 }],
    openReadings: [{ laneId: 1, rows, ...(({ timesMs, values }) => ({ timesMs, values }))(chunkOf(1, [GA], rows)) }],
  });
  const ahead = (more: RigOptions = {}) => {
    const own = rig({ resend: 'repeat', isOpen: true, chunks: [chunkOf(0, [GA], 4)], ...more });
    const counts = { rowsRead: 0, points: 1, refused: 0, lastReadingMs: null, pointsPerChunk: null, closedMs: null };
    own.queue.commit({ ...emptyCommit, sequence: 2, ...open(1), changes: [{ id: 1, ...counts }] });
    /** The open chunk is full. */
    const fill = (closedMs: number | null = null) => {
      const sealed = [chunkOf(1, [GA], 4)];
      const changes = [{ id: 1, ...counts, points: 3, closedMs }];
      own.queue.commit({ ...emptyCommit, sequence: 3, lanesRemoved: [1], chunks: sealed, changes });
      own.upload.notify();
    };
    return { ...own, fill };
  };
  const sent = ({ bodies }: ServiceByHand) =>
    bodies.map(({ chunk_index, channels }) => `${chunk_index}: ${channels.Ga?.values.length} rows`);

  test('go out a second and a half after they wait, are acknowledged by nothing, and the full chunk takes their place', async () => {
    const { begin, pass, service, tally, told, fill, queue } = ahead();
    await begin(1499);
    expect(sent(service)).toEqual(['0: 4 rows']);
    await pass(1);
    expect(sent(service)).toEqual(['0: 4 rows', '1: 1 rows']);
    expect(tally()).toMatchObject({ pointsAcknowledged: 4 });
    // The same rows are not sent again.
    await pass(60_000);
    expect(sent(service)).toHaveLength(2);
    fill(9);
    await pass();
    expect(sent(service)).toEqual(['0: 4 rows', '1: 1 rows', '1: 4 rows']);
    expect(told()).toMatchObject({ end: true, failures: [] });
    expect(tally()).toMatchObject({ pointsAcknowledged: 8 });
    expect(queue.uploadStream(1)).toMatchObject({ wasSentAhead: true });
  });

  test('what was looked at with a commit before they had to wait is looked at again after it', async () => {
    let looks = 0;
    const { begin, pass, service, upload, fill, told } = ahead({
      calls: (queue) => ({
        nextChunks: (id, count) => {
          looks += 1;
          return queue.nextChunks(id, count);
        },
      }),
    });
    await begin(1000);
    upload.prefetch();
    service.fates.push('request lost');
    await pass(500);
    expect(upload.state).toMatchObject({ kind: 'waiting' });
    // Only a stream that waits for a chunk looks along.
    const before = looks;
    upload.prefetch();
    expect(looks).toBe(before);
    await pass(HOLD_OFF_MS);
    // Then once, and once behind the rows that go out now.
    expect([looks, told().state]).toEqual([before + 2, 'idle']);
    fill(9);
    await pass();
    expect(told().end).toBe(true);
  });

  test('stay here under verify, and of a stream that is closed', async () => {
    const verify = ahead({ resend: 'verify' });
    await verify.begin(60_000);
    expect(sent(verify.service)).toEqual(['0: 4 rows']);
  });

  test('an answer of theirs that is lost: the full chunk waits for the hold-off, since the shorter one could cut it', async () => {
    const { begin, pass, service, upload, fill, told } = ahead();
    await begin(1000);
    service.fates.push('request lost');
    await pass(500);
    expect(upload.state).toMatchObject({ kind: 'waiting', isHoldOff: true, back: 'sending' });
    fill(9);
    await pass(HOLD_OFF_MS - 1);
    expect(sent(service)).toHaveLength(2);
    await pass(1);
    expect(sent(service).slice(2)).toEqual(['1: 4 rows']);
    expect(told().end).toBe(true);
  });

  test('a stop while their answer is missing is on disk: the next start holds off; after the hold-off it need not', async () => {
    for (const [passMs, isUnderWay] of [
      [0, true],
      [HOLD_OFF_MS, false],
    ] as const) {
      const { begin, pass, service, stop, queue } = ahead();
      await begin(1000);
      service.fates.push('request lost');
      await pass(500 + passMs);
      stop.abort();
      await pass();
      expect(queue.uploadStream(1)).toMatchObject({ wasSentAhead: true, isAheadUnderWay: isUnderWay });
    }
  });

  test('refused: none are sent until a full chunk was taken', async () => {
    const { begin, pass, service, queue, fill, told } = ahead();
    await begin(1000);
    service.fates.push(refused);
    await pass(60_000);
    expect(sent(service)).toEqual(['0: 4 rows', '1: 1 rows']);
    expect(told()).toMatchObject({ state: 'idle', failures: ['wire.refused'] });
    expect(queue.refusedChunks(1)).toEqual([]);
    fill();
    await pass();
    expect(sent(service).slice(2)).toEqual(['1: 4 rows']);
    const counts = { rowsRead: 0, points: 1, refused: 0, lastReadingMs: null, pointsPerChunk: null, closedMs: null };
    const { timesMs, values } = chunkOf(2, [GA], 1);
    queue.commit({
      ...{ ...emptyCommit, sequence: 4, changes: [{ id: 1, ...counts }] },
      lanes: [{ id: 2, streamId: 1, channelIds: [GA], nextIndex: 2 }],
      openReadings: [{ laneId: 2, rows: 1, timesMs, values }],
    });
    await pass(1500);
    expect(sent(service).slice(3)).toEqual(['2: 1 rows']);
  });

  test('the hold-off is over, the full chunk is there: the next start need not hold off again', async () => {
    const { begin, pass, service, stop, queue, fill } = ahead();
    await begin(1000);
    service.fates.push('request lost');
    await pass(500);
    fill();
    await pass(HOLD_OFF_MS);
    expect(sent(service).at(-1)).toBe('1: 4 rows');
    stop.abort();
    await pass();
    expect(queue.uploadStream(1)).toMatchObject({ wasSentAhead: true, isAheadUnderWay: false });
  });

  test('a count of theirs that differs holds the stream', async () => {
    const { begin, pass, service, told } = ahead();
    await begin(1000);
    service.fates.push('one point more');
    await pass(3_600_000);
    expect(told()).toEqual({ end: 'runs', state: 'blocked', failures: ['upload.count-differs'] });
    expect(sent(service)).toHaveLength(2);
  });

  test('what is there in their place and was not refused in full holds the stream as well', async () => {
    const { begin, pass, service, told, fill } = ahead();
    await begin(1500);
    service.fates.push(conflict);
    fill(9);
    await pass(3_600_000);
    expect(told()).toEqual({ end: 'runs', state: 'blocked', failures: ['wire.ambiguous', 'upload.count-differs'] });
  });

  test('a stream of which such rows went out once is settled by repeating, whatever the settings say now', async () => {
    const { begin, pass, service, queue, told, commit } = ahead({ resend: 'verify', hasEntry: true });
    queue.setAhead(1, 'settled');
    service.fates.push('answer lost');
    await begin(499);
    expect(sent(service)).toEqual(['0: 4 rows']);
    await pass(1);
    expect(sent(service)).toEqual(['0: 4 rows', '0: 4 rows']);
    expect(service.asked).not.toContain('read');
    expect(told().state).toBe('idle');
    commit(3, []);
  });

  test('a full chunk that is refused after its shorter form arrived is refused, though what is there differs', async () => {
    const { begin, pass, service, queue, fill, told } = ahead();
    await begin(1500);
    expect(sent(service)).toHaveLength(2);
    service.fates.push('request lost', refused, refused);
    fill(9);
    await pass(60_000);
    expect(service.asked.slice(3)).toEqual(['chunk 1 Ga', 'chunk 1 Ga', 'read', 'chunk 1 Ga']);
    expect(queue.refusedChunks(1)).toMatchObject([{ index: 1, rows: 4 }]);
    expect(told().end).toBe(true);
  });
});
