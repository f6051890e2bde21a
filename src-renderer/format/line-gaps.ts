// A line is drawn through its points, except where points are missing: there it breaks, so that nobody reads a value
// that was never measured.

/** A silence shorter than this is never a gap, milliseconds: instruments breathe. */
const GAP_MIN_MS = 2_500;
/** A silence of this many usual intervals is a gap. */
const GAP_INTERVALS = 8;

/** An interval that the agent says was not captured, Unix milliseconds. */
export interface KnownGap {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Break a line where its source was silent, or where the agent knows of a gap. Takes rising times (Unix milliseconds) and
 * their values, of the same length, and the known gaps.
 *
 * @returns both with one null value in the middle of every gap. A gap is a silence of at least 2.5 s and 8 times the median
 *   interval, or a known gap that no point lies in.
 */
export function breakAtGaps(
  timesMs: readonly number[],
  values: readonly (number | null)[],
  known: readonly KnownGap[] = [],
): { timesMs: number[]; values: (number | null)[] } {
  const longMs = longestPause(timesMs);
  const broken: { timesMs: number[]; values: (number | null)[] } = { timesMs: [], values: [] };
  timesMs.forEach((timeMs, index) => {
    const before = timesMs[index - 1];
    const isKnown = (gap: KnownGap) => gap.fromMs >= (before ?? timeMs) && gap.toMs <= timeMs && gap.toMs > gap.fromMs;
    if (before !== undefined && (timeMs - before > longMs || known.some(isKnown))) {
      broken.timesMs.push((before + timeMs) / 2);
      broken.values.push(null);
    }
    broken.timesMs.push(timeMs);
    broken.values.push(values[index] ?? null);
  });
  return broken;
}

/** A longer pause between two of these rising times is a hole, milliseconds. */
export const longestPause = (timesMs: readonly number[]): number =>
  Math.max(GAP_MIN_MS, GAP_INTERVALS * medianInterval(timesMs));

function medianInterval(timesMs: readonly number[]): number {
  // Numbers of a typed array are sorted without a call for each pair: a plot of 20 lines is broken in a few milliseconds.
  const intervals = new Float64Array(Math.max(0, timesMs.length - 1));
  for (let at = 1; at < timesMs.length; at++) intervals[at - 1] = (timesMs[at] as number) - (timesMs[at - 1] as number);
  intervals.sort();
  return intervals[Math.floor(intervals.length / 2)] ?? 0;
}
