import type { SourceView } from '../../../src-main/contract/snapshot.ts';

/** What is older is not the value of now, milliseconds; nor is what is older than so many of its source's longest pauses. */
const STALE_MIN_MS = 10_000;
const PAUSES_STALE = 5;

export interface Staleness {
  /** Nothing of the source is the value of now. */
  readonly isStale: boolean;
  /** A value that is older is not the value of now, milliseconds. */
  readonly staleAfterMs: number;
}

/** Tell from when on the values of a source are old, by its own rhythm. */
export function stalenessOf({ state, lastCaptureMs, pauseMs }: SourceView, nowMs: number): Staleness {
  const staleAfterMs = Math.max(STALE_MIN_MS, PAUSES_STALE * pauseMs);
  return { isStale: state !== 'running' || nowMs - (lastCaptureMs ?? nowMs) > staleAfterMs, staleAfterMs };
}
