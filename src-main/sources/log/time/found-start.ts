// A start as it was found, and how its place is called.
import type { DialectInput } from '../../../model/dialect.ts';

/** How people name the places of a start. */
export const START_WORDS = { header: 'its header', name: 'its name', file: 'its modification time' } as const;

export type StartRule = NonNullable<NonNullable<DialectInput['time']>['start']>;

export interface FoundStart {
  readonly from: 'header' | 'name' | 'file';
  /** As wall clock, as if it were UTC, and as instant. */
  readonly localMs: number;
  readonly instantMs: number;
  /** It is a date with a time of day. */
  readonly isWhole?: boolean;
  /** Where it stands, as a dialect says it; empty where none can. */
  readonly rules?: readonly StartRule[];
  /** What looked like times of day counts from it. */
  readonly isElapsed?: boolean;
}
