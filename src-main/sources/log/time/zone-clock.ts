// Wall-clock stamps of one time zone to instants.
//
// Asking the zone data for each line would cost more than reading the line, so the offset is remembered for each quarter
// of an hour whose both ends have it (every change of a zone in use happens on a quarter). Only quarters that touch a
// clock change are asked line by line. Bound: 10,000 quarters are remembered.
import { Temporal } from 'temporal-polyfill';
import { AgentError } from '../../../model/agent-error.ts';

const QUARTER_MS = 15 * 60_000;
/** Quarters remembered at most; 10,000 is over a hundred days. */
const CACHE_MAX = 10_000;
/** How far a log's stamps may step back without this being taken for the clock change, milliseconds. */
const DISORDER_MS = 60_000;

/** `plain`: one instant. `twice`: the hour that comes twice, settled by order. `never`: the hour that is left out. */
export type StampKind = 'plain' | 'twice' | 'never';

export class ZoneClock {
  readonly zone: string;
  /** What the last stamp converted was. */
  lastKind: StampKind = 'plain';
  #offsets = new Map<number, number>();
  #quarter = Number.NaN;
  #offset = Number.NaN;

  /**
   * Make a converter for one zone.
   *
   * @param zone - IANA zone name.
   * @throws `log.zone-unknown` when there is no such zone.
   */
  constructor(zone: string) {
    this.zone = zone;
    try {
      Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
    } catch (cause) {
      throw new AgentError({
        code: 'log.zone-unknown',
        message: `"${zone}" is not a time zone.`,
        hint: 'Use an IANA name such as Europe/Berlin, America/New_York or UTC.',
        retry: 'after-human',
        cause,
      });
    }
  }

  /**
   * Turn a wall-clock stamp into an instant.
   *
   * @param localMs - the stamp's fields as if they were UTC, Unix milliseconds.
   * @param formerMs - the instant of the line before in the same file (NaN: none). In the hour that comes twice that order
   *   decides: the earlier instant, unless it would go back by more than a minute. A stamp in the hour that does not exist is read
   *   with the offset before the change, and flagged.
   * @param stepMs - the usual time to the line before, where it is long (0: it is not): then the instant that is nearer to it.
   * @returns Unix milliseconds; `lastKind` says what it was.
   */
  toInstant(localMs: number, formerMs: number, stepMs = 0): number {
    const quarter = Math.floor(localMs / QUARTER_MS);
    if (quarter !== this.#quarter) {
      this.#quarter = quarter;
      this.#offset = this.#offsetOf(quarter);
    }
    if (Number.isNaN(this.#offset)) return this.#askZone(localMs, formerMs, stepMs);
    this.lastKind = 'plain';
    return localMs - this.#offset;
  }

  /** The wall clock at an instant, as if it were UTC, Unix milliseconds. */
  toLocal(instantMs: number): number {
    const zoned = Temporal.Instant.fromEpochMilliseconds(Math.floor(instantMs)).toZonedDateTimeISO(this.zone);
    return instantMs + zoned.offsetNanoseconds / 1e6;
  }

  #offsetOf(quarter: number): number {
    const known = this.#offsets.get(quarter);
    if (known !== undefined) return known;
    const begin = this.#bothOffsets(quarter * QUARTER_MS);
    const end = this.#bothOffsets((quarter + 1) * QUARTER_MS - 1);
    const isPlain = begin.earlier === begin.later && end.earlier === end.later && begin.earlier === end.earlier;
    if (this.#offsets.size >= CACHE_MAX) this.#offsets.clear();
    const offset = isPlain ? begin.earlier : Number.NaN;
    this.#offsets.set(quarter, offset);
    return offset;
  }

  /** Offsets from UTC in milliseconds of the two instants that a wall-clock stamp may mean. */
  #bothOffsets(localMs: number): { earlier: number; later: number } {
    const wholeMs = Math.floor(localMs);
    const plain = Temporal.Instant.fromEpochMilliseconds(wholeMs).toZonedDateTimeISO('UTC').toPlainDateTime();
    const earlier = plain.toZonedDateTime(this.zone, { disambiguation: 'earlier' }).epochMilliseconds;
    const later = plain.toZonedDateTime(this.zone, { disambiguation: 'later' }).epochMilliseconds;
    return { earlier: wholeMs - earlier, later: wholeMs - later };
  }

  #askZone(localMs: number, formerMs: number, stepMs: number): number {
    const { earlier, later } = this.#bothOffsets(localMs);
    if (earlier === later) {
      this.lastKind = 'plain';
      return localMs - earlier;
    }
    // Both instants read 02:30 when it comes twice; neither does when it is left out, and then "later" stands for the
    // offset before the change.
    if (!this.#reads(localMs - earlier, localMs)) {
      this.lastKind = 'never';
      return localMs - later;
    }
    this.lastKind = 'twice';
    const first = localMs - earlier;
    const second = localMs - later;
    if (stepMs > 0 && Number.isFinite(formerMs)) {
      const apart = (instantMs: number) => Math.abs(instantMs - formerMs - stepMs);
      return apart(second) < apart(first) ? second : first;
    }
    return Number.isNaN(formerMs) || first >= formerMs - DISORDER_MS ? first : second;
  }

  #reads(instantMs: number, localMs: number): boolean {
    const zoned = Temporal.Instant.fromEpochMilliseconds(Math.floor(instantMs)).toZonedDateTimeISO(this.zone);
    return Math.floor(instantMs) + zoned.offsetNanoseconds / 1e6 === Math.floor(localMs);
  }
}

/** True for the name of a zone that the zone data knows. */
export function isZone(name: string): boolean {
  try {
    return new ZoneClock(name).zone === name;
  } catch {
    // The name is unknown: that is what was asked.
    return false;
  }
}
