// Gives each point its number in its channel, and seals chunks.
//
// Chunk k of a channel is its points kP .. (k+1)P - 1, exactly P of them; only the last chunk of a closed stream may be
// shorter. One request carries channels whose stamps are identical, so channels are kept in lanes: all channels of a lane
// have had the same stamps since the stream began, hence the same number of points and the same open chunk. A reading
// that lacks a channel splits its lane in two; lanes never merge again. Bounds: a lane holds fewer than P rows; a stream
// has at most as many lanes as channels.
import { isAllFinite, type Readings } from '../../model/readings.ts';

/** The open chunk of some channels: `rows` points each, fewer than P. */
export interface OpenLane {
  readonly id: number;
  readonly channelIds: readonly number[];
  /** Index of the chunk being filled. */
  nextIndex: number;
  rows: number;
  /** Capacity P; the first `rows` entries count. */
  timesMs: Float64Array;
  /** One array of capacity P for each channel. */
  readonly columns: Float64Array[];
}

/** A slice ready to go: exactly P rows, or fewer at a stream's end. */
export interface SealedSlice {
  readonly channelIds: readonly number[];
  readonly index: number;
  readonly rows: number;
  readonly timesMs: Float64Array;
  /** Column after column. */
  readonly values: Float64Array;
}

/** What changed while rows were added; the caller turns it into a commit. */
export interface LaneChanges {
  readonly sealed: (slice: SealedSlice, lane: OpenLane) => void;
  /** The lane was split: its open rows now stand in the two others. */
  readonly split: (old: OpenLane, present: OpenLane, absent: OpenLane) => void;
  /** The lane is about to get rows. */
  readonly grown: (lane: OpenLane) => void;
  readonly nextLaneId: () => number;
}

/**
 * Make an empty lane.
 *
 * @param channelIds - its channels and P.
 * @param capacity - the rows it can hold.
 */
export function makeLane(id: number, channelIds: readonly number[], capacity: number): OpenLane {
  const columns = channelIds.map(() => new Float64Array(capacity));
  return { id, channelIds, nextIndex: 0, rows: 0, timesMs: new Float64Array(capacity), columns };
}

/**
 * Take a lane's open rows as one block.
 *
 * @param from - the first row wanted.
 * @returns copies, column after column.
 */
export function sliceLane(lane: OpenLane, from = 0): { rows: number; timesMs: Float64Array; values: Float64Array } {
  const rows = lane.rows - from;
  const values = new Float64Array(rows * lane.columns.length);
  for (const [c, column] of lane.columns.entries()) values.set(column.subarray(from, lane.rows), c * rows);
  return { rows, timesMs: lane.timesMs.slice(from, lane.rows), values };
}

/** Seal the lane's open rows, however many there are; nothing when there are none. */
function sealLane(lane: OpenLane, sealed: LaneChanges['sealed']): void {
  if (lane.rows === 0) return;
  sealed({ channelIds: lane.channelIds, index: lane.nextIndex, ...sliceLane(lane) }, lane);
  lane.nextIndex += 1;
  lane.rows = 0;
}

function part(lane: OpenLane, id: number, isWanted: (column: number) => boolean): OpenLane {
  const wanted = lane.channelIds.map((_, c) => c).filter(isWanted);
  const made = makeLane(
    id,
    wanted.map((c) => lane.channelIds[c] as number),
    lane.timesMs.length,
  );
  made.nextIndex = lane.nextIndex;
  made.rows = lane.rows;
  made.timesMs.set(lane.timesMs.subarray(0, lane.rows));
  for (const [at, c] of wanted.entries())
    made.columns[at]?.set((lane.columns[c] as Float64Array).subarray(0, lane.rows));
  return made;
}

/** The lanes of one stream. */
export class Lanes {
  readonly #changes: LaneChanges;
  #capacity: number;
  readonly #laneOf = new Map<number, OpenLane>();
  readonly #all = new Set<OpenLane>();

  constructor(pointsPerChunk: number, changes: LaneChanges) {
    this.#capacity = pointsPerChunk;
    this.#changes = changes;
  }

  get all(): ReadonlySet<OpenLane> {
    return this.#all;
  }

  /** Take in a lane as it is; its channels stand in it from now on. */
  put(lane: OpenLane): void {
    this.#all.add(lane);
    for (const id of lane.channelIds) this.#laneOf.set(id, lane);
  }

  /** Channels seen for the first time begin in a lane of their own, together. */
  admit(channelIds: readonly number[]): void {
    const fresh = channelIds.filter((id) => !this.#laneOf.has(id));
    if (fresh.length > 0) this.put(makeLane(this.#changes.nextLaneId(), fresh, this.#capacity));
  }

  /**
   * Add rows `from` up to (not with) `to` of a block. Takes the block and the channel id of each of its columns; all ids
   * admitted before.
   */
  add(block: Readings, channelIds: readonly number[], from: number, to: number): void {
    const width = channelIds.length;
    const columnOf = new Map(channelIds.map((id, column) => [id, column]));
    const isWhole = isAllFinite(block.values.subarray(from * width, to * width));
    // Two rows with the same cells missing touch the same lanes, so lanes are looked up again only when that changes.
    for (let start = from; start < to; ) {
      let end = isWhole ? to : start + 1;
      while (end < to && hasSameCells(block.values, width, start, end)) end += 1;
      const isPresent = (id: number) => {
        const column = columnOf.get(id);
        return column !== undefined && Number.isFinite(block.values[start * width + column]);
      };
      for (const lane of this.#touched(channelIds, isPresent)) this.#fill(lane, block, columnOf, width, start, end);
      start = end;
    }
  }

  /** Close the stream: seal what is open, however short. */
  sealAll(): void {
    for (const lane of this.#all) sealLane(lane, this.#changes.sealed);
  }

  /**
   * Fix P after the first readings have been measured: chunks are cut again.
   *
   * @param pointsPerChunk - a P not above the one so far. Nothing may have been sealed yet.
   */
  recut(pointsPerChunk: number): void {
    this.#capacity = pointsPerChunk;
    for (const lane of [...this.#all]) {
      const cut = makeLane(lane.id, lane.channelIds, pointsPerChunk);
      this.#all.delete(lane);
      this.put(cut);
      for (let row = 0; row < lane.rows; ) {
        const count = Math.min(lane.rows - row, pointsPerChunk - cut.rows);
        this.#changes.grown(cut);
        cut.timesMs.set(lane.timesMs.subarray(row, row + count), cut.rows);
        for (const [c, column] of cut.columns.entries()) {
          column.set((lane.columns[c] as Float64Array).subarray(row, row + count), cut.rows);
        }
        cut.rows += count;
        row += count;
        if (cut.rows === pointsPerChunk) sealLane(cut, this.#changes.sealed);
      }
    }
  }

  /** Lanes that get the reading, after those that only partly get it have been split. */
  #touched(channelIds: readonly number[], isPresent: (id: number) => boolean): Set<OpenLane> {
    const touched = new Set<OpenLane>();
    for (const id of channelIds) {
      if (!isPresent(id)) continue;
      const lane = this.#laneOf.get(id);
      if (!lane || touched.has(lane)) continue;
      touched.add(lane.channelIds.every(isPresent) ? lane : this.#split(lane, isPresent));
    }
    return touched;
  }

  #split(lane: OpenLane, isPresent: (id: number) => boolean): OpenLane {
    const has = (column: number) => isPresent(lane.channelIds[column] as number);
    const present = part(lane, this.#changes.nextLaneId(), has);
    const absent = part(lane, this.#changes.nextLaneId(), (column) => !has(column));
    this.#all.delete(lane);
    this.put(present);
    this.put(absent);
    this.#changes.split(lane, present, absent);
    return present;
  }

  #fill(
    lane: OpenLane,
    block: Readings,
    columnOf: ReadonlyMap<number, number>,
    width: number,
    from: number,
    to: number,
  ): void {
    const sources = lane.channelIds.map((id) => columnOf.get(id) as number);
    for (let row = from; row < to; ) {
      const count = Math.min(to - row, this.#capacity - lane.rows);
      this.#changes.grown(lane);
      lane.timesMs.set(block.timesMs.subarray(row, row + count), lane.rows);
      for (const [c, column] of lane.columns.entries()) {
        const source = sources[c] as number;
        for (let i = 0; i < count; i++) column[lane.rows + i] = block.values[(row + i) * width + source] as number;
      }
      lane.rows += count;
      row += count;
      if (lane.rows === this.#capacity) sealLane(lane, this.#changes.sealed);
    }
  }
}

function hasSameCells(values: Float64Array, width: number, rowA: number, rowB: number): boolean {
  for (let c = 0; c < width; c++) {
    if (Number.isFinite(values[rowA * width + c]) !== Number.isFinite(values[rowB * width + c])) return false;
  }
  return true;
}
