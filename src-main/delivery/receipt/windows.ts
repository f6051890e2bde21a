// A channel that is too long to be held is compared window by window in time. Where the windows are cut is found from
// samples of its stamps, so that none holds much more than another, in whatever order the stamps came.

/** Points of a window that are held of each side at most; one with more is not compared, and that is told. */
export const WINDOW_POINTS = 250_000;
/** How full a window is to be. */
const AIM = 0.72;
/** Of so many stamps one is kept as a sample: 256 a window leave the windows a few per cent apart. */
export const SAMPLE_EVERY = Math.floor((WINDOW_POINTS * AIM) / 256);

/** An interval of time: stamps from the first up to, not with, the second. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Cut the time of a channel into windows.
 *
 * @param points - how many points it has.
 * @param samplesMs - samples of their stamps in any order.
 * @param windowPoints - what a window may hold.
 * @returns windows in rising order that together are all of time; one when the points fit into it.
 */
export function cutWindows(points: number, samplesMs: readonly number[], windowPoints: number): Span[] {
  const count = points > windowPoints ? Math.ceil(points / (windowPoints * AIM)) : 1;
  const sorted = Float64Array.from(samplesMs).sort();
  const edges = new Set<number>();
  for (let at = 1; at < count; at++) {
    const edge = sorted[Math.floor((at * sorted.length) / count)];
    if (edge !== undefined) edges.add(edge);
  }
  const starts = [Number.NEGATIVE_INFINITY, ...edges];
  return starts.map((fromMs, at) => ({ fromMs, toMs: starts[at + 1] ?? Number.POSITIVE_INFINITY }));
}
