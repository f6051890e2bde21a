// The values that pass between recorder, store and uploader. All ids are given by the recorder (streams, channels,
// lanes) or by the store (chunks); all are positive integers and never used again.
import type { Growth } from './growth.ts';
import type { MarkRow } from './marks.ts';

/** Points a chunk may hold: `points_per_chunk` of a stream lies in 1..1000. */
export const POINTS_PER_CHUNK_MAX = 1000;

/** A stream as the recorder opens it: this row is also the intent to initialize it on the service. */
export interface NewStream {
  readonly id: number;
  readonly sourceId: string;
  /** What the readings of this stream have in common: day and origin, or a file. */
  readonly period: string;
  /** Short random word, unique; part of `name`, so that a lost answer to initialize can be looked up. */
  readonly nonce: string;
  readonly name: string;
  readonly openedMs: number;
  readonly pointsPerChunk: number | null;
  readonly synthSourceId: number | null;
  /** Part of a growth that it belongs to; absent or null: none. */
  readonly growth?: string | null;
  /** Since when readings are certain to be new, Unix ms: older ones may have been sent before. Absent: all are new. */
  readonly newSinceMs?: number;
}

/** What a commit changes on a stream; counts are added to what stands there. */
export interface StreamChange {
  readonly id: number;
  readonly rowsRead: number;
  readonly points: number;
  readonly refused: number;
  /** Stamp of the oldest reading of this commit, Unix milliseconds; absent when there is none. */
  readonly firstReadingMs?: number;
  /** Stamp of the newest reading of this commit, Unix milliseconds; null when there is none. */
  readonly lastReadingMs: number | null;
  /** Set once, when it has been decided. */
  readonly pointsPerChunk: number | null;
  /** Wall time at which the stream was closed; null while open. */
  readonly closedMs: number | null;
}

export interface NewChannel {
  readonly id: number;
  readonly streamId: number;
  readonly name: string;
  readonly unit: string;
}

/**
 * Channels of one stream that have had exactly the same stamps so far: they share one time axis, one count of points and
 * so one chunk index. A channel that misses a reading leaves for a lane of its own.
 */
interface Lane {
  readonly id: number;
  readonly streamId: number;
  readonly channelIds: readonly number[];
  /** Index of the chunk that is being filled: points before index x P are sealed. */
  readonly nextIndex: number;
}

/** Readings of a lane that are on disk but not yet sealed. */
export interface OpenReadings {
  readonly laneId: number;
  readonly rows: number;
  /** `rows` stamps, Unix milliseconds. */
  readonly timesMs: Float64Array;
  /** Column after column: `rows` values of the lane's first channel, then of the second, ... */
  readonly values: Float64Array;
}

/** A slice of exactly P points of each of its channels (fewer only at the end of a closed stream). Immutable. */
export interface NewChunk {
  readonly streamId: number;
  readonly channelIds: readonly number[];
  readonly index: number;
  readonly rows: number;
  readonly timesMs: Float64Array;
  /** Column after column, like OpenReadings. */
  readonly values: Float64Array;
}

export interface RefusalRow {
  readonly sourceId: string;
  /** The stream that counts it; absent when the source had none yet. */
  readonly streamId?: number;
  readonly atMs: number;
  readonly place: string;
  readonly line: number | null;
  readonly byte: number | null;
  readonly channel: string;
  readonly text: string;
  readonly reason: string;
}

export interface GapRow {
  readonly sourceId: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly cause: string;
}

/**
 * Bytes of a file that were read without a break, and gave this stream its readings. Together with the file it proves what
 * was read: the hash is over exactly these bytes.
 */
export interface SourceSpan {
  readonly streamId: number;
  /** Identity of the file within its source. */
  readonly file: string;
  /** Where the file lies, below the folder of its source. */
  readonly place: string;
  /** First byte, and the byte after the last. */
  readonly fromByte: number;
  readonly toByte: number;
  /** SHA-256 over these bytes of the file, lower case hexadecimal. */
  readonly sha256: string;
}

/** Everything that becomes true at once. Applied whole or not at all. */
export interface Commit {
  /** Rises by one a commit. The store skips one that it has applied: it is offered again when its answer was lost. */
  readonly sequence: number;
  readonly streams: readonly NewStream[];
  readonly changes: readonly StreamChange[];
  readonly channels: readonly NewChannel[];
  /** Lanes that are new or whose index moved. */
  readonly lanes: readonly Lane[];
  readonly lanesRemoved: readonly number[];
  /** Lanes whose open readings are replaced: what is stored for them is dropped before `openReadings` is added. */
  readonly lanesCleared: readonly number[];
  readonly openReadings: readonly OpenReadings[];
  readonly chunks: readonly NewChunk[];
  readonly positions: readonly { sourceId: string; key: string; value: string }[];
  readonly refusals: readonly RefusalRow[];
  readonly gaps: readonly GapRow[];
  readonly marks?: readonly MarkRow[];
  /** Growths that began, changed or ended. */
  readonly growths?: readonly Growth[];
  /** Spans that are new or have grown since they were last committed. */
  readonly sourceSpans?: readonly SourceSpan[];
}

/** What takes the place of a commit that the disk did not take before the agent's end. */
export interface GivenUpCommit {
  readonly sequence: number;
  readonly gaps: readonly GapRow[];
  /** Of sources without files: behind what was lost, and what they marked. */
  readonly positions: readonly { readonly sourceId: string; readonly key: string; readonly value: string }[];
  readonly marks: readonly MarkRow[];
  readonly points: number;
  /** Those of `points` that stand in log files, and are read again. */
  readonly pointsInFiles: number;
}

/** What the recorder finds on disk when it starts. */
export interface RecorderState {
  readonly lastSequence: number;
  readonly lastStreamId: number;
  readonly lastChannelId: number;
  readonly lastLaneId: number;
  /** The newest growths, newest first; absent: none. */
  readonly growths?: readonly Growth[];
  readonly streams: readonly (NewStream & {
    readonly lastReadingMs: number | null;
    readonly channels: readonly NewChannel[];
    readonly lanes: readonly (Lane & { readonly openReadings: readonly OpenReadings[] })[];
  })[];
}

/** A stream as the uploader sees it. */
export interface UploadStream {
  readonly id: number;
  readonly sourceId: string;
  readonly name: string;
  readonly nonce: string;
  readonly openedMs: number;
  readonly pointsPerChunk: number;
  readonly synthSourceId: number | null;
  /** Part of a growth that it belongs to; null: none. */
  readonly growth: string | null;
  /** What an initialize that may have gone out carried; null: nothing of it, or none went out. */
  readonly sampleId: string | null;
  readonly projectId: string | null;
  readonly dataId: string | null;
  /** Base address of the service that holds it; null until initialized. */
  readonly service: string | null;
  /** True once an initialize may have gone out whose answer is not known. */
  readonly isInitializeSent: boolean;
  readonly isClosed: boolean;
  readonly chunksWaiting: number;
  /** Its points may stand at the service already, in an entry that this queue does not know or not whole. */
  readonly mayBeHeld: boolean;
  /** Its entry may hold more than this queue knows. */
  readonly mayHoldMore: boolean;
  /** Its readings were written since this queue watches its source. */
  readonly isFromLive: boolean;
  /** What a person said of values that stand under another name at the service; null: nothing. */
  readonly heldAnswer: HeldAnswer | null;
  /** Oldest and newest stamp, Unix ms; null: not known. */
  readonly firstMs: number | null;
  readonly lastMs: number | null;
}

/** `send`: they are something else; `leave-out`: they are the same, and are not sent again. */
export const HELD_ANSWERS = ['send', 'leave-out'] as const;
export type HeldAnswer = (typeof HELD_ANSWERS)[number];

/** An entry of a stream of this queue that may hold more than the queue knows, or what it had lost. */
export interface OwnEntry {
  readonly streamId: number;
  readonly dataId: string;
  readonly name: string;
  /** Base address of the service that has it. */
  readonly service: string | null;
}

/** Which entries hold what this queue does not know to be sent: what is asked before the entry of a stream is begun. */
export interface KnownEntries {
  /** Entries of streams of this queue: nobody else's. */
  readonly dataIds: readonly string[];
  /** Those of them that may hold points of the stream all the same; none in a queue of which nothing was lost. */
  readonly doubtful: readonly OwnEntry[];
  /** Streams that are to be delivered first: their points are in the queue, and may be those of the stream, too. */
  readonly before: readonly number[];
  /** Something of the queue was lost once. */
  readonly isInDoubt: boolean;
}

/** What was done with the points of a stream that the service holds. */
export interface Recut {
  /** Points that are sent, and points that are not. */
  readonly kept: number;
  readonly held: number;
}

/** What an initialize carries that may be chosen until it goes out. */
export interface EntryContent {
  readonly name: string;
  readonly sampleId: string | null;
  readonly projectId: string | null;
}

/** What the service gave for a stream, and what becomes of it there. */
export interface ServiceEntry {
  readonly dataId: string;
  readonly processedDataId: string;
  /** Base address of the service, or its mark. */
  readonly service: string;
  /** The service is told when the stream has ended. */
  readonly isToFinalize: boolean;
}

/** A sealed chunk as it goes out. */
export interface SealedChunk {
  readonly id: number;
  readonly streamId: number;
  readonly index: number;
  readonly rows: number;
  readonly timesMs: Float64Array;
  readonly channels: readonly {
    readonly id: number;
    readonly name: string;
    readonly unit: string;
    /** Points of this channel acknowledged so far, without this chunk. */
    readonly acknowledged: number;
    readonly values: Float64Array;
  }[];
}

/** A stream as screen and receipt see it. */
export interface StreamTally {
  readonly id: number;
  readonly sourceId: string;
  readonly name: string;
  readonly dataId: string | null;
  readonly isClosed: boolean;
  readonly isDelivered: boolean;
  readonly pointsPerChunk: number | null;
  readonly channels: number;
  readonly rowsRead: number;
  readonly pointsStored: number;
  readonly pointsAcknowledged: number;
  readonly pointsRefused: number;
  /** Of the refused, those of which another stream took a copy. */
  readonly pointsResent: number;
  readonly cellsRefused: number;
  readonly chunksSealed: number;
  readonly chunksWaiting: number;
  /** Stamps of the oldest and the newest stored reading. */
  readonly oldestStoredMs: number | null;
  readonly lastStoredMs: number | null;
  /** Every stored point with a stamp up to this one is acknowledged or refused; null: not one is. */
  readonly deliveredUpToMs: number | null;
}

/** The queue as a whole. */
export interface QueueTally {
  readonly streams: readonly StreamTally[];
  readonly streamsTotal: number;
  readonly waitingPoints: number;
  readonly waitingChunks: number;
  readonly fileBytes: number;
  /** The gaps written last, newest first. */
  readonly gaps: readonly (GapRow & { readonly id: number })[];
  readonly gapsTotal: number;
}

/** What a person chose for what waits for a service that the settings no longer name: deliver it there, or keep it here. */
export type FormerChoice = 'send' | 'keep';

/** What waits for such a service. */
export interface FormerWaiting {
  /** Base address, or `embedded`. */
  readonly service: string;
  readonly streams: number;
  readonly streamIds: readonly number[];
  readonly points: number;
  /** Stamps of the oldest and the newest reading, Unix milliseconds; null: none is known. */
  readonly firstMs: number | null;
  readonly lastMs: number | null;
  /** Null: nobody has said. */
  readonly choice: FormerChoice | null;
}
