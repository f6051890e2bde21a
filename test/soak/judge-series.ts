// Holds the points of a channel at the service against those that were to come there, one by one and in their order.
import type { Series } from './delivered-series.ts';

export interface SeriesVerdict {
  readonly expected: number;
  readonly lost: number;
  readonly doubled: number;
  /** Another value, a stamp that was never written, or behind a later point. */
  readonly altered: number;
  /** The first wrong points, as text. */
  readonly wrong: readonly string[];
}

const WRONG_KEPT = 5;

/**
 * Judge a channel.
 *
 * @param expected - what was to come (no two stamps alike).
 * @param delivered - what the service holds.
 */
export function judgeSeries(name: string, expected: Series, delivered: Series): SeriesVerdict {
  const truth = new Map(expected.timesMs.map((timeMs, at) => [timeMs, expected.values[at]]));
  const seen = new Set<number>();
  const wrong: string[] = [];
  let [doubled, altered, lastMs] = [0, 0, Number.NEGATIVE_INFINITY];
  const tell = (timeMs: number, why: string) => {
    if (wrong.length < WRONG_KEPT) wrong.push(`${name} at ${new Date(timeMs).toISOString()}: ${why}`);
  };
  for (const [at, timeMs] of delivered.timesMs.entries()) {
    const value = delivered.values[at];
    if (seen.has(timeMs)) {
      doubled += 1;
      tell(timeMs, `${value} is there again`);
    } else if (!truth.has(timeMs)) {
      altered += 1;
      tell(timeMs, `${value}, of which nobody knows`);
    } else if (truth.get(timeMs) !== value) {
      altered += 1;
      tell(timeMs, `${value} in place of ${truth.get(timeMs)}`);
    } else if (timeMs < lastMs) {
      altered += 1;
      tell(timeMs, `${value} stands behind a later one`);
    }
    seen.add(timeMs);
    lastMs = Math.max(lastMs, timeMs);
  }
  const missing = expected.timesMs.filter((timeMs) => !seen.has(timeMs));
  for (const timeMs of missing) tell(timeMs, `${truth.get(timeMs)} is not there`);
  return { expected: expected.timesMs.length, lost: missing.length, doubled, altered, wrong };
}
