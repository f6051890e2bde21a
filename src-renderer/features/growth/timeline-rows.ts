// What the timeline draws, as stretches and places of time. Pure.
//
// A bar ends with the last point, at a gap, or at a hole of a line that is written again and again: the state of a
// shutter there is unknown. One that is written when it changes has pauses of any length.
import { longestPause } from '../../format/line-gaps.ts';
import type { StateLine } from '../../format/state-line.ts';
import type { Span } from '../../state/plot.ts';

/** A stretch of a row, with what it says. */
export interface Stretch extends Span {
  readonly text: string;
}

/**
 * Find the stretches in which a state was 1.
 *
 * @param stateLine - the line of a state.
 * @param gaps - the gaps of its source.
 * @returns stretches from a point of 1 to the next point of 0; one that meets a gap or a hole ends there and begins again with
 *   the point behind it. What came after the last point is not known, so it is not drawn.
 */
export function findOn({ timesMs, values }: Pick<StateLine, 'timesMs' | 'values'>, gaps: readonly Span[]): Stretch[] {
  const found: Stretch[] = [];
  let sinceMs: number | null = null;
  const end = (toMs: number) => {
    if (sinceMs !== null) found.push({ fromMs: sinceMs, toMs, text: '' });
    sinceMs = null;
  };
  const longMs = isRepeated(values) ? longestPause(timesMs) : Number.POSITIVE_INFINITY;
  timesMs.forEach((timeMs, at) => {
    const beforeMs = timesMs[at - 1] ?? timeMs;
    if (timeMs - beforeMs > longMs) end(beforeMs);
    const gap = gaps.find(({ fromMs, toMs }) => toMs > fromMs && fromMs < timeMs && toMs > beforeMs);
    if (gap) end(Math.max(beforeMs, gap.fromMs));
    if (values[at] === 1) sinceMs ??= timeMs;
    else end(timeMs);
  });
  end(timesMs.at(-1) ?? 0);
  return found;
}

/** Whether a state is written again and again, changed or not. */
function isRepeated(values: readonly number[]): boolean {
  const same = values.filter((value, at) => at > 0 && value === values[at - 1]).length;
  return 2 * same > values.length - 1;
}

/** Sum of what stretches have inside of a span, milliseconds. */
export function lengthWithin(stretches: readonly Span[], { fromMs, toMs }: Span): number {
  return stretches.reduce((sum, one) => sum + Math.max(0, Math.min(one.toMs, toMs) - Math.max(one.fromMs, fromMs)), 0);
}

/** Gaps of one source. */
export function gapsOf<G extends { readonly sourceId: string }>(gaps: readonly G[], sourceId: string): G[] {
  return gaps.filter((gap) => gap.sourceId === sourceId);
}
