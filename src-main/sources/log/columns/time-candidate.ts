// One guess at where the time of a line stands.

export interface TimeCandidate {
  /** Columns from 0, in the order in which they are joined with a blank. */
  readonly columns: readonly number[];
  readonly formats: readonly string[];
  /** What the columns do not tell: the start that they count from, or the first day. Absent: they tell all. */
  readonly needs?: 'start' | 'day';
}
