// The exact comparison, for channels whose sequence is not the one that was sent: every stored point is looked for among
// what the service gives, window by window in time, in whatever order both come.
//
// Bounds: at most GROUP_POINTS stored points are held at once, WINDOW_POINTS of a window, and of each window twice as many
// read ones. The series is read once for each group, twice where values come before their stamps. A window with more points
// than that (so many of one stamp) is skipped: its points do not count as compared.
//
// A point may come back up to a millisecond from where it was sent, over the edge of its window: each window reads beyond
// its edges, and what the one before it took there is not there for it. So the pairs are those of the whole channel.
import type { ChannelFacts } from '../../model/receipt.ts';
import type { HeldSeries } from '../client/held-series.ts';
import type { SeriesListener } from '../client/scan-series.ts';
import { eachAcknowledged, type PagedStore, type StoredChannel } from './stored-channels.ts';
import { cutWindows, WINDOW_POINTS, type Window } from './windows.ts';

const SIZES = { groupPoints: 1_000_000, windowPoints: WINDOW_POINTS };

/** What was found of a channel. */
export interface Verdict {
  readonly facts: ChannelFacts;
  /** Stored points that were looked for. */
  compared: number;
  /** Those that were found. */
  matched: number;
  /** Points that the service has in all. */
  found: number;
}

/** What it needs of a channel. */
export type ComparedChannel = Pick<StoredChannel, 'facts' | 'points' | 'samplesMs'>;

/** What it needs of the others. */
export interface CompareParts {
  readonly store: PagedStore;
  /** Read the series of the stream. */
  readonly scan: (listener: SeriesListener) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Windows that are held together, by the channel that they belong to; those of a channel in rising order. */
type Group = Map<ChannelFacts, Window[]>;

function groupsOf(channels: readonly ComparedChannel[], { groupPoints, windowPoints }: typeof SIZES): Group[] {
  const groups: Group[] = [new Map()];
  let held = 0;
  for (const { facts, points, samplesMs } of channels) {
    const windows = cutWindows(points, samplesMs, windowPoints);
    const share = Math.ceil(points / windows.length);
    for (const window of windows) {
      if (held > 0 && held + share > groupPoints) {
        groups.push(new Map());
        held = 0;
      }
      held += share;
      const group = groups.at(-1) as Group;
      group.set(facts, [...(group.get(facts) ?? []), window]);
    }
  }
  return groups;
}

/**
 * Look for every stored point of some channels among what the service gives.
 *
 * @param streamId - the stream's id.
 * @param channels - what is stored of the channels.
 * @param parts - the others.
 * @param sizes - for tests other bounds.
 * @returns a verdict for each; null when the signal ended it.
 * @throws those of store and service.
 */
export async function compareByWindows(
  streamId: number,
  channels: readonly ComparedChannel[],
  parts: CompareParts,
  sizes = SIZES,
): Promise<Verdict[] | null> {
  const verdicts = new Map(channels.map(({ facts }) => [facts, { facts, compared: 0, matched: 0, found: 0 }]));
  /** What was compared last; a channel may go on in the next group. */
  let former: HeldSeries | undefined;
  for (const group of groupsOf(channels, sizes)) {
    await fill(streamId, group, parts);
    const found = await readSeries(group, parts);
    if (parts.signal.aborted) return null;
    for (const [facts, windows] of group) {
      const verdict = verdicts.get(facts) as Verdict;
      verdict.found = found.get(facts.name) ?? 0;
      for (const window of windows) {
        const stored = window.stored();
        if (stored === null) continue;
        const held = window.held();
        if (former && verdict.compared > 0) held.take(former.takenFrom(window.firstMs));
        verdict.compared += stored.values.length;
        verdict.matched += held.take(stored);
        former = held;
        // A comparison sorts; capture has its turn in between.
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  }
  return [...verdicts.values()];
}

async function fill(streamId: number, group: Group, { store, signal }: CompareParts): Promise<void> {
  const byId = new Map([...group].map(([{ id }, windows]) => [id, windows]));
  await eachAcknowledged(streamId, store, signal, ({ timesMs, rows, channelIds, values }) => {
    for (const [c, id] of channelIds.entries()) {
      for (const window of byId.get(id) ?? []) {
        for (let row = 0; row < rows; row++) {
          window.addStored(timesMs[row] as number, values[c * rows + row] as number);
        }
      }
    }
  });
}

/** Read the points of the windows from the service; gives how many each channel has in all. */
async function readSeries(group: Group, { scan }: CompareParts): Promise<ReadonlyMap<string, number>> {
  const byName = new Map([...group].map(([{ name }, windows]) => [name, windows]));
  const found = new Map<string, number>();
  let isSecondTime = false;
  const listener: SeriesListener = {
    onNumbers: (name, array, from, numbers) => {
      for (const window of byName.get(name) ?? []) {
        if (array === 'values') window.addValues(from, numbers);
        else if (!isSecondTime) window.addTimes(from, numbers);
      }
    },
    onProperty: (name, points) => void found.set(name, points),
  };
  await scan(listener);
  isSecondTime = true;
  if ([...byName.values()].flat().some(({ needsValues }) => needsValues)) await scan(listener);
  return found;
}
