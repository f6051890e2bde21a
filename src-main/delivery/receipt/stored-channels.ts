// One pass over the stored points of a stream, all channels at once: what of each is kept here, as hashes of its columns
// in the order in which they were sent. Memory grows with the number of channels, not of points (a long channel leaves
// one stamp in SAMPLE_EVERY, to be cut into windows by).
import type { ChannelFacts, StoredBlock, StoredPage } from '../../model/receipt.ts';
import { ColumnDigest, TO_WHOLE_MS } from './column-digest.ts';
import { SAMPLE_EVERY, WINDOW_POINTS } from './windows.ts';

/** Points that are asked of the store at once. */
const PAGE_POINTS = 100_000;

/** What it needs of the store. */
export interface PagedStore {
  storedPage(streamId: number, after: number, maxPoints: number): Promise<StoredPage>;
}

/**
 * Look at a stream's acknowledged blocks one after the other, in the order in which they were sent. Takes who looks; it runs
 * at once.
 *
 * @throws those of the store.
 */
export async function eachAcknowledged(
  streamId: number,
  store: PagedStore,
  signal: AbortSignal,
  look: (block: StoredBlock) => void,
): Promise<void> {
  for (let after: number | null = 0; after !== null && !signal.aborted; ) {
    const page: StoredPage = await store.storedPage(streamId, after, PAGE_POINTS);
    for (const block of page.blocks) if (block.state === 'acknowledged') look(block);
    after = page.next;
  }
}

/** Spread evenly over the sequence, whatever repeats in it. */
const isSampled = (at: number) => Math.imul(at + 1, 0x9e3779b1) >>> 0 < 2 ** 32 / SAMPLE_EVERY;

/** The acknowledged points of a channel, as far as they are kept here. */
export class StoredChannel {
  readonly facts: ChannelFacts;
  points = 0;
  /** Some of its stamps, of a channel that is longer than a window. */
  readonly samplesMs: number[] = [];
  readonly values = new ColumnDigest();
  /** One for each way of `TO_WHOLE_MS`. */
  readonly times = TO_WHOLE_MS.map(() => new ColumnDigest());

  constructor(facts: ChannelFacts) {
    this.facts = facts;
  }

  add(timesMs: Float64Array, wholeMs: readonly Float64Array[], values: Float64Array): void {
    this.values.add(values);
    for (const [way, digest] of this.times.entries()) digest.add(wholeMs[way] as Float64Array);
    if (this.facts.acknowledged > WINDOW_POINTS) {
      for (let at = 0; at < timesMs.length; at++) {
        if (isSampled(this.points + at)) this.samplesMs.push(timesMs[at] as number);
      }
    }
    this.points += timesMs.length;
  }
}

/**
 * Read what is kept here of a stream.
 *
 * @returns each of the channels given.
 * @throws those of the store.
 */
export async function readStoredChannels(
  streamId: number,
  channels: readonly ChannelFacts[],
  store: PagedStore,
  signal: AbortSignal,
): Promise<StoredChannel[]> {
  const stored = new Map(channels.map((facts) => [facts.id, new StoredChannel(facts)]));
  await eachAcknowledged(streamId, store, signal, ({ timesMs, rows, channelIds, values }) => {
    const own = timesMs.subarray(0, rows);
    const wholeMs = TO_WHOLE_MS.map((toWhole) => own.map(toWhole));
    for (const [c, id] of channelIds.entries()) {
      stored.get(id)?.add(own, wholeMs, values.subarray(c * rows, (c + 1) * rows));
    }
  });
  return [...stored.values()];
}
