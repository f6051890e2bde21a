// When growths began and ended. A reading belongs to the part of a growth that its own stamp lies in, and a time between
// growths is told by the part that ended before it: so what comes late finds the stream of its time, whichever it is.
//
// Invariant: the spans cover all of time without a break and without overlap. A look-up halves its way through them. Bound:
// at most two spans a part of a growth; at a start the store gives the newest 1,000 growths.
import type { Growth } from '../../model/growth.ts';

/** A time without a boundary in it. */
export interface GrowthSpan {
  /** What tells it from others, for the name of a period; empty before the first growth. */
  readonly name: string;
  /** Part of a growth; null between growths. */
  readonly part: string | null;
  readonly fromMs: number;
  readonly toMs: number;
}

const BEFORE_ALL: GrowthSpan = {
  name: '',
  part: null,
  fromMs: Number.NEGATIVE_INFINITY,
  toMs: Number.POSITIVE_INFINITY,
};

export class GrowthTimes {
  readonly #growths = new Map<string, Growth>();
  /** Without a break from the beginning of time to its end. */
  #spans: readonly GrowthSpan[] = [BEFORE_ALL];

  /** Take growths in, new ones and those that changed; new ones in the order in which they began. */
  set(growths: readonly Growth[]): void {
    for (const growth of growths) this.#growths.set(growth.id, growth);
    this.#spans = spansOf(this.#growths.values());
  }

  /** The span that a time lies in. */
  at(timeMs: number): GrowthSpan {
    let [low, high] = [0, this.#spans.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#spans[middle] as GrowthSpan).fromMs <= timeMs) low = middle;
      else high = middle - 1;
    }
    return this.#spans[low] as GrowthSpan;
  }
}

/** Each boundary ends what was before it; one that lies before an earlier one (the clock went back) counts all the same. */
function spansOf(growths: Iterable<Growth>): GrowthSpan[] {
  const spans: GrowthSpan[] = [BEFORE_ALL];
  const begin = (span: GrowthSpan) => {
    while (spans.length > 1 && (spans.at(-1) as GrowthSpan).fromMs >= span.fromMs) spans.pop();
    const before = spans.pop() as GrowthSpan;
    spans.push({ ...before, toMs: span.fromMs }, span);
  };
  for (const { parts } of growths) {
    for (const { id, fromMs, toMs } of parts) {
      begin({ ...BEFORE_ALL, name: `growth ${id}`, part: id, fromMs });
      if (toMs !== null) begin({ ...BEFORE_ALL, name: `after ${id}`, fromMs: toMs });
    }
  }
  return spans;
}
