// What the uploader needs of store and service, and nothing more.
import type { EntryContent, SealedChunk, ServiceEntry, UploadStream } from '../model/queue.ts';

export interface UploadQueue {
  uploadStreams(): Promise<UploadStream[]>;
  uploadStream(id: number): Promise<UploadStream | null>;
  markInitializeSent(id: number, service: string, content: EntryContent): Promise<void>;
  unmarkInitializeSent(id: number, name: string): Promise<void>;
  setInitialized(id: number, entry: ServiceEntry): Promise<void>;
  nextChunk(streamId: number): Promise<SealedChunk | null>;
  /** The chunks that are being filled, as they would go out now; `id` is their lane's. None while a sealed one waits. */
  openChunks(streamId: number): Promise<SealedChunk[]>;
  setAhead(streamId: number, ahead: 'settled' | 'under-way'): Promise<void>;
  /** A window near the stream's end worth reading instead of the whole; null: read the whole. */
  readWindow(streamId: number): Promise<{ startMs: number; fromMs: number } | null>;
  /** Points acknowledged after a stamp, by channel name; null when no window fits. */
  countAcknowledgedAfter(streamId: number, fromMs: number): Promise<ReadonlyMap<string, number> | null>;
  acknowledgePart(chunkId: number, channelIds: readonly number[], atMs: number): Promise<void>;
  acknowledge(chunkId: number, atMs: number): Promise<void>;
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
    options: { signal: AbortSignal },
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
  | { readonly is: 'ready'; readonly content: EntryContent }
  | {
      readonly is: 'waits';
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

export interface UploadClock {
  nowMs(): number;
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}
