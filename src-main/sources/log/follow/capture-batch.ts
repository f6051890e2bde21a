// What has been read of a folder and not yet handed over.
import type { Mark } from '../../../model/marks.ts';
import type { Readings } from '../../../model/readings.ts';
import type { Capture, Position, Refusal, SourceBytes } from '../../source.ts';

/** What has been read and not yet handed over. */
export interface Batch {
  readonly blocks: Readings[];
  readonly positions: Map<string, Position>;
  readonly marks: Mark[];
  readonly refusals: Refusal[];
  readonly sourceBytes: SourceBytes[];
  readonly files: Set<string>;
  refusedCount: number;
  rowsRead: number;
  bytes: number;
  origin: Capture['origin'] | null;
}

/** Begin a batch. */
export function emptyBatch(): Batch {
  return {
    blocks: [],
    positions: new Map(),
    marks: [],
    refusals: [],
    sourceBytes: [],
    files: new Set(),
    refusedCount: 0,
    rowsRead: 0,
    bytes: 0,
    origin: null,
  };
}

/** Positions as a batch holds them. */
export function byKey(positions: readonly Position[]): Map<string, Position> {
  return new Map(positions.map((position) => [position.key, position]));
}
