// Collects what becomes true at once. Several captures may share a commit; the builder keeps it minimal: rows that were
// added and sealed within the same commit never touch the table of open readings.
//
// Invariants: a commit holds each stream's changes once, summed; each position once, the last; of an open lane the rows that
// are not on disk yet. `build` leaves the note of what is on disk as it will be after the commit, so a commit that was built
// is offered until it is taken, or the agent ends. Bound: the recorder's, by `sizeBytes` (about 8 bytes a point and a stamp).
import type { Growth } from '../../model/growth.ts';
import type { MarkRow } from '../../model/marks.ts';
import type {
  Commit,
  GapRow,
  NewChannel,
  NewChunk,
  NewStream,
  OpenReadings,
  RefusalRow,
  StreamChange,
} from '../../model/queue.ts';
import { type OpenLane, type SealedSlice, sliceLane } from './lanes.ts';

/** Rows of a lane that are already on disk, by lane id; kept over commits. */
export type StoredRows = Map<number, number>;

interface LaneNote {
  readonly streamId: number;
  readonly lane: OpenLane;
}

export class CommitBuilder {
  readonly #stored: StoredRows;
  readonly #streams: NewStream[] = [];
  readonly #changes = new Map<number, StreamChange>();
  readonly #channels: NewChannel[] = [];
  readonly #touched = new Map<number, LaneNote>();
  readonly #cleared = new Set<number>();
  readonly #removed = new Set<number>();
  readonly #chunks: NewChunk[] = [];
  readonly #positions = new Map<string, { sourceId: string; key: string; value: string }>();
  readonly #refusals: RefusalRow[] = [];
  readonly #gaps: GapRow[] = [];
  readonly #marks: MarkRow[] = [];
  readonly #growths = new Map<string, Growth>();
  /** Rough size of what is held, bytes. */
  sizeBytes = 0;

  constructor(stored: StoredRows) {
    this.#stored = stored;
  }

  /** Nothing of it would be written. */
  get isEmpty(): boolean {
    const { size: growths } = this.#growths;
    const news = this.#streams.length + this.#changes.size + this.#positions.size + this.#refusals.length;
    return news + this.#gaps.length + this.#marks.length + growths === 0;
  }

  /** A stream begins with this commit. */
  openStream(stream: NewStream): void {
    this.#streams.push(stream);
  }

  addChannel(channel: NewChannel): void {
    this.#channels.push(channel);
  }

  /** Add to what changes of a stream: counts are summed, stamps widened; P and the end are set once. */
  change(id: number, change: Partial<Omit<StreamChange, 'id'>>): void {
    const old = this.#changes.get(id);
    const later = Math.max(
      old?.lastReadingMs ?? Number.NEGATIVE_INFINITY,
      change.lastReadingMs ?? Number.NEGATIVE_INFINITY,
    );
    const first = Math.min(old?.firstReadingMs ?? Infinity, change.firstReadingMs ?? Infinity);
    this.#changes.set(id, {
      id,
      rowsRead: (old?.rowsRead ?? 0) + (change.rowsRead ?? 0),
      points: (old?.points ?? 0) + (change.points ?? 0),
      refused: (old?.refused ?? 0) + (change.refused ?? 0),
      ...(first === Infinity ? {} : { firstReadingMs: first }),
      lastReadingMs: later === Number.NEGATIVE_INFINITY ? null : later,
      pointsPerChunk: change.pointsPerChunk ?? old?.pointsPerChunk ?? null,
      closedMs: change.closedMs ?? old?.closedMs ?? null,
    });
  }

  /** The lane gets rows: what of it is not on disk yet goes into the commit as `build` finds it. */
  touchLane(streamId: number, lane: OpenLane): void {
    this.#touched.set(lane.id, { streamId, lane });
  }

  /** A chunk is full, or its stream ends. */
  seal(streamId: number, slice: SealedSlice): void {
    this.#chunks.push({ streamId, ...slice });
    this.sizeBytes += slice.values.byteLength + slice.timesMs.byteLength;
  }

  /** The lane's rows on disk no longer count: they were sealed. */
  clearLane(lane: OpenLane): void {
    if ((this.#stored.get(lane.id) ?? 0) > 0) this.#cleared.add(lane.id);
    this.#stored.set(lane.id, 0);
  }

  /** The lane is no more: it was split, or its stream ended. Its rows went elsewhere before. */
  removeLane(lane: OpenLane): void {
    this.#touched.delete(lane.id);
    this.#cleared.delete(lane.id);
    // A lane that no commit has seen yet leaves no trace.
    if (this.#stored.has(lane.id)) this.#removed.add(lane.id);
    this.#stored.delete(lane.id);
  }

  /** The last value of a key counts; empty: it is dropped. */
  setPosition(sourceId: string, key: string, value: string): void {
    this.#positions.set(`${sourceId}\n${key}`, { sourceId, key, value });
  }

  addRefusal(refusal: RefusalRow): void {
    this.#refusals.push(refusal);
  }

  addGap(gap: GapRow): void {
    this.#gaps.push(gap);
  }

  /** The last form of a growth counts. */
  putGrowth(growth: Growth): void {
    this.#growths.set(growth.id, growth);
  }

  addMark(mark: MarkRow): void {
    this.#marks.push(mark);
    this.sizeBytes += 2 * mark.text.length;
  }

  /** Finish: rows of touched lanes that are not on disk yet go into the commit. */
  build(sequence: number): Commit {
    const lanes = [...this.#touched.values()].map(({ streamId, lane }) => ({
      id: lane.id,
      streamId,
      channelIds: lane.channelIds,
      nextIndex: lane.nextIndex,
    }));
    const openReadings: OpenReadings[] = [];
    for (const { lane } of this.#touched.values()) {
      const stored = this.#stored.get(lane.id) ?? 0;
      if (lane.rows > stored) openReadings.push({ laneId: lane.id, ...sliceLane(lane, stored) });
      this.#stored.set(lane.id, lane.rows);
    }
    return {
      sequence,
      streams: this.#streams,
      changes: [...this.#changes.values()],
      channels: this.#channels,
      lanes,
      lanesRemoved: [...this.#removed],
      lanesCleared: [...this.#cleared],
      openReadings,
      chunks: this.#chunks,
      positions: [...this.#positions.values()],
      refusals: this.#refusals,
      gaps: this.#gaps,
      marks: this.#marks,
      ...(this.#growths.size === 0 ? {} : { growths: [...this.#growths.values()] }),
    };
  }
}
