// Which stream a reading belongs to: one per source and period. With `daily` the period is the local day of the reading's
// own stamp (not of its arrival), so a backfill of last week fills last week's streams, and a file that is a minute late
// at midnight still finds yesterday's. Whatever the rule, a period ends where a growth begins or ends.
//
// Invariants: the same stamp, rule, zone and growths give the same period, also after a restart. A day lasts from local
// midnight to local midnight, whatever its hours. Rows of a block are cut where the period changes and never put in order.
import { Temporal } from 'temporal-polyfill';
import type { GrowthSpan, GrowthTimes } from './growth-times.ts';

export type Rollover = 'daily' | 'growth';

/** A run of rows of one block that belong to the same period. */
export interface PeriodRun {
  readonly period: string;
  readonly from: number;
  readonly to: number;
  readonly growth: GrowthSpan;
}

interface Span {
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
}

const WHOLE_TIME: Span = { name: '', startMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY };

export class Periods {
  readonly #timeZone: string;
  readonly #growths: GrowthTimes;
  #day: Span = { name: '', startMs: 0, endMs: 0 };

  /** Takes an IANA time zone, in which days begin at midnight, and when growths began and ended. */
  constructor(timeZone: string, growths: GrowthTimes) {
    this.#timeZone = timeZone;
    this.#growths = growths;
  }

  /**
   * Cut a block's rows into runs of one period. Takes the stamps, how streams roll over, and how they were captured; live data
   * and backfill never share a stream, since their chunks differ in size.
   *
   * @returns runs in row order that cover all rows.
   */
  split(timesMs: Float64Array, rollover: Rollover, origin: 'live' | 'backfill'): PeriodRun[] {
    const runs: PeriodRun[] = [];
    for (let from = 0; from < timesMs.length; ) {
      const timeMs = timesMs[from] as number;
      const growth = this.#growths.at(timeMs);
      const base = rollover === 'daily' ? this.#dayOf(timeMs) : WHOLE_TIME;
      const startMs = Math.max(base.startMs, growth.fromMs);
      const endMs = Math.min(base.endMs, growth.toMs);
      let to = from + 1;
      while (to < timesMs.length && (timesMs[to] as number) >= startMs && (timesMs[to] as number) < endMs) to += 1;
      const period = [origin, base.name, growth.name].filter((word) => word !== '').join(' ');
      runs.push({ period, from, to, growth });
      from = to;
    }
    return runs;
  }

  /** Say whether a period lies before the boundary of a growth that came last before a time. */
  isPast(period: string, nowMs: number): boolean {
    return growthOf(period) !== this.#growths.at(nowMs).name;
  }

  /** Local date and time for a stream's name: `2026-11-20 19:40:12`. */
  format(timeMs: number): string {
    const local = Temporal.Instant.fromEpochMilliseconds(Math.floor(timeMs)).toZonedDateTimeISO(this.#timeZone);
    return `${local.toPlainDate().toString()} ${local.toPlainTime().toString({ smallestUnit: 'second' })}`;
  }

  #dayOf(timeMs: number): Span {
    if (timeMs < this.#day.startMs || timeMs >= this.#day.endMs) {
      const instant = Temporal.Instant.fromEpochMilliseconds(Math.floor(timeMs));
      const date = instant.toZonedDateTimeISO(this.#timeZone).toPlainDate();
      const midnight = (day: Temporal.PlainDate) => day.toZonedDateTime(this.#timeZone).epochMilliseconds;
      this.#day = { name: date.toString(), startMs: midnight(date), endMs: midnight(date.add({ days: 1 })) };
    }
    return this.#day;
  }
}

/** The growth's share of a period's name. */
function growthOf(period: string): string {
  return /(?:^| )((?:growth|after) [0-9a-z]+)$/.exec(period)?.[1] ?? '';
}
