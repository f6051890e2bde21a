// One sequence of images: the frames whose names differ by number or time only. It knows which names are new, which came
// again because the camera began again and wrote over them, and which are only old.
//
// Bounds: frames of the last 10 s are remembered by name, and numbers that were skipped as missing-numbers.ts bounds
// them; a camera that begins again is noticed by one of its first 240 numbers. Frames without a number may be told in any order
// within 10 s of their times. Invariant: `accept` says yes once to a file.
import { MissingNumbers, type MissingRange } from './missing-numbers.ts';

/** Names remembered as seen, milliseconds. */
const RECENT_MS = 10_000;
/** A file is still being written for at most so long after it was first seen, milliseconds. */
export const WRITING_MS = 1500;
/** A camera that begins again is noticed by one of its first numbers. */
const FIRST_NUMBERS = 240;
/** A name is told at most so long after another one of the same tick of the file system's clock, milliseconds. */
const TOLD_MS = 1000;
/** The longest tick, that of FAT, milliseconds. */
const TICK_MAX_MS = 2000;
/** Numbers that were skipped and are kept over a restart, as ranges, the newest. */
const KEPT_RANGES_MAX = 50;
/** File systems round times, milliseconds. */
const ROUNDING_MS = 15;

/** What is kept over a restart. */
export interface SequenceState {
  readonly name: string;
  readonly width: number;
  readonly first: number;
  readonly last: number;
  readonly newestMs: number;
  /** File of its last frame, as the file system numbers it; absent: not known. */
  readonly lastInode?: string | undefined;
  /** The time in its name, as written; absent: it has none, or it is not known. */
  readonly lastTime?: string | undefined;
  /** Where it began again: what it had reached before, and since when; absent: it has not. */
  readonly formerLast?: number | undefined;
  readonly sinceMs?: number | undefined;
  /** Numbers that were skipped. */
  readonly missing?: readonly MissingRange[] | undefined;
}

/** When a frame was counted, and what its file's time was then. */
interface Seen {
  readonly atMs: number;
  readonly modifiedMs: number;
}

export class Sequence {
  readonly name: string;
  /** Digits of the number as it was first written. */
  readonly width: number;
  /** A copy of another sequence: its frames are not counted. */
  isCopy = false;
  lastInode: string | undefined;
  lastTime: string | undefined;
  /** Number, or time (Unix milliseconds) for frames without one. */
  #first: number;
  #last: number;
  /** Latest change of any of its files. */
  #newestMs: number;
  /** The look that found a frame last, and the latest change before it. */
  #lookMs = Number.NaN;
  #beforeMs = Number.NEGATIVE_INFINITY;
  /** The look that found a file younger than all before it. */
  #roseMs = Number.NaN;
  /** What it had reached before it began again: names up to there are mostly old ones. */
  #formerLast = Number.NEGATIVE_INFINITY;
  /** Files older than this belong to what was there before it began again. */
  #sinceMs = Number.NEGATIVE_INFINITY;
  #gaps = new MissingNumbers();
  /** Of frames without a number: times up to here were counted, or are told too late to know. Later ones are in `#recent`. */
  #settledMs: number;
  #recent = new Map<number, Seen>();
  /** The same of before it began again: files of then that are reported late are known by their time. */
  #formerRecent = new Map<number, Seen>();
  readonly #isNumbered: boolean;

  constructor(state: SequenceState, isNumbered: boolean) {
    const { name, width, first, last, newestMs, lastInode, lastTime } = state;
    this.name = name;
    this.width = width;
    this.#first = first;
    this.#last = last;
    this.#newestMs = newestMs;
    this.lastInode = lastInode;
    this.lastTime = lastTime;
    this.#isNumbered = isNumbered;
    this.#formerLast = state.formerLast ?? Number.NEGATIVE_INFINITY;
    this.#sinceMs = state.sinceMs ?? Number.NEGATIVE_INFINITY;
    this.#gaps = new MissingNumbers(state.missing);
    // Of a sequence that was only just met none has been counted: its first frame comes behind its last.
    this.#settledMs = first > last ? Number.NEGATIVE_INFINITY : last;
  }

  get last(): number {
    return this.#last;
  }

  get newestMs(): number {
    return this.#newestMs;
  }

  get state(): SequenceState {
    const { name, width, lastInode, lastTime } = this;
    const began = Number.isFinite(this.#sinceMs) ? { formerLast: this.#formerLast, sinceMs: this.#sinceMs } : {};
    const missing = this.#gaps.ranges.slice(-KEPT_RANGES_MAX);
    const order = { first: this.#first, last: this.#last, newestMs: this.#newestMs };
    return { name, width, ...order, lastInode, lastTime, ...began, missing };
  }

  /** True when a name is worth looking at, without having looked at the file. */
  isNew(order: number): boolean {
    if (order > this.#last) return true;
    if (this.#isNumbered) return this.#gaps.has(order);
    return order > this.#settledMs && !this.#recent.has(order);
  }

  /** The same for a walk through all names: old ones that lie ahead since it began again are left out. */
  isWorthLooking(order: number): boolean {
    return this.isNew(order) && (order > this.#formerLast || order <= this.#last + FIRST_NUMBERS);
  }

  /**
   * Decide on a file that was looked at.
   *
   * @param order - its number (or time).
   * @param modifiedMs - when it was changed.
   * @param nowMs - now by the same clock.
   * @returns true when it is a frame to count.
   */
  accept(order: number, modifiedMs: number, nowMs: number): boolean {
    // Beyond what it had reached before nothing old can lie: there a clock was put back.
    if (order <= this.#formerLast && modifiedMs < this.#sinceMs - ROUNDING_MS) return false;
    if (this.#formerRecent.get(order)?.modifiedMs === modifiedMs) return false;
    if (this.isNew(order)) {
      if (this.#isNumbered && order > this.#last) this.#gaps.add(this.#last + 1, order - 1, nowMs);
      else this.#gaps.take(order);
      this.#note(order, modifiedMs, nowMs);
      return true;
    }
    if (!this.#isNumbered || order === this.#last) return false;
    // One tick of the clock may hold the end of a recording and its new beginning, found by the same look or the next one.
    const isSameLook = nowMs === this.#lookMs;
    const knownMs = isSameLook ? Math.max(this.#beforeMs, this.#newestMs - ROUNDING_MS) : this.#newestMs;
    if (modifiedMs <= knownMs && !this.#isToldLate(order, modifiedMs, nowMs)) return false;
    const seen = this.#recent.get(order);
    // Written to while its successors came: slow, not new; by the clock that wrote it, or by when it was seen.
    if (seen && Math.min(modifiedMs - seen.modifiedMs, nowMs - seen.atMs) < WRITING_MS) return false;
    // One old image that somebody edits is no camera that begins again.
    if (order > Math.min(this.#first, 1) + FIRST_NUMBERS && order > this.#first + FIRST_NUMBERS) return false;
    this.#first = order;
    this.#formerLast = Math.max(this.#formerLast, this.#last);
    this.#last = order - 1;
    this.#sinceMs = modifiedMs;
    this.#gaps = new MissingNumbers();
    this.#formerRecent = this.#recent;
    this.#recent = new Map();
    this.#note(order, modifiedMs, nowMs);
    return true;
  }

  /** The first number of a new beginning, of the very tick of the last one of a long recording, which an earlier look found. */
  #isToldLate(order: number, modifiedMs: number, nowMs: number): boolean {
    const isFirst = order <= 1 && this.#last > order + FIRST_NUMBERS;
    // Where all files have one time for good, that says nothing.
    const isOfTick = modifiedMs === this.#newestMs && nowMs - this.#roseMs <= TICK_MAX_MS + TOLD_MS;
    return isFirst && isOfTick && nowMs - this.#lookMs <= TOLD_MS;
  }

  #note(order: number, modifiedMs: number, nowMs: number): void {
    if (nowMs !== this.#lookMs) [this.#lookMs, this.#beforeMs] = [nowMs, this.#newestMs];
    this.#last = Math.max(this.#last, order);
    if (modifiedMs > this.#newestMs) this.#roseMs = nowMs;
    this.#newestMs = Math.max(this.#newestMs, modifiedMs);
    this.#recent.set(order, { atMs: nowMs, modifiedMs });
    this.#forget(nowMs);
    this.#gaps.settle(nowMs - 60_000);
  }

  /** Numbers are forgotten by when they were counted, times by what they are: that is what `isNew` goes by. */
  #forget(nowMs: number): void {
    this.#settledMs = Math.max(this.#settledMs, this.#last - RECENT_MS);
    for (const [order, { atMs }] of this.#recent) {
      if (this.#isNumbered ? atMs >= nowMs - RECENT_MS : order > this.#settledMs) break;
      this.#recent.delete(order);
    }
  }

  /** Path of a frame of this sequence, by its number and the time in its name as written, where it has one. */
  pathOf(order: number, time = ''): string {
    // A function: a `$` of a name is no more than that.
    return this.name.replace('{frame}', () => String(order).padStart(this.width, '0')).replace('{time}', () => time);
  }
}
