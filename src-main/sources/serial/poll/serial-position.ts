import type { MissedPart } from '../line/gap-watch.ts';

/** What is committed with each capture of an instrument. */
export interface SerialPosition {
  /** Up to when all was read or noted as a gap, Unix milliseconds; null: never. */
  readonly lastMs: number | null;
  readonly identity: string | null;
  /** What was missed and not noted yet; absent: nothing. */
  readonly missed?: readonly MissedPart[];
}
