// What becomes of a chunk whose answer was lost: the real queue against what a service shows of its series, read by read.
import { expect, test } from 'vitest';
import type { SeriesAnswer, UploadService } from '../../../../src-main/delivery/upload/ports.ts';
import { settleWaiting } from '../../../../src-main/delivery/upload/settle.ts';
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

const settled = { kind: 'settled' };

/**
 * Settle stream 1.
 *
 * @returns what was found, the chunk that waits afterwards with its channels, and how often it slept.
 */
async function settle(
  reads: Shown[],
  { signal = never, isReplacing = false, all = chunks, acknowledged = 0, taken = [] as number[] } = {},
) {
  const { queue } = openSmallQueue(all);
  for (let n = 0; n < acknowledged; n++) queue.acknowledge(queue.nextChunk(1)?.id as number, 1);
  const { asked, service } = serviceOf(...reads);
  const sleptMs: number[] = [];
  const clock = { nowMs: () => 5000, sleep: async (ms: number) => void sleptMs.push(ms) };
  const options = { queue: promiseQueue(queue), service, clock, isReplacing, taken };
  const found = await settleWaiting(1, 'entry', options, signal);
  const next = queue.nextChunk(1);
  const waits = next && `${next.index}: ${next.channels.map(({ name }) => name).join(' ')}`;
  return { ...found, waits, asked, sleptMs };
}

test('acknowledges what the service shows; one read is enough where the first that waits is there', async () => {
  const shown = { Ga: stored(GA, 0), In: stored(IN, 0) };
  const { kind, waits, asked } = await settle([shown]);
  expect({ kind, waits }).toEqual({ ...settled, waits: '1: Ga In' });
  expect(asked).toEqual([{ data_id: 'entry', return_null_if_missing: true }]);
  const both = { Ga: stored(GA, 0, 1), In: stored(IN, 0, 1) };
  expect(await settle([both])).toMatchObject({ ...settled, waits: null, sleptMs: [] });
});

test('of a chunk that arrived in part acknowledges the channels that are there, after two equal reads', async () => {
  const { kind, waits, asked } = await settle([{ Ga: stored(GA, 0) }]);
  expect({ kind, waits, reads: asked.length }).toEqual({ ...settled, waits: '0: In', reads: 2 });
  // Sent again whole it takes the place of what is there.
  const replaced = await settle([{ Ga: stored(GA, 0) }], { isReplacing: true });
  expect(replaced).toMatchObject({ ...settled, waits: '0: Ga In', sleptMs: [] });
});

test('a read that shows more than the one before is no second look: it goes on until two are equal', async () => {
  const late = [null, { Ga: stored(GA, 0) }, { Ga: stored(GA, 0), In: stored(IN, 0) }];
  expect(await settle(late)).toMatchObject({ ...settled, waits: '1: Ga In', sleptMs: [1000, 1000] });
});

test('that the first is not there needs two reads, and one where a chunk that is sent again replaces it', async () => {
  expect(await settle([null])).toMatchObject({ ...settled, waits: '0: Ga In', sleptMs: [1000] });
  expect(await settle([null], { isReplacing: true })).toMatchObject({ ...settled, waits: '0: Ga In', sleptMs: [] });
});

test('a read that shows less than was acknowledged before is void, and read again; for a minute', async () => {
  const lagging = Array<Shown>(58).fill({ Ga: [], In: stored(IN, 0) });
  const reads = [null, ...lagging, { Ga: stored(GA, 0, 1), In: stored(IN, 0, 1) }];
  expect(await settle(reads, { acknowledged: 1 })).toMatchObject({ ...settled, waits: null });
});

test('a service that shows less than it acknowledged for a minute has lost it, and what is kept waits again', async () => {
  const lost = { Ga: stored(GA, 0).slice(1), In: stored(IN, 0) };
  const { asked, ...found } = await settle([lost], { acknowledged: 1 });
  expect(found).toMatchObject({ kind: 'less', error: { code: 'upload.service-lost' }, waits: '0: Ga In' });
  expect('error' in found && found.error.message).toContain(
    'lacks points of this stream that it had acknowledged. 4 points in the chunks that it lost are sent again.',
  );
  expect(asked).toHaveLength(61);
});

test('a read that lags in one channel is void before anything is said of another', async () => {
  const altered = [...stored(GA, 0), ...stored(GA, 1).map(([timeMs, value]) => [timeMs, value + 1] as const)];
  const whole = { Ga: stored(GA, 0, 1), In: stored(IN, 0, 1) };
  const found = await settle([{ Ga: altered, In: [] }, whole], { acknowledged: 1 });
  expect(found).toMatchObject({ ...settled, waits: null });
});

test('stops without a word when it is asked to', async () => {
  const shown = { Ga: stored(GA, 0, 1), In: stored(IN, 0, 1) };
  const found = await settle([shown], { signal: AbortSignal.abort() });
  expect(found).toMatchObject({ ...settled, waits: '0: Ga In', sleptMs: [] });
});

test('what stands there and neither was acknowledged nor waits is told after two equal reads, and nothing is acknowledged', async () => {
  const altered: Points = stored(GA, 0).map(([timeMs, value]) => [timeMs, value + 1]);
  for (const [shown, words] of [
    [{ Ga: stored(GA, 0, 1, 2), In: stored(IN, 0, 1) }, '2 points of channel "Ga"'],
    [{ Ga: stored(GA, 0, 1), In: stored(IN, 0, 1), Al: stored(GA, 0) }, '2 points of channel "Al"'],
    [{ Ga: altered, In: stored(IN, 0) }, '2 points of channel "Ga"'],
    [{ Ga: stored(GA, 0).slice(1), In: stored(IN, 0) }, '1 points of channel "Ga"'],
  ] as const) {
    const found = await settle([shown]);
    expect(found).toMatchObject({ kind: 'more', error: { code: 'upload.holds-more' }, waits: '0: Ga In' });
    expect('error' in found && found.error.message).toContain(words);
    expect(found.sleptMs).toEqual([1000]);
  }
});

test('what the service said it took is waited for: a read that does not show it is void, for a minute', async () => {
  const whole = { Ga: stored(GA, 0), In: stored(IN, 0) };
  for (const isReplacing of [false, true]) {
    const late = await settle([null, null, null, whole], { taken: [1], isReplacing });
    expect(late).toMatchObject({ ...settled, waits: '1: Ga In', sleptMs: [1000, 1000, 1000] });
  }
  const never = await settle([null], { taken: [1] });
  expect(never).toMatchObject({ ...settled, waits: '0: Ga In' });
  expect(never.sleptMs.length).toBeGreaterThan(58);
});

test('any chunk that waits may be there, though the first is not', async () => {
  const four = [chunkOf(0, [GA]), chunkOf(1, [GA]), chunkOf(2, [GA]), chunkOf(3, [GA])];
  const found = await settle([{ Ga: stored(GA, 0, 2, 3) }], { all: four });
  expect(found).toMatchObject({ ...settled, waits: '1: Ga' });
});

test('of two chunks with equal points the first counts as there', async () => {
  const same = [chunkOf(0, [GA]), { ...chunkOf(0, [GA]), index: 1 }];
  expect(await settle([{ Ga: stored(GA, 0) }], { all: same })).toMatchObject({ ...settled, waits: '1: Ga' });
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
  const options = { queue: promiseQueue(queue), service, clock, isReplacing: false, taken: [] };
  const said = await settleWaiting(1, 'entry', options, never);
  return { said, asked, waits: queue.nextChunk(1)?.index ?? null };
}

const long = [0, 1, 2, 3, 4, 5, 6, 7].map((index) => chunkOf(index, [GA, IN]));

test('settles a long stream by a window, in which only what was acknowledged inside it is known', async () => {
  expect(await settleLong(long)).toEqual({ said: settled, asked: [WINDOW_MS / 1000], waits: null });
  const { said, asked, waits } = await settleLong(long, long.slice(0, 7));
  expect({ said, waits, asked }).toEqual({ said: settled, waits: 7, asked: [WINDOW_MS / 1000] });
});

test('sees in a window too that more is there, and that points which were acknowledged are gone', async () => {
  const more = [...long, chunkOf(8, [GA, IN])];
  expect(await settleLong(long, more)).toMatchObject({ said: { kind: 'more' }, waits: 6 });
  const lost = long.filter((_, index) => index < 6 && index !== 4);
  expect(await settleLong(long, lost)).toMatchObject({ said: { kind: 'less' }, waits: 4 });
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
