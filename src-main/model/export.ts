// Points as an export takes them from the queue: cut by time.

/** Points of some channels of a stream on one time axis. */
export interface SpanOfPoints {
  readonly streamId: number;
  readonly channelIds: readonly number[];
  /** Unix milliseconds, in the order in which they were stored. */
  readonly timesMs: Float64Array;
  /** Column after column: as many values as `timesMs` has for the first channel, then for the second, ... */
  readonly values: Float64Array;
}

export interface StoredSpan {
  /** Every stored point up to this instant (Unix ms, not included) is told; it may be earlier than was asked for. */
  readonly toMs: number;
  readonly spans: readonly SpanOfPoints[];
  /** Points of chunks that no longer match their checksum, and touch this span: they are not told. */
  readonly damagedPoints: number;
}
