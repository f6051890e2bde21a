// Whether a file that looks as before may hold something else all the same. The time of a change tells ticks of the file
// system's clock apart: what is written twice within one tick, to the same length, looks unchanged to a look between
// the two. So a look that finds a file as it was is believed only after its content was compared once more, a tick later (where
// nothing was read of it: after what lies beside it was searched once more).
//
// Bounds: a tick is 20 ms at most, 2 s where times are whole seconds (FAT, ext3, HFS+). A file that was changed more than a day
// ago is believed at once, and so is one of an earlier run after ten minutes, or a start would open every file. By how much
// the clock of a share may differ is bounded by the same.
import type { Entry } from './folder-scan.ts';

const TICK_MS = 20;
const COARSE_TICK_MS = 2000;
const OLD_MS = 24 * 3_600_000;
const OLD_OF_EARLIER_RUN_MS = 10 * 60_000;

/** True where the file system seems to count the time of a change in whole seconds. */
export function isCoarse({ modifiedMs }: Pick<Entry, 'modifiedMs'>): boolean {
  return Number.isInteger(modifiedMs / 1000);
}

/** The time of a look: Unix ms, and by the monotonic clock. */
interface Moment {
  readonly nowMs: number;
  readonly monotonicMs: number;
}

/** What is known of entries, by identity: each is the object that its file was seen as. */
export class SameTick {
  /** When an entry was first seen, monotonic ms; -Infinity: what it shows is certain. Absent: in an earlier run. */
  readonly #sinceMs = new WeakMap<Entry, number>();

  /** Note that a file was found in a new state. */
  noteSeen(entry: Entry, { monotonicMs }: Moment): void {
    this.#sinceMs.set(entry, monotonicMs);
  }

  /** Whether a file that still shows this entry is sure to hold what it held. */
  isCertain(entry: Entry, { nowMs }: Moment): boolean {
    const sinceMs = this.#sinceMs.get(entry);
    const oldMs = sinceMs === undefined ? OLD_OF_EARLIER_RUN_MS : OLD_MS;
    return nowMs - entry.modifiedMs > oldMs || sinceMs === Number.NEGATIVE_INFINITY;
  }

  /** Note that it was looked at again, and is what it was. */
  noteLookedAgain(entry: Entry, { monotonicMs }: Moment): void {
    const sinceMs = this.#sinceMs.get(entry);
    // Of an earlier run only this is known: it was seen before now.
    if (sinceMs === undefined) this.#sinceMs.set(entry, monotonicMs);
    else if (monotonicMs - sinceMs >= (isCoarse(entry) ? COARSE_TICK_MS : TICK_MS))
      this.#sinceMs.set(entry, Number.NEGATIVE_INFINITY);
  }
}
