// A start as it was found, and how its place is called.

/** How people name the places of a start. */
export const START_WORDS = { header: 'its header', name: 'its name', file: 'its time of change' } as const;

export interface FoundStart {
  readonly from: 'header' | 'name' | 'file';
  /** As wall clock, as if it were UTC, and as instant. */
  readonly localMs: number;
  readonly instantMs: number;
  /** It is a date with a time of day. */
  readonly isWhole?: boolean;
  /** What looked like times of day counts from it. */
  readonly isElapsed?: boolean;
}
