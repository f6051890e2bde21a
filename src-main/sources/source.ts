// The promise that every source keeps. A source runs until it is aborted or fails; it never retries inside (supervise.ts
// owns that), and it never decides what happens to its readings afterwards.
import type { ChannelDeclaration } from '../model/channel.ts';
import type { Mark } from '../model/marks.ts';
import type { Readings } from '../model/readings.ts';

/** A cell or line that could not be read as a finite number. It is kept as text, counted and shown; never 0, never null. */
export interface Refusal {
  /** File, or port and instrument. */
  readonly place: string;
  /** 1-based line (or reply) number within the place; null when not countable. */
  readonly line: number | null;
  /** Byte offset of the line within the place; null when not countable. */
  readonly byte: number | null;
  /** Channel (column) concerned; empty when the whole line is refused. */
  readonly channel: string;
  /** The text as the source gave it, cut to 200 characters. */
  readonly text: string;
  /** Why, in plain words: `not a number`, `no time stamp`, `over range`. */
  readonly reason: string;
}

/** Where a source stands in one of its places; committed in the same transaction as the readings it yielded. */
export interface Position {
  /** For a log: the file's identity key. Unique within the source. */
  readonly key: string;
  /** JSON text, opaque to everybody but the source; empty: the position is dropped. */
  readonly value: string;
}

/** Bytes of a file behind a capture, as they stand in the file: receipts carry the hash over them. */
export interface SourceBytes {
  /** Identity of the file within the source; unique, and the same wherever the file is moved. */
  readonly file: string;
  /** Where the file lies now, below the folder of the source. */
  readonly place: string;
  /** Where in the file `bytes` begins. */
  readonly fromByte: number;
  /** Good until the promise of the capture is settled: then the memory is read into again. */
  readonly bytes: Uint8Array;
  /** Index of the block in `blocks` that these bytes gave; null when they gave no reading. */
  readonly block: number | null;
}

/** What a source hands over at once. Committed whole or not at all. */
export interface Capture {
  /**
   * One or more blocks in source order; may be empty when only positions or refusals moved. Their times and values are
   * good until the promise of the capture is settled, like the bytes of files.
   */
  readonly blocks: readonly Readings[];
  readonly positions: readonly Position[];
  /** Lines of event logs, in order; absent where there are none. They become true together with the positions. */
  readonly marks?: readonly Mark[];
  /** Lines (or replies) read, with or without points. */
  readonly rowsRead: number;
  /** The first refusals in full (at most 100 a capture). */
  readonly refusals: readonly Refusal[];
  /** All refused cells and lines, also those not listed. */
  readonly refusedCount: number;
  /** `backfill` for data older than the agent's start, read as fast as it goes; `live` for what happens now. */
  readonly origin: 'live' | 'backfill';
  /** The file the rows come from, for `rollover: per-file`; null for sources without files. */
  readonly file: string | null;
  /** Everything that was read of files for this capture, in order; absent for sources without files. */
  readonly sourceBytes?: readonly SourceBytes[];
}

/** What a source tells about itself; shown on the screen as it is. */
export interface SourceNote {
  readonly level: 'info' | 'warning' | 'error';
  /** Stable code, dotted: `log.columns-left-out`. */
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

export interface SourceSink {
  /**
   * Read back what this source committed last.
   *
   * @returns position value (JSON text) by key; empty at the first start.
   */
  positions(): Promise<ReadonlyMap<string, string>>;
  /** Declare channels before their first reading, and again when a unit or origin changes. Cheap to repeat. */
  declare(channels: readonly ChannelDeclaration[]): void;
  /**
   * Hand over readings.
   *
   * @returns a promise that is fulfilled once they are on disk. A source with a file behind it waits for it (that bounds
   *   memory); a source that cannot wait goes on and lets the recorder hold a bounded amount.
   * @throws rejects with an AgentError when the capture was not stored; then the positions did not move either.
   */
  capture(capture: Capture): Promise<void>;
  /** A remark for screen and event journal; the same code replaces the former remark of this source. */
  note(note: SourceNote): void;
  /** Interval that could not be captured, Unix milliseconds. */
  gap(fromMs: number, toMs: number, cause: string): void;
}

export interface Source {
  /** From the settings; unique. */
  readonly id: string;
  readonly kind: 'log' | 'rheed' | 'simulator' | 'serial';
  /**
   * Read until aborted.
   *
   * @param sink - where to hand readings.
   * @param signal - the signal that ends the run.
   * @returns fulfilled when aborted, or when a source with an end (drain, simulated growth) has reached it.
   * @throws rejects with an AgentError whose `retry` says whether opening again can help.
   */
  run(sink: SourceSink, signal: AbortSignal): Promise<void>;
}
