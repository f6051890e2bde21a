import type { SourceView } from '../../../src-main/contract/snapshot.ts';

export interface Staleness {
  /** Nothing of the source is the value of now. */
  readonly isStale: boolean;
  /** A value that is older is not the value of now, milliseconds. */
  readonly staleAfterMs: number;
}

/** Tell from when on the values of a source are old, by its own rhythm. */
export const stalenessOf = ({ health, lateAfterMs }: SourceView): Staleness => ({
  isStale: health !== 'giving',
  staleAfterMs: lateAfterMs,
});
