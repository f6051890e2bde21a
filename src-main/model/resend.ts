// Chunks that the service refused, and what becomes of them: sent again as they are, or copied into a corrected stream.

/** Which refused chunks of a stream are meant: those that fit all that is given. */
export interface RefusedSelection {
  readonly streamId: number;
  /** Null: any. */
  readonly chunkIds: readonly number[] | null;
  /** Name of a channel; null: any. */
  readonly channel: string | null;
}

/** How the copy differs from what was refused; null: not at all. */
export interface Correction {
  /** 1 to 1000. */
  readonly pointsPerChunk: number | null;
  /** Only where the selection names the channel: its unit and its name in the new stream. */
  readonly unit: string | null;
  readonly rename: string | null;
}

/** Ids that nobody else uses: one for a stream, and `channels` of them in a row for its channels. */
export interface NewIds {
  readonly stream: number;
  readonly firstChannel: number;
  readonly channels: number;
}

/** A chunk of one stream that the service refused. */
export interface RefusedPart {
  readonly id: number;
  readonly channel: string;
  readonly index: number;
  /** Oldest and newest stamp, Unix milliseconds. */
  readonly firstMs: number;
  readonly lastMs: number;
  readonly rows: number;
  /** What the service said. */
  readonly words: string;
  /** The stream that took a copy; null: none yet. */
  readonly resentIn: number | null;
}

/** What came of sending refused chunks again. */
export interface Resent {
  /** Sent again by this call. */
  readonly chunks: number;
  readonly points: number;
  /** The corrected stream that was made; null when there was nothing to copy, or they are sent again in their place. */
  readonly stream: { readonly id: number; readonly name: string } | null;
  /** Meant as well, and not taken because one call takes only so many: call again. */
  readonly left: number;
  /** Meant as well, and altered by the disk: they stay here. */
  readonly damaged: number;
  /** Named, and not refused any more: they wait or were acknowledged. */
  readonly settled: number;
  /** Streams that took copies of others that were meant: these are not sent a second time. */
  readonly resentIn: readonly number[];
}
