// Whether the last line of a file, which has no line end, is whole. A tool may have written half of it and write the rest later,
// and clocks of tools and servers may be wrong by days: so it is whole only when the file has its last change a day behind it
// and this reader itself has seen it unchanged for a while, by its own clock, and never seen it grow.
import type { Clock } from '../../../platform/clock.ts';

/** No program holds a line back for longer, milliseconds. */
const FINISHED_MS = 86_400_000;
/** So long this reader sees it unchanged, milliseconds. */
const STILL_MS = 10_000;

/** A file as it was found. */
interface Found {
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  /** When it was last found longer, in this run; 0: never. A file that grew here is being written to. */
  readonly grownMs: number;
}

/** Tells by the age of a file alone, for those who only look. */
export const byAge = (nowMs: number): Pick<LastLines, 'isFinal'> => ({
  isFinal: ({ modifiedMs }) => nowMs - modifiedMs >= FINISHED_MS,
});

export class LastLines {
  readonly #clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  /** Files that are watched, and since when they are unchanged, monotonic milliseconds. */
  readonly #still = new Map<string, Pick<Found, 'sizeBytes' | 'modifiedMs'> & { readonly sinceMs: number }>();
  /** Files that changed in this run: they are being written to. */
  readonly #written = new Set<string>();

  constructor(clock: Pick<Clock, 'nowMs' | 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Whether nothing more comes to a file whose last line has no end. Asked again at each look that finds such a line. */
  isFinal({ path, sizeBytes, modifiedMs, grownMs }: Found): boolean {
    const nowMs = this.#clock.monotonicMs();
    const known = this.#still.get(path);
    const isAsKnown = known?.sizeBytes === sizeBytes && known.modifiedMs === modifiedMs;
    if (grownMs > 0 || (known !== undefined && !isAsKnown)) this.#written.add(path);
    if (this.#written.has(path) || this.#clock.nowMs() - modifiedMs < FINISHED_MS) {
      this.#still.delete(path);
      return false;
    }
    const sinceMs = isAsKnown ? known.sinceMs : nowMs;
    if (!isAsKnown) this.#still.set(path, { sizeBytes, modifiedMs, sinceMs });
    return nowMs - sinceMs >= STILL_MS;
  }

  /** Whether a file is watched: it may be final later, without any change. */
  isWatched(path: string): boolean {
    return this.#still.has(path);
  }

  /** How long until each file that is watched now is final, milliseconds; null: all are. */
  waitMs(): number | null {
    const dueMs = [...this.#still.values()].map(({ sinceMs }) => sinceMs + STILL_MS - this.#clock.monotonicMs());
    const longestMs = Math.max(0, ...dueMs);
    return longestMs === 0 ? null : longestMs;
  }
}
