/** Something that happened, for the screen and the journal. */
export interface News {
  readonly level: 'info' | 'warning' | 'error';
  /** Stable, dotted: `log.columns-left-out`. The same code replaces the former news of its part. */
  readonly code: string;
  readonly message: string;
  /** What a person can do; empty where nothing is to be done. */
  readonly hint: string;
}
