// The newest stored value of each channel, for `status --json`: a look from outside at whether the right numbers come.
import type { Store } from '../../queue/store/store.ts';

/** Streams and channels that are looked at. */
const STREAMS_MAX = 50;
const CHANNELS_MAX = 500;
/** A channel whose newest point is so much older than that of its source has no value now, milliseconds. */
const RECENT_MS = 60_000;

/** A channel, its unit, and its newest value; null where none is recent. */
export interface NewestValue {
  readonly sourceId: string;
  readonly channel: string;
  readonly unit: string;
  readonly value: number | null;
  readonly timeMs: number | null;
}

/**
 * Read the newest value of each channel of the newest streams.
 *
 * @throws those of the store.
 */
export async function readNewestValues(
  store: Pick<Store, 'tally' | 'listChannels' | 'readPoints'>,
): Promise<NewestValue[]> {
  const newestMs = new Map<string, number>();
  for (const { sourceId, lastStoredMs } of (await store.tally(STREAMS_MAX)).streams) {
    newestMs.set(sourceId, Math.max(newestMs.get(sourceId) ?? 0, lastStoredMs ?? 0));
  }
  const channels = (await store.listChannels()).filter(({ sourceId }) => newestMs.has(sourceId));
  const values: NewestValue[] = [];
  for (const { sourceId, channel, unit: known } of channels.slice(0, CHANNELS_MAX)) {
    const untilMs = newestMs.get(sourceId) ?? 0;
    const { unit, timesMs, values: read } = await store.readPoints(sourceId, channel, untilMs - RECENT_MS, untilMs);
    const timeMs = timesMs.length === 0 ? null : Math.max(...timesMs);
    const value = timeMs === null ? null : (read[timesMs.lastIndexOf(timeMs)] ?? null);
    values.push({ sourceId, channel, unit: unit || known, value: Number.isFinite(value) ? value : null, timeMs });
  }
  return values;
}
