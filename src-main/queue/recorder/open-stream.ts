// One stream while it is open: its channels, its lanes, and the decision how many points a chunk holds.
//
// Invariants: P (points a chunk) is decided once, from 1 to 1,000, and never changes after. Where it is measured, no chunk is
// sealed before it is known, except one of 1,000 points, which settles it. A name stands for one channel and one unit; a
// changed unit is another stream. Bounds: less than P rows a lane are open; P is known AUTO_CHUNK_MS (10 s) after the first
// reading, at the next tick.
import { CHANNEL_NAME_MAX, type ChannelDeclaration } from '../../model/channel.ts';
import { type NewStream, POINTS_PER_CHUNK_MAX } from '../../model/queue.ts';
import { countPoints, type Readings } from '../../model/readings.ts';
import type { CommitBuilder } from './commit-builder.ts';
import { Lanes, makeLane, type OpenLane } from './lanes.ts';

/** `points_per_chunk: auto` aims at this much time in a chunk, milliseconds. */
const AUTO_CHUNK_MS = 10_000;

/** Ids that the recorder hands out; they rise and are never used again. */
export interface Ids {
  nextChannelId(): number;
  nextLaneId(): number;
}

export class OpenStream {
  readonly row: NewStream;
  /** Monotonic time of the first reading since the agent started. */
  readonly firstMonotonicMs: number;
  lastMonotonicMs: number;
  pointsPerChunk: number | null;
  readonly #ids: Ids;
  readonly #channels = new Map<string, { id: number; unit: string }>();
  readonly #lanes: Lanes;
  /** Set while a commit is being built; every change of the stream goes there. */
  #builder: CommitBuilder | null = null;

  constructor(row: NewStream, ids: Ids, nowMonotonicMs: number) {
    this.row = row;
    this.pointsPerChunk = row.pointsPerChunk;
    this.#ids = ids;
    this.firstMonotonicMs = nowMonotonicMs;
    this.lastMonotonicMs = nowMonotonicMs;
    this.#lanes = new Lanes(row.pointsPerChunk ?? POINTS_PER_CHUNK_MAX, {
      nextLaneId: () => ids.nextLaneId(),
      grown: (lane) => this.#builder?.touchLane(row.id, lane),
      sealed: (slice, lane) => {
        this.#builder?.seal(row.id, slice);
        this.#builder?.clearLane(lane);
        // A chunk of the largest size is full before P was measured: that is the answer.
        if (this.pointsPerChunk === null && slice.rows === POINTS_PER_CHUNK_MAX) this.#fix(POINTS_PER_CHUNK_MAX);
      },
      split: (old, present, absent) => {
        this.#builder?.removeLane(old);
        this.#builder?.touchLane(row.id, present);
        this.#builder?.touchLane(row.id, absent);
      },
    });
  }

  /** Put back what was on disk when the agent started. */
  restoreChannel(id: number, name: string, unit: string): void {
    this.#channels.set(name, { id, unit });
  }

  /**
   * Put back a lane with its open rows.
   *
   * @returns how many rows it holds.
   */
  restoreLane(
    id: number,
    channelIds: readonly number[],
    nextIndex: number,
    blocks: readonly { rows: number; timesMs: Float64Array; values: Float64Array }[],
  ): number {
    const lane: OpenLane = makeLane(id, channelIds, this.pointsPerChunk ?? POINTS_PER_CHUNK_MAX);
    lane.nextIndex = nextIndex;
    for (const { rows, timesMs, values } of blocks) {
      lane.timesMs.set(timesMs, lane.rows);
      for (const [c, column] of lane.columns.entries()) {
        column.set(values.subarray(c * rows, (c + 1) * rows), lane.rows);
      }
      lane.rows += rows;
    }
    this.#lanes.put(lane);
    return lane.rows;
  }

  /** True when a channel of this name stands here with another unit: the stream cannot carry the new one. */
  contradicts({ name, unit }: ChannelDeclaration): boolean {
    const channel = this.#channels.get(name);
    return channel !== undefined && channel.unit !== unit;
  }

  /**
   * Add rows of a block. Takes the builder of the running commit, the block, its rows [from, to), the declarations by
   * channel name, and the monotonic time.
   *
   * @returns the number of points added.
   */
  add(
    builder: CommitBuilder,
    block: Readings,
    from: number,
    to: number,
    declared: ReadonlyMap<string, ChannelDeclaration>,
    nowMonotonicMs: number,
  ): number {
    this.#builder = builder;
    this.lastMonotonicMs = nowMonotonicMs;
    const ids = block.channels.map((name) => this.#channelId(builder, name, declared.get(name)?.unit ?? ''));
    const width = ids.length;
    const values = block.values.subarray(from * width, to * width);
    const points = countPoints({ values });
    // Only channels that have a point here join a lane: a column that is empty for now does not hold up the others.
    const hasPoint = (_: number, column: number) =>
      values.some((value, at) => at % width === column && Number.isFinite(value));
    this.#lanes.admit(points === values.length ? ids : ids.filter(hasPoint));
    this.#lanes.add(block, ids, from, to);
    let firstReadingMs = Number.POSITIVE_INFINITY;
    let lastReadingMs = Number.NEGATIVE_INFINITY;
    for (let row = from; row < to; row++) {
      firstReadingMs = Math.min(firstReadingMs, block.timesMs[row] as number);
      lastReadingMs = Math.max(lastReadingMs, block.timesMs[row] as number);
    }
    builder.change(this.row.id, { points, firstReadingMs, lastReadingMs });
    builder.sizeBytes += points * 8 + (to - from) * 8;
    return points;
  }

  /**
   * Decide P, which is not known, from the rows so far, when the time for it has come. Takes the declared interval of the source (null: not
   * declared) and the monotonic time.
   */
  measure(builder: CommitBuilder, intervalMs: number | null, nowMonotonicMs: number): void {
    this.#builder = builder;
    if (intervalMs !== null) this.#fix(AUTO_CHUNK_MS / intervalMs);
    else if (nowMonotonicMs - this.firstMonotonicMs >= AUTO_CHUNK_MS) this.#fix(this.#mostRows());
  }

  /** Seal everything that is open, however short, and end the stream. */
  close(builder: CommitBuilder, nowMs: number): void {
    this.#builder = builder;
    if (this.pointsPerChunk === null) this.#fix(this.#mostRows());
    this.#lanes.sealAll();
    for (const lane of this.#lanes.all) builder.removeLane(lane);
    builder.change(this.row.id, { closedMs: nowMs });
  }

  #mostRows(): number {
    let most = 0;
    for (const lane of this.#lanes.all) most = Math.max(most, lane.rows);
    return most;
  }

  #fix(wanted: number): void {
    const pointsPerChunk = Math.min(POINTS_PER_CHUNK_MAX, Math.max(1, Math.round(wanted)));
    this.pointsPerChunk = pointsPerChunk;
    this.#builder?.change(this.row.id, { pointsPerChunk });
    if (pointsPerChunk < POINTS_PER_CHUNK_MAX) this.#lanes.recut(pointsPerChunk);
  }

  #channelId(builder: CommitBuilder, name: string, unit: string): number {
    const known = this.#channels.get(name);
    if (known) return known.id;
    const id = this.#ids.nextChannelId();
    this.#channels.set(name, { id, unit });
    builder.addChannel({ id, streamId: this.row.id, name: serviceName(name, id), unit });
    return id;
  }
}

/** The service takes names of 1 to 255 characters; the id keeps names apart that are alike in their first 240. */
function serviceName(name: string, id: number): string {
  if (name.length === 0) return `channel ${id}`;
  return name.length <= CHANNEL_NAME_MAX ? name : `${name.slice(0, 240)} (${id})`;
}
