/** One thing that was looked at: whether it works, and what to do when it does not. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'error';
  /** What was looked at: `clock`, `data folder`, `source chamber-log`. */
  readonly subject: string;
  readonly message: string;
  /** Empty when nothing needs doing. */
  readonly hint: string;
}
