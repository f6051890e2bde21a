// What becomes of a chunk whose answer was lost: the real queue against what a service shows of its series, read by read.
import { expect, test } from 'vitest';
import type { SeriesAnswer, UploadService } from '../../../src-main/upload/ports.ts';
import { settleFirstChunks } from '../../../src-main/upload/settle.ts';
import { asUploadQueue, chunkOf, GA, IN, openSmallQueue } from '../../support/small-queue.ts';

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

/** Settle stream 1. **Gives**: the fault, the chunks that wait afterwards with their channels, and how often it slept. */
async function settle(reads: Shown[], signal = never) {
  const { queue } = openSmallQueue(chunks);
  const { asked, service } = serviceOf(...reads);
  const sleptMs: number[] = [];
  const clock = { nowMs: () => 5000, sleep: async (ms: number) => void sleptMs.push(ms) };
  const { difference: fault, holdsMore } = await settleFirstChunks(
    1,
    'entry',
    { queue: asUploadQueue(queue), service, clock },
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
    { queue: asUploadQueue(queue), service, clock },
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
  expect(await settleFirstChunks(1, 'entry', { queue: asUploadQueue(queue), service, clock }, never)).toEqual(settled);
  expect(queue.nextChunk(1)).toBeNull();
});

test('stops without a word when it is asked to', async () => {
  const shown = { Ga: stored(GA, 0, 1), In: stored(IN, 0, 1) };
  expect(await settle([shown], AbortSignal.abort())).toMatchObject({ fault: null, waits: '0: Ga In', sleptMs: [] });
});
