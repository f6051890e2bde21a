// What the uploader needs of store and service, and nothing more.
import type { EntryContent, Recut, SealedChunk, ServiceEntry, UploadStream } from '../../model/queue.ts';
import type { NewIds } from '../../model/resend.ts';

export interface UploadQueue {
  uploadStreams(): Promise<UploadStream[]>;
  uploadStream(id: number): Promise<UploadStream | null>;
  markInitializeSent(id: number, service: string, content: EntryContent): Promise<void>;
  unmarkInitializeSent(id: number, name: string): Promise<void>;
  setInitialized(id: number, entry: ServiceEntry): Promise<void>;
  nextChunk(streamId: number): Promise<SealedChunk | null>;
  /** The first waiting chunks in the order in which they go out, so many at most. */
  nextChunks(streamId: number, count: number): Promise<SealedChunk[]>;
  /** Let the calls that `ask` makes travel at once; they are made in their order, with no other between them. */
  together<T>(ask: () => T): T;
  /** The waiting chunk with the lowest id above one; null: there is none. */
  chunkAfter(streamId: number, id: number): Promise<SealedChunk | null>;
  /** Leave points out that the service holds, and number the rest again: here, or in a new stream. */
  recut(
    streamId: number,
    held: ReadonlyMap<number, Uint8Array>,
    heldIn: readonly string[],
    rest: RestStream | null,
    atMs: number,
  ): Promise<Recut>;
  /** It was looked up what the service holds of the stream. */
  settleHeld(streamId: number): Promise<void>;
  /** Whether the entry of the stream holds more than this queue knows. */
  noteHoldsMore(streamId: number, holdsMore: boolean): Promise<void>;
  /** The acknowledged chunk with the lowest id above one that is still kept; null: there is none. */
  acknowledgedAfter(streamId: number, id: number): Promise<SealedChunk | null>;
  /** The service has lost an acknowledged chunk: it waits again. */
  takeBack(chunkId: number): Promise<void>;
  /** Set how many points of a channel are at the service: the others are lost there and not kept here any more. */
  setAcknowledged(streamId: number, channel: string, points: number): Promise<void>;
  /** Points of each channel that the service has acknowledged, by its name. */
  acknowledgedPoints(streamId: number): Promise<ReadonlyMap<string, number>>;
  /** A window near the stream's end worth reading instead of the whole; null: read the whole. */
  readWindow(streamId: number): Promise<{ startMs: number; fromMs: number } | null>;
  /** Points acknowledged after a stamp, by channel name; null when no window fits. */
  countAcknowledgedAfter(streamId: number, fromMs: number): Promise<ReadonlyMap<string, number> | null>;
  acknowledgePart(chunkId: number, channelIds: readonly number[], atMs: number): Promise<void>;
  acknowledge(chunks: number | readonly number[], atMs: number): Promise<void>;
  refuse(chunkId: number, atMs: number, words: string): Promise<void>;
  split(chunkId: number): Promise<void>;
  finish(streamId: number, atMs: number): Promise<void>;
  /** Entry and service of a stream whose end the service shall be told now; null when that is not so. */
  streamToFinalize(id: number): Promise<{ dataId: string; service: string } | null>;
  /** The service was told, and agreed (null) or refused in these words. */
  setFinalized(id: number, words: string | null): Promise<void>;
}

/** One property of a series, as far as the uploader reads it. */
export interface SeriesAnswer {
  readonly relative_time_seconds?: readonly (number | null)[] | null | undefined;
  readonly unix_timestamp_ms?: readonly (number | null)[] | null | undefined;
  readonly values?: readonly (number | null)[] | null | undefined;
}

/** The calls that move data, and the one outside the interface that ends a stream; each rejects with a ServiceError. */
export interface UploadService {
  initializeStream(
    body: {
      points_per_chunk: number;
      stream_name: string;
      synth_source_id?: number;
      physical_sample_id?: string;
      project_id?: string;
    },
    options: { signal: AbortSignal },
  ): Promise<{ data_id: string; processed_data_id?: string | null | undefined }>;
  ingestChunk(
    body: {
      data_id: string;
      chunk_index: number;
      channels: Record<string, { timestamps: Float64Array; values: Float64Array; units?: string }>;
    },
    /** `isHandedOver`: nobody else reads the columns any more. */
    options: { signal: AbortSignal; isHandedOver?: boolean },
  ): Promise<readonly { data_id: string; channel_name: string; chunk_index: number; total_points: number }[]>;
  readTimeSeries(
    query: { data_id: string; return_null_if_missing: boolean; elapsed_seconds?: number },
    options: { signal: AbortSignal },
  ): Promise<{ properties?: Record<string, SeriesAnswer | null> | null | undefined } | null>;
  listDataEntries(
    query: { keywords?: string[]; data_ids?: string[] },
    options: { signal: AbortSignal },
  ): Promise<readonly { data_id: string; raw_name?: string | null | undefined }[]>;
  endStream(request: { path: string; data_id: string }, options: { signal: AbortSignal }): Promise<void>;
}

/** What the entry of a stream is to carry; or why it cannot be made yet, and what a person could do. */
type EntryAnswer =
  | { readonly kind: 'ready'; readonly content: EntryContent }
  | {
      readonly kind: 'waits';
      readonly message: string;
      readonly hint: string;
      /** It does not come by itself. */
      readonly isForPerson: boolean;
    };

/** Who knows what the entries of streams are to carry. Both calls answer at once. */
export interface EntryDesk {
  /** What the entry would carry now. */
  look(stream: UploadStream): EntryAnswer;
  /** The same, and from now on nothing of it may change, until it is given back. */
  take(stream: UploadStream): EntryAnswer;
  /** It is certain that nothing reached the service: it may be changed again. */
  giveBack(streamId: number): void;
}

/** Points that entries of the service hold, each of which answers once. */
export interface HeldPoints {
  /** Name of the entry that holds a point; null: none does, or it has answered for another one. */
  take(channel: string, timeMs: number, value: number): string | null;
  /** What to say about a series of a name that no channel has and that holds the same as this one; null: there is none. */
  findAlias(channel: string, timesMs: Float64Array, values: Float64Array, known: readonly string[]): string | null;
  /** From now on the series found so count as those of their channels. */
  takeAliases(): void;
  /** Points taken since the last call answer for no other ones from now on; `isDone` false: they do again. */
  settle(isDone: boolean): void;
}

/** Who knows what the service holds that this queue does not know to be sent. */
interface FormerEntries {
  /**
   * Look for entries that may hold points of what waits of a stream.
   *
   * @returns `later` when that cannot be told yet, and why; `some` with what reads them, once the stream is closed.
   * @throws the ServiceError of a call.
   */
  find(
    stream: UploadStream,
    signal: AbortSignal,
  ): Promise<
    { kind: 'none' } | { kind: 'later'; why: string } | { kind: 'some'; read(now: UploadStream): Promise<HeldPoints> }
  >;
}

/** What is asked of streams whose points may be held already, and who is told. */
export interface FormerData {
  readonly former: FormerEntries;
  readonly cutter: StreamCutter;
  /** So many points of a stream were held, in these entries, and are not sent. */
  readonly onLeftOut: (streamId: number, points: number, entries: readonly string[]) => void;
}

/** A stream that takes what waits of another one. */
interface RestStream {
  readonly ids: NewIds;
  readonly nonce: string;
}

/** Who writes streams. */
interface StreamCutter {
  /** End a stream; fulfilled when its last chunk waits on disk. */
  close(streamId: number): Promise<void>;
  /** Ids and nonce for a stream that takes what waits of another one. */
  begin(streamId: number): Promise<RestStream>;
  /** It is on disk. */
  begun(streamId: number): void;
}

export interface UploadClock {
  nowMs(): number;
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}
