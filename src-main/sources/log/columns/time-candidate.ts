// One guess at where the time of a line stands.

export interface TimeCandidate {
  /** Columns from 0, in the order in which they are joined with a blank. */
  readonly columns: readonly number[];
  readonly formats: readonly string[];
  /** What the columns do not tell: the start that they count from, or the first day. Absent: they tell all. */
  readonly needs?: 'start' | 'day';
}

/** Headers of columns that hold time. */
export const TIME_HEADER =
  /time|date|stamp|zeit|datum|epoch|unix|utc|clock|heure|hora|fecha|\bts\b|日付|日期|日時|時刻|時間|时间|时刻/i;
