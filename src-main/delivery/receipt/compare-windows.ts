// The exact comparison, for channels whose sequence is not the one that was sent: every stored point is looked for among
// what the service gives, in whatever order, each read point used once.
//
// Bounds: at most GROUP_POINTS stored points are held at once, WINDOW_POINTS of a window, and of each window twice as many
// read ones. The series is read once for each group. A window with more points than that (so many of one stamp) is passed
// over: its points do not count as compared.
//
// A point may come back up to a millisecond from where it was sent, over the edge of its window: each window reads beyond
// its edges, and what was paired there is not there for the next one. So the pairs are those of the whole channel.
import type { ChannelFacts, StoredPage } from '../../model/receipt.ts';
import type { SeriesListener } from '../client/scan-series.ts';
import { findPoints, type Points, TOLERANCE_MS } from './compare.ts';
import { PointBuffer } from './point-buffer.ts';
import { eachAcknowledged, type StoredChannel } from './stored-channels.ts';
import { type WantedSpan, WindowReader } from './window-reader.ts';
import { cutWindows, type Span, WINDOW_POINTS } from './windows.ts';

const GROUP_POINTS = 1_000_000;
const SIZES = { groupPoints: GROUP_POINTS, windowPoints: WINDOW_POINTS };
/** Read points of a window that are held: twice what is stored there, and so many that lie close to its edges. */
const EDGE_POINTS = 1000;

/** What was found of a channel. */
export interface Verdict {
  readonly facts: ChannelFacts;
  /** Stored points that were looked for. */
  compared: number;
  /** Those that were found. */
  matched: number;
  /** Points that the service has in all. */
  found: number;
  firstMissing: { readonly timeMs: number; readonly value: number } | null;
}

/** What it needs of the others. */
export interface CompareParts {
  readonly store: { storedPage(streamId: number, after: number, maxPoints: number): Promise<StoredPage> };
  /** Read the series of the stream. */
  readonly scan: (listener: SeriesListener) => Promise<void>;
  readonly signal: AbortSignal;
}

interface Window {
  readonly channel: string;
  readonly channelId: number;
  readonly span: Span;
  readonly stored: PointBuffer;
}

/** The windows of some channels, in groups that fit into memory together; those of a channel in rising order. */
function groupsOf(channels: readonly StoredChannel[], { groupPoints, windowPoints }: typeof SIZES): Window[][] {
  const groups: Window[][] = [[]];
  let points = 0;
  for (const { facts, points: all, firstMs, lastMs, samplesMs } of channels) {
    const spans = cutWindows(all, samplesMs, windowPoints);
    for (const { fromMs, toMs } of spans) {
      const share = Math.ceil(all / spans.length);
      if (points > 0 && points + share > groupPoints) {
        groups.push([]);
        points = 0;
      }
      points += share;
      // Nothing is stored beyond the channel's own ends, so nothing is looked for there.
      const span = { fromMs: Math.max(fromMs, firstMs), toMs: Math.min(toMs, lastMs + TOLERANCE_MS) };
      groups.at(-1)?.push({ channel: facts.name, channelId: facts.id, span, stored: new PointBuffer(windowPoints) });
    }
  }
  return groups;
}

async function fill(streamId: number, group: readonly Window[], { store, signal }: CompareParts): Promise<void> {
  const windows = new Map<number, Window[]>();
  for (const window of group) windows.set(window.channelId, [...(windows.get(window.channelId) ?? []), window]);
  await eachAcknowledged(streamId, store, signal, ({ timesMs, rows, channelIds, values }) => {
    for (const [c, id] of channelIds.entries()) {
      for (const { span, stored } of windows.get(id) ?? []) {
        for (let row = 0; row < rows; row++) {
          const timeMs = timesMs[row] as number;
          if (timeMs >= span.fromMs && timeMs < span.toMs) stored.add(timeMs, values[c * rows + row] as number);
        }
      }
    }
  });
}

/** Read points of a channel that were paired in one window and lie within the reach of the next ones. */
class Spent {
  #points: { readonly timeMs: number; readonly value: number }[] = [];

  /** The points without those that are spent, each of which counts once. */
  leave(points: Points): Points {
    if (this.#points.length === 0) return points;
    const keyOf = (timeMs: number, value: number) => `${timeMs} ${value}`;
    const counts = new Map<string, number>();
    for (const { timeMs, value } of this.#points) {
      const key = keyOf(timeMs, value);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const left = Array.from(points.timesMs.keys()).filter((at) => {
      const key = keyOf(points.timesMs[at] as number, points.values[at] as number);
      const count = counts.get(key) ?? 0;
      if (count > 0) counts.set(key, count - 1);
      return count === 0;
    });
    const pick = (column: Float64Array) => Float64Array.from(left, (at) => column[at] as number);
    return { timesMs: pick(points.timesMs), values: pick(points.values) };
  }

  /** A window has ended here: what no later one reaches is forgotten. */
  advance(toMs: number): void {
    this.#points = this.#points.filter(({ timeMs }) => timeMs >= toMs - TOLERANCE_MS);
  }

  /** Note what a window that ends here has paired. */
  add({ timesMs, values }: Points, isUsed: (at: number) => boolean, toMs: number): void {
    for (let at = 0; at < timesMs.length; at++) {
      const timeMs = timesMs[at] as number;
      if (timeMs >= toMs - TOLERANCE_MS && isUsed(at)) this.#points.push({ timeMs, value: values[at] as number });
    }
  }
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
  channels: readonly StoredChannel[],
  parts: CompareParts,
  sizes = SIZES,
): Promise<Verdict[] | null> {
  const verdicts = new Map(channels.map(({ facts }) => [facts.id, noVerdict(facts)]));
  const spentOf = new Map<number, Spent>();
  for (const group of groupsOf(channels, sizes)) {
    await fill(streamId, group, parts);
    const wanted = new Map(group.map((window) => [window, wantedOf(window)]));
    const reader = new WindowReader(wanted.values());
    await parts.scan(reader);
    if (reader.needsSecondTime()) await parts.scan(reader);
    if (parts.signal.aborted) return null;
    for (const window of group) {
      const verdict = verdicts.get(window.channelId) as Verdict;
      verdict.found = reader.found(window.channel);
      const spent = spentOf.get(window.channelId) ?? new Spent();
      spentOf.set(window.channelId, spent);
      judge(window, reader.pointsOf(wanted.get(window) as WantedSpan), spent, verdict);
      // A comparison sorts; capture has its turn in between.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return [...verdicts.values()];
}

function wantedOf({ channel, span, stored }: Window): WantedSpan {
  return { channel, span, maxPoints: 2 * stored.length + EDGE_POINTS };
}

function noVerdict(facts: ChannelFacts): Verdict {
  return { facts, compared: 0, matched: 0, found: 0, firstMissing: null };
}

/** Add a window to its channel's verdict. */
function judge({ span, stored }: Window, read: PointBuffer, spent: Spent, verdict: Verdict): void {
  const points = spent.leave(read.points);
  spent.advance(span.toMs);
  if (stored.isOver || read.isOver) return;
  const { matched, firstMissing, isUsed } = findPoints(stored.points, points);
  verdict.compared += stored.length;
  verdict.matched += matched;
  verdict.firstMissing ??= firstMissing;
  spent.add(points, isUsed, span.toMs);
}
