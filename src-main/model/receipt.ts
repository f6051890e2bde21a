// What the queue knows of one stream for its receipt, and its stored points as they are given out in pages.
import type { Mark } from './marks.ts';
import type { SourceSpan, StreamTally } from './queue.ts';

/** Counts of one channel: stored = acknowledged + refused + waiting + open, each point in exactly one of them. */
export interface ChannelFacts {
  readonly id: number;
  readonly name: string;
  readonly unit: string;
  readonly acknowledged: number;
  /** Refused by the service; kept here. */
  readonly refused: number;
  /** Sealed, not yet acknowledged. */
  readonly waiting: number;
  /** Not yet sealed: the chunk they belong to is being filled. */
  readonly open: number;
}

/** A slice of a stream that the service refused, in its words. */
export interface RefusedChunk {
  readonly channel: string;
  readonly index: number;
  readonly points: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly words: string;
  /** The stream that took a copy; null: none. */
  readonly resentIn: number | null;
}

/** How a stream stands that took refused points of another one. */
interface CorrectionFacts {
  readonly stream: number;
  readonly name: string;
  readonly points: number;
  readonly acknowledged: number;
  /** Refused here, too, and not sent again in a further one. */
  readonly refused: number;
}

/** A cell or line that was not a finite number, with its place. */
export interface RefusedCell {
  readonly place: string;
  readonly line: number | null;
  readonly byte: number | null;
  readonly channel: string;
  readonly text: string;
  readonly reason: string;
}

/**
 * What a full read-back said. `confirmed`: every acknowledged point was compared and is on the service, and nothing else
 * is. `counted`: all that was compared is there, but some points were no longer kept here to compare; their count agrees.
 * `differs`: the notes say where.
 */
export interface Confirmation {
  readonly atMs: number;
  readonly outcome: 'confirmed' | 'counted' | 'differs';
  readonly pointsCompared: number;
  /** Points that the service had acknowledged. */
  readonly pointsExpected: number;
  /** What differs, as text; at most 20. */
  readonly notes: readonly string[];
}

export interface StreamFacts {
  readonly tally: StreamTally;
  readonly nonce: string;
  readonly period: string;
  readonly openedMs: number;
  readonly closedMs: number | null;
  readonly deliveredMs: number | null;
  readonly firstReadingMs: number | null;
  readonly service: string | null;
  /** Points that stood at the service already and were not sent, and the entries that hold them. */
  readonly pointsHeld: number;
  readonly heldIn: readonly string[];
  readonly processedDataId: string | null;
  readonly channels: readonly ChannelFacts[];
  readonly spans: readonly Omit<SourceSpan, 'streamId'>[];
  /** The first of them; `tally.cellsRefused` counts all. */
  readonly refusedCells: readonly RefusedCell[];
  /** The first of them, one row a channel. */
  readonly refusedChunks: readonly RefusedChunk[];
  /** Streams whose refused points this one took; at most one. */
  readonly correctionOf: readonly number[];
  /** Streams that took refused points of this one, oldest first. */
  readonly corrections: readonly CorrectionFacts[];
  readonly gaps: readonly { fromMs: number; toMs: number; cause: string }[];
  /** What event logs of the source said between the oldest and the newest reading: how many lines, and the first of them. */
  readonly marks: {
    readonly count: number;
    readonly first: readonly Pick<Mark, 'timeMs' | 'text' | 'place' | 'line'>[];
  };
  readonly confirmation: Confirmation | null;
}

/** Stored points of some channels on one time axis. */
export interface StoredBlock {
  readonly state: 'acknowledged' | 'refused' | 'waiting' | 'open';
  /** The service's words; empty unless refused. */
  readonly words: string;
  readonly rows: number;
  readonly timesMs: Float64Array;
  readonly channelIds: readonly number[];
  /** Column after column. */
  readonly values: Float64Array;
}

/** Some of a stream's stored points, in the order in which they were sealed; what is not sealed comes last. */
export interface StoredPage {
  readonly blocks: readonly StoredBlock[];
  /** Where the next page begins; null: this was the last. */
  readonly next: number | null;
  /** Chunks whose bytes no longer match their checksum: their points are not given. */
  readonly damaged: readonly { index: number; channelIds: readonly number[]; rows: number }[];
}
