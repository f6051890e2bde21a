// Refused chunks that are sent again, in their place or in a new stream.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeReceipt } from '../../../../../src-main/delivery/receipt/receipt.ts';
import { receiptText } from '../../../../../src-main/delivery/receipt/receipt-words.ts';
import type { StreamFacts } from '../../../../../src-main/model/receipt.ts';
import type { Correction, RefusedSelection } from '../../../../../src-main/model/resend.ts';
import type { Queue } from '../../../../../src-main/queue/store/queue.ts';
import {
  chunkOf,
  GA,
  IN,
  openSmallQueue,
  pointValue,
  reopenAltered,
  standingValues,
} from '../../../../support/rigs/small-queue.ts';
import { walks } from '../../../../support/run/effort.ts';

const all: RefusedSelection = { streamId: 1, chunkIds: null, channel: null };
const asItIs: Correction = { pointsPerChunk: null, unit: null, rename: null };
const code = (code: string) => expect.objectContaining({ code });

/** Send everything that waits of a stream; what holds a channel that is refused is split, and that channel refused. */
function send(queue: Queue, streamId: number, isRefused: (name: string) => boolean): string[] {
  const out: string[] = [];
  for (let next = queue.nextChunk(streamId); next; next = queue.nextChunk(streamId)) {
    const names = next.channels.map(({ name }) => name);
    if (!names.some(isRefused)) {
      out.push(`${next.index}:${names.join('+')}`);
      queue.acknowledge(next.id, 50);
    } else if (names.length > 1) queue.split(next.id);
    else queue.refuse(next.id, 50, `no ${names[0]}`);
  }
  return out;
}

const isGa = (name: string) => name === 'Ga';
const nobody = () => false;

/** A delivered stream of three chunks whose channel Ga was refused. */
function refusedGa() {
  const own = openSmallQueue([chunkOf(0, [GA, IN]), chunkOf(1, [GA, IN]), chunkOf(2, [GA, IN])], true);
  send(own.queue, 1, isGa);
  return own;
}

const asNew = (queue: Queue, correction: Partial<Correction> = {}, selection: Partial<RefusedSelection> = {}) => {
  const last = queue.lastIds();
  const ids = { stream: last.stream + 1, firstChannel: last.channel + 1, channels: 2 };
  return queue.sendAsNew({ ...all, ...selection }, { ...asItIs, ...correction }, ids, `nonce${ids.stream}`, 777);
};

/** Points of a stream by channel name, in the order in which they were sealed, with their state. */
function pointsOf(queue: Queue, streamId: number) {
  const names = new Map(queue.streamFacts(streamId)?.channels.map(({ id, name }) => [id, name]));
  const points: { channel: string; timeMs: number; value: number; state: string }[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page = queue.storedPage(streamId, after, 1000);
    for (const { channelIds, rows, timesMs, values, state } of page.blocks) {
      for (const [c, id] of channelIds.entries()) {
        for (let i = 0; i < rows; i++) {
          const [timeMs, value] = [timesMs[i] as number, values[c * rows + i] as number];
          points.push({ channel: names.get(id) ?? '?', timeMs, value, state });
        }
      }
    }
    after = page.next;
  }
  return points;
}

function expectSums(queue: Queue): void {
  for (const { id, pointsStored, pointsAcknowledged, pointsRefused, pointsResent } of queue.tally(100).streams) {
    const facts = queue.streamFacts(id);
    const sum = (key: 'acknowledged' | 'refused' | 'waiting' | 'open') =>
      facts?.channels.reduce((total, channel) => total + channel[key], 0);
    const total = (sum('acknowledged') ?? 0) + (sum('refused') ?? 0) + (sum('waiting') ?? 0) + (sum('open') ?? 0);
    expect([sum('acknowledged'), sum('refused'), total]).toEqual([pointsAcknowledged, pointsRefused, pointsStored]);
    const resent = queue.refusedChunks(id).filter(({ resentIn }) => resentIn !== null);
    const width = (channel: string) => channel.split(', ').length;
    expect(resent.reduce((points, { rows, channel }) => points + rows * width(channel), 0)).toBe(pointsResent);
  }
}

describe('as it is', () => {
  test('the refused chunks wait again in their place, the stream is not delivered and not confirmed any more', () => {
    const { queue } = refusedGa();
    const atMs = 60;
    queue.putConfirmation(1, { atMs, outcome: 'confirmed', pointsCompared: 6, pointsExpected: 6, notes: [] });
    const before = pointsOf(queue, 1).map(({ channel, value }) => [channel, value]);
    expect(queue.streamFacts(1)).toMatchObject({ tally: { isDelivered: true, pointsRefused: 6 } });
    expect(queue.streamFacts(1)?.confirmation?.outcome).toBe('confirmed');

    expect(queue.sendAgain(all)).toMatchObject({ chunks: 3, points: 6, stream: null, left: 0, damaged: 0 });
    expect(queue.streamFacts(1)).toMatchObject({
      tally: { isDelivered: false, pointsRefused: 0, chunksWaiting: 3 },
      confirmation: null,
    });
    expect(queue.tally(1).waitingPoints).toBe(6);
    expect(queue.uploadStreams().map(({ id }) => id)).toEqual([1]);
    expect(pointsOf(queue, 1).map(({ channel, value }) => [channel, value])).toEqual(before);
    expectSums(queue);
    expect(send(queue, 1, nobody)).toEqual(['0:Ga', '1:Ga', '2:Ga']);
    expect(queue.streamFacts(1)).toMatchObject({ tally: { isDelivered: true, pointsAcknowledged: 12 } });
  });

  test('the total to be answered counts what was acknowledged of the channel meanwhile', () => {
    const { queue } = openSmallQueue([chunkOf(0, [GA]), chunkOf(1, [GA]), chunkOf(2, [GA])]);
    queue.refuse(queue.nextChunk(1)?.id ?? 0, 1, 'no');
    send(queue, 1, nobody);
    queue.sendAgain(all);
    expect(queue.nextChunk(1)).toMatchObject({ index: 0, channels: [{ acknowledged: 4 }] });
  });

  test('asking twice sends once', () => {
    const { queue } = refusedGa();
    queue.sendAgain(all);
    const chunkIds = [queue.nextChunk(1)?.id ?? 0];
    expect(queue.sendAgain(all)).toMatchObject({ chunks: 0, points: 0 });
    expect(queue.sendAgain({ ...all, chunkIds })).toMatchObject({ chunks: 0, settled: 1 });
    expectSums(queue);
    expect(send(queue, 1, nobody)).toHaveLength(3);
    expect(queue.sendAgain(all)).toMatchObject({ chunks: 0, points: 0 });
    expect(queue.tally(1).streams[0]).toMatchObject({ isDelivered: true, chunksWaiting: 0 });
  });

  test('the chunk that waits first may be on its way: nothing gets ahead of it, and all others come after', () => {
    const { queue } = openSmallQueue([chunkOf(0, [GA]), chunkOf(1, [GA]), chunkOf(2, [GA]), chunkOf(3, [GA])]);
    for (const words of ['no', 'never']) queue.refuse(queue.nextChunk(1)?.id ?? 0, 1, words);
    const [first, second] = queue.refusedChunks(1).map(({ id }) => id);
    const order = () => {
      const seen = queue.nextChunk(1)?.index;
      queue.acknowledge(queue.nextChunk(1)?.id ?? 0, 2);
      return seen;
    };
    queue.sendAgain({ ...all, chunkIds: [second ?? 0] });
    expect(order()).toBe(2);
    expect(queue.nextChunk(1)?.index).toBe(1);
    queue.sendAgain({ ...all, chunkIds: [first ?? 0] });
    expect([order(), order(), order()]).toEqual([1, 0, 3]);
    expect(queue.nextChunk(1)).toBeNull();
    expect(pointsOf(queue, 1).map(({ timeMs }) => timeMs / 1000)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  test('only the named ones, by chunk or by channel; a name that does not exist is reported and changes nothing', () => {
    const { queue } = openSmallQueue([chunkOf(0, [GA, IN]), chunkOf(1, [GA, IN])], true);
    send(queue, 1, () => true);
    const refused = queue.refusedChunks(1);
    expect(refused.map(({ channel, index, rows, words, resentIn }) => [channel, index, rows, words, resentIn])).toEqual(
      [
        ['Ga', 0, 2, 'no Ga', null],
        ['In', 0, 2, 'no In', null],
        ['Ga', 1, 2, 'no Ga', null],
        ['In', 1, 2, 'no In', null],
      ],
    );
    expect(refused[2]).toMatchObject({ firstMs: 2000, lastMs: 3000 });
    for (const [wrong, fault] of [
      [{ ...all, streamId: 9 }, 'resend.unknown-stream'],
      [{ ...all, chunkIds: [refused[0]?.id ?? 0, 999] }, 'resend.unknown-chunk'],
      [{ ...all, channel: 'As' }, 'resend.unknown-channel'],
    ] as const) {
      expect(() => queue.sendAgain(wrong)).toThrow(code(fault));
      expect(() => asNew(queue, {}, wrong)).toThrow(code(fault));
    }
    expect(() => queue.refusedChunks(9)).toThrow(code('resend.unknown-stream'));
    expect(queue.tally(1).streams[0]).toMatchObject({ isDelivered: true, pointsRefused: 8 });
    expect(queue.sendAgain({ ...all, channel: 'In' })).toMatchObject({ chunks: 2, points: 4 });
    expect(queue.sendAgain({ ...all, chunkIds: [refused[2]?.id ?? 0] })).toMatchObject({
      ...{ chunks: 1, points: 2, settled: 0 },
    });
    expect(queue.refusedChunks(1).map(({ channel, index }) => [channel, index])).toEqual([['Ga', 0]]);
    expectSums(queue);
  });

  test('a chunk that the disk altered stays', () => {
    const own = refusedGa();
    const damaged = own.queue.refusedChunks(1)[1]?.id;
    const again = reopenAltered(own, 'UPDATE chunk SET data = zeroblob(length(data)) WHERE id = ?', damaged);
    expect(again.sendAgain(all)).toMatchObject({ chunks: 2, points: 4, damaged: 1 });
    expect(send(again, 1, nobody)).toEqual(['0:Ga', '2:Ga']);
    expect(again.listGaps(10)).toEqual([]);
    expectSums(again);
  });

  test.each(['again', 'as new'])('so does one of which it altered how many rows it has: %s', (how) => {
    const reopened = reopenAltered(
      refusedGa(),
      "UPDATE chunk SET rows = 1 WHERE chunk_index = 1 AND state = 'refused'",
    );
    const sent = how === 'again' ? reopened.sendAgain(all) : asNew(reopened);
    expect(sent).toMatchObject({ chunks: 2, points: 4, damaged: 1 });
  });

  test('a stream that has ended on the service takes nothing more: told, with the other way', () => {
    const again = reopenAltered(refusedGa(), "UPDATE stream SET finalize = 'done'");
    const hint = expect.stringContaining('epistream resend --stream 1 --points-per-chunk 2');
    expect(() => again.sendAgain(all)).toThrow(expect.objectContaining({ code: 'resend.ended', hint }));
    expect(again.tally(1).streams[0]).toMatchObject({ isDelivered: true, pointsRefused: 6 });
    expect(asNew(again)).toMatchObject({ points: 6, stream: { id: 2 } });
    expect(again.sendAgain(all)).toMatchObject({ chunks: 0, resentIn: [2] });
  });

  test('one call takes a thousand chunks and returns the number left', () => {
    const { queue } = openSmallQueue(
      Array.from({ length: 1100 }, (_, k) => chunkOf(k, [GA], 1)),
      true,
    );
    send(queue, 1, isGa);
    expect(queue.sendAgain(all)).toMatchObject({ chunks: 1000, points: 1000, left: 100 });
    expect(asNew(queue)).toMatchObject({ chunks: 100, points: 100, left: 0 });
    expectSums(queue);
  });
});

describe('as a new stream', () => {
  test('it holds the same points bit for bit, in new chunks, closed, in the same source', () => {
    const chunks = Array.from({ length: 7 }, (_, k) => chunkOf(k, [GA, IN], 10));
    const { queue } = openSmallQueue(chunks, true);
    send(queue, 1, isGa);
    const sent = asNew(queue, { pointsPerChunk: 3 });
    expect(sent).toMatchObject({ chunks: 7, points: 70, stream: { id: 2, name: 'T s n, corrected part nonce2' } });
    expect(pointsOf(queue, 2)).toEqual(
      Array.from({ length: 70 }, (_, n) => ({
        channel: 'Ga',
        timeMs: n * 1000,
        value: pointValue(GA, n),
        state: 'waiting',
      })),
    );
    expect(queue.uploadStream(2)).toMatchObject({
      sourceId: 's',
      nonce: 'nonce2',
      pointsPerChunk: 3,
      synthSourceId: 7,
      isClosed: true,
      dataId: null,
    });
    expect(queue.streamFacts(2)).toMatchObject({
      period: 'p',
      closedMs: 777,
      firstReadingMs: 0,
      channels: [{ name: 'Ga', unit: '°C' }],
    });
    const rows: number[] = [];
    for (let next = queue.nextChunk(2); next; next = queue.nextChunk(2)) {
      expect(next.index).toBe(rows.length);
      rows.push(next.rows);
      queue.acknowledge(next.id, 60);
    }
    expect(rows).toEqual([...Array(23).fill(3), 1]);
    expect(queue.streamFacts(2)?.tally).toMatchObject({ isDelivered: true, pointsAcknowledged: 70 });
    expectSums(queue);
  });

  test('what is copied stays refused, is marked, and is never sent a second time in either way', () => {
    const { queue } = refusedGa();
    asNew(queue);
    const { streams } = queue.tally(10);
    expect(streams.find(({ id }) => id === 1)).toMatchObject({
      isDelivered: true,
      pointsRefused: 6,
      pointsResent: 6,
      chunksWaiting: 0,
    });
    expect(queue.refusedChunks(1).map(({ resentIn, words }) => [resentIn, words])).toEqual(Array(3).fill([2, 'no Ga']));
    expect(queue.streamFacts(1)?.refusedChunks.map(({ resentIn }) => resentIn)).toEqual([2, 2, 2]);
    expect(asNew(queue)).toMatchObject({ chunks: 0, stream: null, resentIn: [2] });
    expect(queue.sendAgain(all)).toMatchObject({ chunks: 0, resentIn: [2] });
    expect(queue.lastIds()).toEqual({ stream: 2, channel: 3 });
    expectSums(queue);
  });

  test('one channel takes another unit and another name, the others stay where they are', () => {
    const { queue } = openSmallQueue([chunkOf(0, [GA, IN]), chunkOf(1, [GA, IN])], true);
    send(queue, 1, () => true);
    asNew(queue, { unit: 'K', rename: 'Ga cell' }, { channel: 'Ga' });
    expect(queue.streamFacts(2)?.channels).toMatchObject([{ name: 'Ga cell', unit: 'K', waiting: 4 }]);
    expect(queue.refusedChunks(1).map(({ channel, resentIn }) => [channel, resentIn])).toEqual([
      ['Ga', 2],
      ['In', null],
      ['Ga', 2],
      ['In', null],
    ]);
    asNew(queue, { unit: '' }, { channel: 'Ga' });
    expect(asNew(queue).stream?.id).toBe(3);
    expect(queue.streamFacts(3)?.channels).toMatchObject([{ name: 'In', unit: '', waiting: 4 }]);
    expectSums(queue);
  });

  test('one call makes some thousand chunks and returns the number left', () => {
    const chunks = Array.from({ length: 8 }, (_, k) => chunkOf(k, [GA], 1000));
    const refused = () => {
      const { queue } = openSmallQueue(chunks, true);
      send(queue, 1, isGa);
      return queue;
    };
    const queue = refused();
    expect(asNew(queue, { pointsPerChunk: 1 })).toMatchObject({ chunks: 5, points: 5000, left: 3, stream: { id: 2 } });
    expect(asNew(queue, { pointsPerChunk: 1 })).toMatchObject({ chunks: 3, points: 3000, left: 0, stream: { id: 3 } });
    expectSums(queue);
    // Larger chunks are fewer: one call takes more of them.
    const other = refused();
    expect(asNew(other, { pointsPerChunk: 2 })).toMatchObject({ chunks: 8, points: 8000, left: 0 });
  });

  test('a chunk that was refused whole gives each channel its own points, in the order of the channels', () => {
    const { queue } = openSmallQueue([chunkOf(0, [IN], 3), chunkOf(1, [IN, GA], 3), chunkOf(0, [GA], 3)], true);
    for (let i = 0; i < 3; i++) queue.refuse(queue.nextChunk(1)?.id ?? 0, 1, 'no');
    const again = openSmallQueue([chunkOf(0, [GA, IN], 3)], true).queue;
    again.refuse(again.nextChunk(1)?.id ?? 0, 1, 'no');
    expect(again.sendAgain(all)).toMatchObject({ chunks: 1, points: 6 });
    expectSums(again);

    expect(asNew(queue, { pointsPerChunk: 4 })).toMatchObject({ chunks: 3, points: 12 });
    const valuesOf = (id: number) => Array.from({ length: 6 }, (_, n) => pointValue(id, n));
    const values = (name: string) =>
      pointsOf(queue, 2).flatMap(({ channel, value }) => (channel === name ? [value] : []));
    expect(values('In')).toEqual(valuesOf(IN));
    expect(values('Ga').toSorted((p, q) => p - q)).toEqual(valuesOf(GA));
    expect(queue.streamFacts(2)?.channels).toMatchObject([
      { id: 3, name: 'Ga' },
      { id: 4, name: 'In' },
    ]);
    for (const { rows, values } of queue.storedPage(2, 0, 1000).blocks) expect(values).toHaveLength(rows);
    expectSums(queue);
  });

  test('as many ids as it has channels are enough; with fewer nothing is changed', () => {
    const { queue } = openSmallQueue([chunkOf(0, [GA, IN])], true);
    send(queue, 1, () => true);
    const ids = { stream: 2, firstChannel: 3, channels: 1 };
    expect(() => queue.sendAsNew(all, asItIs, ids, 'm', 1)).toThrow('2 channels, 1 ids');
    expect([queue.lastIds(), queue.tally(9).streamsTotal]).toEqual([{ stream: 1, channel: 2 }, 1]);
    expect(queue.sendAsNew(all, asItIs, { ...ids, channels: 2 }, 'm', 1)).toMatchObject({ points: 4 });
  });

  test('both receipts say so: whose points it takes, and how they stand there when they are refused again', () => {
    const { queue } = openSmallQueue([chunkOf(0, [GA]), chunkOf(1, [GA])], true);
    send(queue, 1, isGa);
    expect(queue.streamFacts(1)).toMatchObject({ correctionOf: [], corrections: [] });
    asNew(queue);
    const corrected = { stream: 2, name: 'T s n, corrected part nonce2', points: 4 };
    expect(queue.streamFacts(1)).toMatchObject({ corrections: [{ ...corrected, acknowledged: 0, refused: 0 }] });
    expect(queue.streamFacts(2)).toMatchObject({ correctionOf: [1], corrections: [] });
    send(queue, 2, isGa);
    expect(queue.streamFacts(1)?.corrections).toEqual([{ ...corrected, acknowledged: 0, refused: 4 }]);
    const receipt = makeReceipt(queue.streamFacts(1) as StreamFacts, 1, '1');
    const text = receiptText(receipt);
    expect(text).toContain('4 of them were sent again in another stream and 4 of these were refused again');
    expect(text).toContain(
      'sent again in stream 2, "T s n, corrected part nonce2": 0 of 4 points acknowledged, 4 refused again',
    );
  });

  test('of a long name so much stays that the new one is no longer than names may be, and no letter is cut in two', () => {
    const again = reopenAltered(
      refusedGa(),
      'UPDATE stream SET name = ?',
      `${'x'.repeat(199)}\u{1F600}${'y'.repeat(50)}`,
    );
    expect(asNew(again).stream?.name).toBe(`${'x'.repeat(199)}\uFFFD, corrected part nonce2`);
  });

  test('a plot draws no point twice', () => {
    const { queue } = refusedGa();
    const before = queue.readPoints('s', 'Ga', 0, 99_999);
    asNew(queue);
    expect(queue.readPoints('s', 'Ga', 0, 99_999)).toEqual(before);
  });

  test('ids that are taken already change nothing', () => {
    const { queue } = refusedGa();
    const ids = { stream: 1, firstChannel: 9, channels: 2 };
    expect(() => queue.sendAsNew(all, asItIs, ids, 'm', 1)).toThrow(code('store.fault'));
    expect(() => queue.sendAsNew(all, asItIs, { ...ids, stream: 2, firstChannel: 1 }, 'm', 1)).toThrow();
    expect(() => queue.sendAsNew(all, asItIs, { ...ids, stream: 2 }, 'n', 1)).toThrow();
    expect(queue.tally(10)).toMatchObject({ streamsTotal: 1, waitingPoints: 0 });
    expect(queue.refusedChunks(1).every(({ resentIn }) => resentIn === null)).toBe(true);
    expect(asNew(queue).points).toBe(6);
  });

  test('tells the service that the stream has ended once no refused points are left in it', () => {
    const { queue } = refusedGa();
    queue.setInitialized(1, { dataId: 'd', processedDataId: '', service: 'x', isToFinalize: true });
    expect(queue.streamToFinalize(1)).toBeNull();
    asNew(queue);
    expect(queue.streamToFinalize(1)).toEqual({ dataId: 'd', service: 'x' });
  });
});

test('a read-back that was overtaken by sending again is not noted', () => {
  const { queue } = refusedGa();
  const found = { atMs: 1, outcome: 'confirmed', pointsCompared: 6, pointsExpected: 6, notes: [] } as const;
  queue.sendAgain(all);
  queue.putConfirmation(1, found);
  expect(queue.streamFacts(1)?.confirmation).toBeNull();
  send(queue, 1, nobody);
  queue.putConfirmation(1, found);
  expect(queue.streamFacts(1)?.confirmation).toBeNull();
  queue.putConfirmation(1, { ...found, pointsCompared: 12, pointsExpected: 12 });
  expect(queue.streamFacts(1)?.confirmation).toMatchObject({ pointsCompared: 12 });
});

test('whatever is refused, sent again and copied in whatever order, each point is there once and all sums hold', () => {
  const step = fc.record({
    does: fc.constantFrom('send', 'split', 'refuse', 'again', 'again one', 'new', 'new of one channel'),
    streamId: fc.integer({ min: 1, max: 4 }),
    pointsPerChunk: fc.integer({ min: 1, max: 7 }),
    at: fc.nat(20),
  });
  const chunks = Array.from({ length: 6 }, (_, k) =>
    k % 2 === 0 ? [chunkOf(k, [GA, IN], 3)] : [chunkOf(k, [GA], 3), chunkOf(k, [IN], 3)],
  ).flat();
  const truth = [GA, IN].flatMap((channel) => Array.from({ length: 18 }, (_, n) => pointValue(channel, n)));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const { queue, path } = openSmallQueue(chunks, true);
      for (const { does, streamId, pointsPerChunk, at } of steps) {
        if (streamId > queue.lastIds().stream) continue;
        const next = queue.nextChunk(streamId);
        const refused = queue.refusedChunks(streamId);
        const one = refused[at % Math.max(1, refused.length)];
        const channel = queue.streamFacts(streamId)?.channels[0]?.name ?? null;
        if (does === 'send' && next) queue.acknowledge(next.id, 50);
        if (does === 'split' && next) queue.split(next.id);
        if (does === 'refuse' && next) queue.refuse(next.id, 50, 'no');
        if (does === 'again') queue.sendAgain({ ...all, streamId });
        if (does === 'again one' && one) queue.sendAgain({ ...all, streamId, chunkIds: [one.id] });
        if (does === 'new') asNew(queue, { pointsPerChunk }, { streamId });
        if (does === 'new of one channel') asNew(queue, { pointsPerChunk }, { streamId, channel });
      }
      expectSums(queue);
      queue.close();
      expect(standingValues(path)).toEqual(truth);
    }),
    walks(30),
  );
});
