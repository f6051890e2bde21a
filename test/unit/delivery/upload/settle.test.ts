// What becomes of a chunk whose answer was lost: the real queue against what a service shows of its series, read by read.
import { expect, test } from 'vitest';
import type { SeriesAnswer, UploadService } from '../../../../src-main/delivery/upload/ports.ts';
import { settleFirstChunks } from '../../../../src-main/delivery/upload/settle.ts';
import { chunkOf, GA, IN, openSmallQueue, promiseQueue, reopenAltered } from '../../../support/rigs/small-queue.ts';

type Points = readonly (readonly [timeMs: number, value: number])[];
/** What one read shows, by channel; null: the service has no series yet. */
type Shown = Readonly<Record<string, Points>> | null;

const chunks = [chunkOf(0, [GA, IN]), chunkOf(1, [GA, IN])];
const never = new AbortController().signal;

/** The points of the first chunks of a channel, as a sound service shows them. */
const stored = (id: number, ...indices: number[]): Points =>
  indices.flatMap((index) => {
    const { timesMs, values } = chunkOf(index, [id]);
    return [...timesMs].map((timeMs, i) => [timeMs, values[i] as number] as const);
  });

/** A service that shows these series one read after the other, the last one for ever; and what it was asked. */
function serviceOf(...reads: Shown[]) {
  const asked: Parameters<UploadService['readTimeSeries']>[0][] = [];
  const readTimeSeries: UploadService['readTimeSeries'] = async (query) => {
    asked.push(query);
    const shown = reads[Math.min(asked.length, reads.length) - 1] ?? null;
    if (shown === null) return null;
    const series = Object.entries(shown).map(([name, points]): [string, SeriesAnswer] => [
      name,
      { unix_timestamp_ms: points.map(([timeMs]) => timeMs), values: points.map(([, value]) => value) },
    ]);
    return { properties: Object.fromEntries(series) };
  };
  return { asked, service: { readTimeSeries } as UploadService };
}

const settled = { difference: null, holdsMore: false };

/**
 * Settle stream 1.
 *
 * @returns the fault, the chunks that wait afterwards with their channels, and how often it slept.
 */
async function settle(reads: Shown[], signal = never) {
  const { queue } = openSmallQueue(chunks);
  const { asked, service } = serviceOf(...reads);
  const sleptMs: number[] = [];
  const clock = { nowMs: () => 5000, sleep: async (ms: number) => void sleptMs.push(ms) };
  const { difference: fault, holdsMore } = await settleFirstChunks(
    1,
    'entry',
    { queue: promiseQueue(queue), service, clock },
    signal,
  );
  const next = queue.nextChunk(1);
  const waits = next && `${next.index}: ${next.channels.map(({ name }) => name).join(' ')}`;
  return { fault, holdsMore, waits, asked, sleptMs };
}

test('acknowledges what the service shows, and says of the next one that it is not there after two equal reads', async () => {
  const shown = { Ga: stored(GA, 0), In: stored(IN, 0) };
  const { fault, waits, asked, sleptMs } = await settle([shown]);
  expect({ fault, waits }).toEqual({ fault: null, waits: '1: Ga In' });
  expect(asked).toEqual(Array(2).fill({ data_id: 'entry', return_null_if_missing: true }));
  expect(sleptMs).toHaveLength(1);
});

test('acknowledges all that waits when all of it is there', async () => {
  const shown = { Ga: stored(GA, 0, 1), In: stored(IN, 0, 1) };
  expect(await settle([shown])).toMatchObject({ fault: null, waits: null, sleptMs: [] });
});

test('of a chunk that arrived in part acknowledges the channels that are there, after two equal reads', async () => {
  const { fault, waits, asked } = await settle([{ Ga: stored(GA, 0) }]);
  expect({ fault, waits, reads: asked.length }).toEqual({ fault: null, waits: '0: In', reads: 2 });
});

test('a read that shows more than the one before is no second look: it goes on until two are equal', async () => {
  const late = [null, { Ga: stored(GA, 0) }, { Ga: stored(GA, 0), In: stored(IN, 0) }];
  expect(await settle(late)).toMatchObject({ fault: null, waits: '1: Ga In' });
  // The picture of the second chunk needs two reads of its own: what was seen of the first one is no part of it.
  expect((await settle(late)).asked).toHaveLength(4);
});

test('a stream that the service has no series of is not there, which needs two reads as well', async () => {
  expect(await settle([null])).toMatchObject({ fault: null, waits: '0: Ga In', sleptMs: [1000] });
});

test('a read that shows less than was confirmed before is void, and read again; for a minute', async () => {
  const first = { Ga: stored(GA, 0), In: stored(IN, 0) };
  const lagging = Array<Shown>(58).fill({ Ga: [], In: stored(IN, 0) });
  const reads = [first, null, ...lagging, { Ga: stored(GA, 0, 1), In: stored(IN, 0, 1) }];
  expect(await settle(reads)).toMatchObject({ fault: null, waits: null });
});

test('a service that shows less than it confirmed for a minute has lost it: the stream is held, both numbers are told', async () => {
  const { queue } = openSmallQueue(chunks);
  const first = queue.nextChunk(1);
  queue.acknowledge(first?.id as number, 1);
  const { asked, service } = serviceOf({ Ga: stored(GA, 0).slice(1), In: stored(IN, 0) });
  const clock = { nowMs: () => 5000, sleep: async () => {} };
  const { difference: fault } = await settleFirstChunks(
    1,
    'entry',
    { queue: promiseQueue(queue), service, clock },
    never,
  );
  expect(fault).toMatchObject({ code: 'upload.service-lost', retry: 'after-human' });
  expect(fault?.message).toContain('holds 1 points of channel "Ga" and had confirmed 2');
  expect(asked).toHaveLength(60);
  expect(queue.nextChunk(1)?.index).toBe(1);
});

test('holds the stream at once when other points stand there than were sent, and acknowledges nothing', async () => {
  const altered: Points = stored(GA, 0).map(([timeMs, value]) => [timeMs, value + 1]);
  const { fault, waits, asked } = await settle([{ Ga: altered, In: stored(IN, 0) }]);
  expect(fault).toMatchObject({ code: 'upload.count-differs', retry: 'after-human' });
  expect(fault?.message).toContain('channel "Ga", chunk 0: 0 points were confirmed, 2 may have arrived');
  expect(fault?.message).toContain('holds 2.');
  expect({ waits, reads: asked.length }).toEqual({ waits: '0: Ga In', reads: 1 });
});

test('a read that lags in one channel is void before anything is said of another', async () => {
  const { queue } = openSmallQueue(chunks);
  queue.acknowledge(queue.nextChunk(1)?.id as number, 1);
  const altered = [...stored(GA, 0), ...stored(GA, 1).map(([timeMs, value]) => [timeMs, value + 1] as const)];
  const whole = { Ga: stored(GA, 0, 1), In: stored(IN, 0, 1) };
  const { service } = serviceOf({ Ga: altered, In: [] }, whole);
  const clock = { nowMs: () => 5000, sleep: async () => {} };
  expect(await settleFirstChunks(1, 'entry', { queue: promiseQueue(queue), service, clock }, never)).toEqual(settled);
  expect(queue.nextChunk(1)).toBeNull();
});

test('stops without a word when it is asked to', async () => {
  const shown = { Ga: stored(GA, 0, 1), In: stored(IN, 0, 1) };
  expect(await settle([shown], AbortSignal.abort())).toMatchObject({ fault: null, waits: '0: Ga In', sleptMs: [] });
});

test('says that more is there than it can know when a channel holds more than was acknowledged once all is settled', async () => {
  const older = { Ga: stored(GA, 0, 1, 2), In: stored(IN, 0, 1) };
  expect(await settle([older])).toMatchObject({ fault: null, holdsMore: true, waits: null });
  const other = { Ga: stored(GA, 0, 1), In: stored(IN, 0, 1), Al: stored(GA, 0) };
  expect(await settle([other])).toMatchObject({ fault: null, holdsMore: true, waits: null });
  const known = { Ga: stored(GA, 0, 1), In: stored(IN, 0, 1) };
  expect(await settle([known])).toMatchObject({ holdsMore: false });
  expect(await settle([null])).toMatchObject({ holdsMore: false });
});

test('says that more is there when a chunk differs behind one that was found: one request brings no two', async () => {
  const altered = (id: number, index: number): Points => stored(id, index).map(([timeMs]) => [timeMs, -1]);
  const second = { Ga: [...stored(GA, 0), ...altered(GA, 1)], In: stored(IN, 0, 1) };
  const code = 'upload.count-differs';
  expect(await settle([second])).toMatchObject({ fault: { code }, holdsMore: true, waits: '1: Ga In' });
  const first = { Ga: altered(GA, 0), In: stored(IN, 0) };
  expect(await settle([first])).toMatchObject({ fault: { code }, holdsMore: false });
});

test('a service that lost points holds nothing more', async () => {
  const first = { Ga: stored(GA, 0), In: stored(IN, 0) };
  expect(await settle([first, null])).toMatchObject({ fault: { code: 'upload.service-lost' }, holdsMore: false });
});

/** The window of a stream of which six chunks were acknowledged begins half a second before the third of them. */
const WINDOW_MS = 3500;

/**
 * Settle a stream whose first chunks were acknowledged and that counts as a long one, against a service that holds `held`.
 *
 * @returns what was said, from where each read was asked (seconds; null: the whole), the chunk that waits.
 */
async function settleLong(all: readonly ReturnType<typeof chunkOf>[], held = all, acknowledged = 6) {
  const queue = reopenAltered(
    openSmallQueue(all),
    `UPDATE chunk SET state = 'acknowledged' WHERE chunk_index < ${acknowledged};
    UPDATE channel SET acknowledged = (SELECT coalesce(sum(rows), 0) FROM chunk
      WHERE state = 'acknowledged' AND EXISTS (SELECT 1 FROM json_each(channels) WHERE value = channel.id));
    UPDATE stream SET points_acknowledged = 100000`,
  );
  const asked: (number | null)[] = [];
  const readTimeSeries: UploadService['readTimeSeries'] = async ({ elapsed_seconds: elapsed = null }) => {
    asked.push(elapsed);
    const series = (id: number): SeriesAnswer => {
      const points = held.flatMap(({ channelIds, timesMs, values, rows }) => {
        const c = channelIds.indexOf(id);
        return c < 0 ? [] : [...timesMs].map((timeMs, i) => [timeMs, values[c * rows + i] as number] as const);
      });
      const inside = points.filter(([timeMs]) => elapsed === null || timeMs > elapsed * 1000);
      return {
        unix_timestamp_ms: inside.map(([timeMs]) => timeMs),
        relative_time_seconds: inside.map(([timeMs]) => timeMs / 1000),
        values: inside.map(([, value]) => value),
      };
    };
    return { properties: { Ga: series(GA), In: series(IN) } };
  };
  const clock = { nowMs: () => 5000, sleep: async () => {} };
  const service = { readTimeSeries } as UploadService;
  const said = await settleFirstChunks(1, 'entry', { queue: promiseQueue(queue), service, clock }, never);
  return { said, asked, waits: queue.nextChunk(1)?.index ?? null };
}

const long = [0, 1, 2, 3, 4, 5, 6, 7].map((index) => chunkOf(index, [GA, IN]));

test('settles a long stream by a window, in which only what was acknowledged inside it is known', async () => {
  expect(await settleLong(long)).toEqual({ said: settled, asked: [WINDOW_MS / 1000], waits: null });
  const { said, asked, waits } = await settleLong(long, long.slice(0, 7));
  expect({ said, waits, first: asked[0] }).toEqual({ said: settled, waits: 7, first: WINDOW_MS / 1000 });
  expect(asked).not.toContain(null);
});

test('sees in a window too that more is there, and that points which were confirmed are gone', async () => {
  const more = [...long, chunkOf(8, [GA, IN])];
  expect(await settleLong(long, more)).toMatchObject({ said: { difference: null, holdsMore: true }, waits: null });
  const lost = long.filter((_, index) => index < 6 && index !== 4);
  const { said, waits } = await settleLong(long, lost);
  expect(said).toMatchObject({ difference: { code: 'upload.service-lost' }, holdsMore: false });
  expect(said.difference?.message).toContain('holds 6 points of channel "Ga" and had confirmed 8.');
  expect(waits).toBe(6);
});

test('a channel that has no point in the window is known to have none there', async () => {
  const begun = long.map((chunk, index) => (index < 6 ? chunkOf(index, [GA]) : chunk));
  expect(await settleLong(begun)).toMatchObject({ said: settled, waits: null });
});

test.each([
  ['before it', WINDOW_MS - 1000],
  ['at its very edge', WINDOW_MS + 2],
])('reads the whole where one stamp of a chunk lies in the window and another %s', async (_, timeMs) => {
  const across = long.map((chunk, index) =>
    index === 6 ? { ...chunk, timesMs: chunk.timesMs.with(0, timeMs) } : chunk,
  );
  const { asked, ...found } = await settleLong(across);
  expect(asked).toEqual([WINDOW_MS / 1000, null]);
  expect(found).toEqual({ said: settled, waits: null });
});

test('goes on by the window where the stamps of a chunk lie just inside it', async () => {
  const timesMs = Float64Array.of(WINDOW_MS + 2.5, WINDOW_MS + 3);
  const inside = long.map((chunk, index) => (index === 6 ? { ...chunk, timesMs } : chunk));
  expect(await settleLong(inside)).toEqual({ said: settled, asked: [WINDOW_MS / 1000], waits: null });
});

test('reads the whole once more chunks were found than are counted for a window', async () => {
  // Stamps that go back from chunk to chunk: the window that begins before the last of them holds all but the first.
  const many = Array.from({ length: 503 }, (_, index) => chunkOf(index, [GA, IN])).map((chunk, index) =>
    index === 0 || index > 499
      ? chunk
      : { ...chunk, timesMs: Float64Array.of(900_000 - 1000 * index, 900_001 - 1000 * index) },
  );
  const { said, asked, waits } = await settleLong(many, many.slice(0, 502), 500);
  expect({ said, waits }).toEqual({ said: settled, waits: 502 });
  expect(asked).toEqual([400.5, null, null]);
});

test('chunks that went out side by side: those behind may be there though the first is not, and that is no more than is known', async () => {
  const { queue } = openSmallQueue([chunkOf(0, [GA]), chunkOf(1, [GA]), chunkOf(2, [GA]), chunkOf(3, [GA])]);
  queue.noteBurst([1, 2, 3]);
  const { service } = serviceOf({ Ga: stored(GA, 0, 2) });
  const clock = { nowMs: () => 5000, sleep: async () => {} };
  const options = { queue: promiseQueue(queue), service, clock };
  expect(await settleFirstChunks(1, 'entry', options, never)).toEqual(settled);
  expect(queue.nextChunk(1)).toMatchObject({ index: 1, isOfBurst: true });
  const more = serviceOf({ Ga: stored(GA, 0, 2, 3) });
  expect(await settleFirstChunks(1, 'entry', { ...options, service: more.service }, never)).toMatchObject({
    difference: { code: 'upload.count-differs', message: expect.stringContaining('4 may have arrived') },
  });
});
