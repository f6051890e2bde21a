// Which stream a reading belongs to: one per source and period. With `daily` the period is the local day of the reading's
// own stamp (not of its arrival), so a backfill of last week fills last week's streams, and a file that is a minute late
// at midnight still finds yesterday's.
import { Temporal } from 'temporal-polyfill';

export type Rollover = 'daily' | 'per-file' | 'growth';

/** A run of rows of one block that belong to the same period. */
export interface PeriodRun {
  readonly period: string;
  readonly from: number;
  readonly to: number;
}

export class Periods {
  readonly #timeZone: string;
  #day = { name: '', startMs: 0, endMs: 0 };

  /** Takes an IANA time zone, in which days begin at midnight. */
  constructor(timeZone: string) {
    this.#timeZone = timeZone;
  }

  /**
   * Cut a block's rows into runs of one period.
   *
   * **Takes**: the stamps, how streams roll over, the file the rows come from, and how they were captured; live data and
   * backfill never share a stream, since their chunks differ in size.
   * **Gives**: runs in row order that cover all rows.
   */
  split(timesMs: Float64Array, rollover: Rollover, file: string | null, origin: 'live' | 'backfill'): PeriodRun[] {
    if (rollover !== 'daily') {
      const name = rollover === 'per-file' ? `${origin} file ${file ?? ''}` : `${origin}`;
      return [{ period: name, from: 0, to: timesMs.length }];
    }
    const runs: PeriodRun[] = [];
    for (let from = 0; from < timesMs.length; ) {
      const { name, startMs, endMs } = this.#dayOf(timesMs[from] as number);
      let to = from + 1;
      while (to < timesMs.length && (timesMs[to] as number) >= startMs && (timesMs[to] as number) < endMs) to += 1;
      runs.push({ period: `${origin} ${name}`, from, to });
      from = to;
    }
    return runs;
  }

  /** Local date and time for a stream's name: `2026-11-20 19:40:12`. */
  format(timeMs: number): string {
    const local = Temporal.Instant.fromEpochMilliseconds(Math.floor(timeMs)).toZonedDateTimeISO(this.#timeZone);
    return `${local.toPlainDate().toString()} ${local.toPlainTime().toString({ smallestUnit: 'second' })}`;
  }

  #dayOf(timeMs: number) {
    if (timeMs < this.#day.startMs || timeMs >= this.#day.endMs) {
      const instant = Temporal.Instant.fromEpochMilliseconds(Math.floor(timeMs));
      const date = instant.toZonedDateTimeISO(this.#timeZone).toPlainDate();
      const midnight = (day: Temporal.PlainDate) => day.toZonedDateTime(this.#timeZone).epochMilliseconds;
      this.#day = { name: date.toString(), startMs: midnight(date), endMs: midnight(date.add({ days: 1 })) };
    }
    return this.#day;
  }
}
