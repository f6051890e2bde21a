// The time of a line: its stamp, out of one column or several, and the instant that it stands for.
import { DAY_MS } from '../time/calendar.ts';
import { HourWatch } from '../time/hour-watch.ts';
import type { StampReader } from '../time/stamp-reader.ts';
import { findStamps, readWith } from '../time/stamp-search.ts';
import { compileTimeFormat } from '../time/time-format.ts';
import { type StampKind, ZoneClock } from '../time/zone-clock.ts';
import type { Layout } from './layout.ts';

/** Bytes of a stamp that is joined from several columns, at most. */
const JOINED_BYTES_MAX = 256;

/** A line that only tells a date is no longer. */
const DATE_LINE_MAX = 80;

/** Relative times that go back by more than this begin again, milliseconds. */
const AGAIN_MS = 10_000;
/** From 12:59 to 01:00 a clock of 12 hours goes back by half a day, less the step between two lines. */
const HALF_DAY_MS = DAY_MS / 2;
const HALF_DAY_LESS_STEP_MS = HALF_DAY_MS - 2 * 3_600_000;
/** Behind midnight some programs write the date of the day before for a moment: 23:59, then 0:00 of the same date. */
const DATE_LATE_MS = 120_000;
const STEP_MAX_MS = 3_600_000;

export class LineClock {
  readonly #reader: StampReader;
  readonly #zone: ZoneClock;
  readonly #columns: readonly number[];
  readonly #dayMs: number | null;
  readonly #isRelative: boolean;
  readonly #areHalvesOpen: boolean;
  readonly #isLaterHour: boolean;
  readonly #stepMs: number;
  readonly #partDigits: number;
  readonly #joined = new Uint8Array(JOINED_BYTES_MAX);
  /** Whether the last instant was plain, in the hour that comes twice, or in the one that does not exist. */
  kind: StampKind = 'plain';
  readonly #watch: HourWatch;
  /** The last stamp is of an hour that a change of the clock repeats or skips, and which instant it is nobody has said. */
  openHour: 'twice' | 'never' | null = null;

  constructor(layout: Layout) {
    const { timeFormat, timeColumns, decimal, startMs, dayMs, zone, areHalvesOpen, isLaterHour, stepMs } = layout;
    this.#partDigits = layout.partDigits ?? 0;
    this.#isRelative = startMs !== null;
    this.#areHalvesOpen = areHalvesOpen === true;
    this.#isLaterHour = isLaterHour === true;
    this.#reader = compileTimeFormat(timeFormat, { decimal, startMs, isTimeOnly: dayMs !== null });
    this.#stepMs = stepMs ?? 0;
    this.#zone = new ZoneClock(zone);
    this.#watch = new HourWatch(this.#zone, this.#stepMs, layout);
    this.#columns = timeColumns;
    this.#dayMs = dayMs;
  }

  /**
   * Read the stamp of a line. Takes bytes, and for each column where its cell begins and ends.
   *
   * @returns false when there is no stamp.
   */
  read(bytes: Uint8Array, cellStart: Int32Array, cellEnd: Int32Array): boolean {
    const [only] = this.#columns;
    if (this.#columns.length === 1 && only !== undefined) {
      return this.#reader.read(bytes, cellStart[only] as number, cellEnd[only] as number);
    }
    let length = 0;
    for (const column of this.#columns) {
      if (length > 0) this.#joined[length++] = 32;
      const begin = cellStart[column] as number;
      const size = Math.min((cellEnd[column] as number) - begin, JOINED_BYTES_MAX - length - 1);
      for (let i = 0; i < size; i++) this.#joined[length++] = bytes[begin + i] as number;
    }
    return this.#reader.read(this.#joined, 0, length);
  }

  /** The stamp just read has fewer digits behind its second than all before it: 99 may be 99 of a thousand. */
  get isShorter(): boolean {
    const { partDigits = 0 } = this.#reader;
    return partDigits > 0 && partDigits < this.#partDigits;
  }

  /** Instant of the stamp just read; in a log of times of day a clock that goes back by half a day passed midnight. */
  instantOf(formerMs: number): number {
    const { stampMs, hasZone } = this.#reader;
    this.kind = 'plain';
    this.openHour = null;
    if (hasZone) return stampMs;
    let localMs = stampMs;
    if (this.#dayMs !== null) {
      localMs += this.#dayMs;
      const backMs = Number.isNaN(formerMs) ? 0 : this.#zone.toLocal(formerMs) - localMs;
      localMs += Math.max(0, Math.round(backMs / DAY_MS)) * DAY_MS;
    }
    // Behind any instant only the later of two is left.
    const former = this.#isLaterHour ? Number.POSITIVE_INFINITY : formerMs;
    const instantMs = this.#zone.toInstant(localMs, former, this.#stepMs);
    this.kind = this.#zone.lastKind;
    const settledMs = this.#watch.settle(localMs, formerMs, instantMs, this.kind);
    this.openHour = this.#watch.open;
    return settledMs;
  }

  /** The date of the stamp just read is that of the day before, right behind midnight. */
  isDateLate(formerMs: number): boolean {
    if (this.#isRelative || this.#dayMs !== null || this.#reader.hasZone) return false;
    const { stampMs } = this.#reader;
    const backMs = this.#zone.toLocal(formerMs) - stampMs;
    return (
      stampMs - Math.floor(stampMs / DAY_MS) * DAY_MS < DATE_LATE_MS && backMs < DAY_MS && backMs > DAY_MS - STEP_MAX_MS
    );
  }

  /** Begin a block, with what the one before left to be known of the steps between its lines. */
  begin(carry: string): void {
    this.#watch.begin(carry);
  }

  /** What is to be known of those steps for the next block; empty: nothing. */
  get carry(): string {
    return this.#watch.carry;
  }

  /** A text is a date, with a word or two before it, that no way of reading makes the day of the line before. */
  isOtherDay(text: string, formerMs: number): boolean {
    if (!/\d/.test(text) || text.length > DATE_LINE_MAX) return false;
    const [date, ...others] = findStamps(text);
    if (date === undefined || others.length > 0 || date.shape.kind === 'time') return false;
    if (/\p{L}/u.test(date.behind) || date.label.split(/\s+/).length > 3) return false;
    const today = Math.floor(this.#zone.toLocal(formerMs) / DAY_MS);
    const days = date.shape.formats.map((format) => readWith(format, date.text)?.stampMs ?? Number.NaN);
    return !days.some((dayMs) => Math.floor(dayMs / DAY_MS) === today);
  }

  /**
   * A time that goes back counts from another start, or passed noon or midnight without saying so.
   *
   * @param backMs - how far it went back, milliseconds.
   */
  beginsAgain(backMs: number): boolean {
    if (this.#isRelative) return backMs > AGAIN_MS;
    return this.#areHalvesOpen && backMs > HALF_DAY_LESS_STEP_MS && backMs < HALF_DAY_MS;
  }
}
