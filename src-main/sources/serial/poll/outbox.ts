// Between the line and the recorder: an instrument does not wait for a disk. One capture is under way at a time; what comes
// meanwhile is held, up to a bound. Beyond it, and when a capture is not taken, readings are lost, counted and named a gap.
//
// Bounds: 50,000 readings held beside the capture under way; 100 refusals in full, the rest counted. Invariants: readings go
// out in the order in which they were added, each once, and under the units that were declared when they were; `add` never
// waits.
import type { ChannelDeclaration } from '../../../model/channel.ts';
import type { Readings } from '../../../model/readings.ts';
import type { Refusal, SourceSink } from '../../source.ts';

/** Readings that are held at most: some hours of polls, or minutes of a fast counter. */
const HELD_ROWS_MAX = 50_000;
/** Refusals of a capture that are handed over in full. */
const REFUSALS_MAX = 100;

/** One reading: values of some channels at a time; NaN: no point. */
export interface Row {
  readonly channels: readonly string[];
  readonly atMs: number;
  readonly values: readonly number[];
}

/** What goes out together: what was added since the channels were declared last. */
interface Batch {
  /** Told before it; null: nothing has changed. */
  readonly declaration: readonly ChannelDeclaration[] | null;
  rows: Row[];
  refusals: Refusal[];
  refusedCount: number;
  rowsRead: number;
}

const newBatch = (declaration: Batch['declaration']): Batch => ({
  declaration,
  rows: [],
  refusals: [],
  refusedCount: 0,
  rowsRead: 0,
});

export class Outbox {
  readonly #sink: SourceSink;
  readonly #position: () => string;
  /** Before the last one, which is added to. */
  #full: Batch[] = [];
  #last = newBatch(null);
  #heldRows = 0;
  #isUnderWay = false;
  #isPositionDue = false;
  #lost: { fromMs: number; toMs: number; count: number } | null = null;

  /** Takes the sink, and the position to commit with each capture. */
  constructor(sink: SourceSink, position: () => string) {
    this.#sink = sink;
    this.#position = position;
  }

  /** Take a reply with its readings and refused cells; never waits. */
  add(rows: readonly Row[], refusals: readonly Refusal[]): void {
    const batch = this.#last;
    batch.rowsRead += 1;
    batch.refusedCount += refusals.length;
    batch.refusals.push(...refusals.slice(0, Math.max(0, REFUSALS_MAX - batch.refusals.length)));
    for (const row of rows) {
      if (this.#heldRows < HELD_ROWS_MAX) batch.rows.push(row);
      else this.#lose([row]);
    }
    this.#heldRows += Math.min(rows.length, HELD_ROWS_MAX - this.#heldRows);
    if (!this.#isUnderWay) void this.#handOver();
  }

  /** Declare channels for what is added from now on; what was added before goes out under its own. */
  declare(channels: readonly ChannelDeclaration[]): void {
    if (this.#last.rowsRead > 0) this.#full.push(this.#last);
    this.#last = newBatch(channels);
    if (!this.#isUnderWay) void this.#handOver();
  }

  /** The position has changed without a reading: it goes out with what is handed over next, or alone. */
  changePosition(): void {
    this.#isPositionDue = true;
  }

  /** Hand over what is held, whatever is under way: nothing comes after it. */
  finish(): void {
    for (let batch = this.#take(); batch !== null; batch = this.#take()) void this.#give(batch);
  }

  async #handOver(): Promise<void> {
    for (let batch = this.#take(); batch !== null; batch = this.#take()) {
      this.#isUnderWay = true;
      await this.#give(batch);
      this.#isUnderWay = false;
    }
    if (this.#lost) this.#tellLost('the disk did not take them in time');
  }

  /** The oldest batch, with what is declared before it told; null when there is nothing to hand over. */
  #take(): Batch | null {
    const batch = this.#full.shift() ?? this.#last;
    if (batch === this.#last) this.#last = newBatch(null);
    if (batch.declaration) this.#sink.declare(batch.declaration);
    this.#heldRows -= batch.rows.length;
    return batch.rowsRead > 0 || this.#isPositionDue ? batch : null;
  }

  async #give({ rows, refusals, refusedCount, rowsRead }: Batch): Promise<void> {
    const positions = [{ key: 'serial', value: this.#position() }];
    this.#isPositionDue = false;
    try {
      const read = { blocks: toBlocks(rows), rowsRead, refusals, refusedCount };
      await this.#sink.capture({ ...read, positions, origin: 'live' });
    } catch (error) {
      this.#lose(rows);
      this.#tellLost(error instanceof Error ? error.message : String(error));
    }
  }

  #lose(rows: readonly Row[]): void {
    for (const { atMs } of rows) {
      const { fromMs, toMs, count } = this.#lost ?? { fromMs: atMs, toMs: atMs, count: 0 };
      this.#lost = { fromMs: Math.min(fromMs, atMs), toMs: Math.max(toMs, atMs), count: count + 1 };
    }
  }

  #tellLost(why: string): void {
    if (!this.#lost) return;
    const { fromMs, toMs, count } = this.#lost;
    this.#lost = null;
    this.#sink.gap(fromMs, toMs, `${count} readings could not be stored: ${why}`);
  }
}

/** Readings of the same channels make one block, in their order. */
function toBlocks(rows: readonly Row[]): Readings[] {
  const groups = new Map<readonly string[], Row[]>();
  for (const row of rows) {
    const group = groups.get(row.channels);
    if (group) group.push(row);
    else groups.set(row.channels, [row]);
  }
  return [...groups].map(([channels, group]) => ({
    channels,
    timesMs: Float64Array.from(group, ({ atMs }) => atMs),
    values: Float64Array.from(group.flatMap(({ values }) => values)),
  }));
}
