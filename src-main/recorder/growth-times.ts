// When growths began and ended. A reading belongs to the part of a growth that its own stamp lies in, and a time between
// growths is told by the part that ended before it: so what comes late finds the stream of its time, whichever it is.
import { type Growth, lastPart } from '../model/growth.ts';

/** A time without a boundary in it. */
export interface GrowthSpan {
  /** What tells it from others, for the name of a period; empty before the first growth. */
  readonly name: string;
  /** Part of a growth; null between growths. */
  readonly part: string | null;
  readonly fromMs: number;
  readonly toMs: number;
  /** Points a chunk by source, where the operator chose them. */
  readonly pointsPerChunk: Readonly<Record<string, number>>;
}

const BEFORE_ALL: GrowthSpan = {
  name: '',
  part: null,
  fromMs: Number.NEGATIVE_INFINITY,
  toMs: Number.POSITIVE_INFINITY,
  pointsPerChunk: {},
};

export class GrowthTimes {
  readonly #growths = new Map<string, Growth>();
  /** Without a break from the beginning of time to its end. */
  #spans: readonly GrowthSpan[] = [BEFORE_ALL];

  /** Take growths in, new ones and those that changed. */
  set(growths: readonly Growth[]): void {
    for (const growth of growths) this.#growths.set(growth.id, growth);
    this.#spans = spansOf([...this.#growths.values()].sort((p, q) => p.startedMs - q.startedMs));
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

  /** The growth that runs; null: none. */
  get running(): Growth | null {
    const newest = [...this.#growths.values()].at(-1);
    return newest && newest.endedMs === null && lastPart(newest).toMs === null ? newest : null;
  }
}

function spansOf(growths: readonly Growth[]): GrowthSpan[] {
  const spans: GrowthSpan[] = [];
  let before = BEFORE_ALL;
  for (const { parts, pointsPerChunk } of growths) {
    for (const { id, fromMs, toMs } of parts) {
      if (before.fromMs < fromMs) spans.push({ ...before, toMs: fromMs });
      const endMs = toMs ?? Number.POSITIVE_INFINITY;
      // A part that ended when it began holds no time.
      if (fromMs < endMs) spans.push({ name: `growth ${id}`, part: id, fromMs, toMs: endMs, pointsPerChunk });
      before = { ...BEFORE_ALL, name: `after ${id}`, fromMs: endMs };
    }
  }
  if (before.fromMs < Number.POSITIVE_INFINITY) spans.push(before);
  return spans;
}
