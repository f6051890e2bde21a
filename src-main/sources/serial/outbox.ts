// Between the line and the recorder: an instrument does not wait for a disk. One capture is under way at a time; what comes
// meanwhile is held, up to a bound. Beyond it, and when a capture is not taken, readings are lost, counted and named a gap.
//
// Bounds: 50,000 readings held beside the capture under way; 100 refusals in full, the rest counted. Invariant: readings go
// out in the order in which they were added, each once; `add` never waits.
import type { Readings } from '../../model/readings.ts';
import type { Capture, Refusal, SourceSink } from '../source.ts';

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

export class Outbox {
  readonly #sink: SourceSink;
  readonly #position: () => string;
  #rows: Row[] = [];
  #refusals: Refusal[] = [];
  #refusedCount = 0;
  #rowsRead = 0;
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
    this.#rowsRead += 1;
    this.#refusedCount += refusals.length;
    this.#refusals.push(...refusals.slice(0, Math.max(0, REFUSALS_MAX - this.#refusals.length)));
    for (const row of rows) {
      if (this.#rows.length < HELD_ROWS_MAX) this.#rows.push(row);
      else this.#lose([row]);
    }
    if (!this.#isUnderWay) void this.#handOver();
  }

  /** The position has changed without a reading: it goes out with what is handed over next, or alone. */
  changePosition(): void {
    this.#isPositionDue = true;
  }

  /** Hand over what is held, whatever is under way: nothing comes after it. */
  finish(): void {
    void this.#handOver();
  }

  async #handOver(): Promise<void> {
    while (this.#rowsRead > 0 || this.#isPositionDue) {
      const rows = this.#rows;
      const capture = this.#take();
      this.#isUnderWay = true;
      try {
        await this.#sink.capture(capture);
      } catch (error) {
        this.#lose(rows);
        this.#tellLost(error instanceof Error ? error.message : String(error));
      }
      this.#isUnderWay = false;
    }
    if (this.#lost) this.#tellLost('the disk did not take them in time');
  }

  #take(): Capture {
    const capture: Capture = {
      blocks: toBlocks(this.#rows),
      positions: [{ key: 'serial', value: this.#position() }],
      rowsRead: this.#rowsRead,
      refusals: this.#refusals,
      refusedCount: this.#refusedCount,
      origin: 'live',
      file: null,
    };
    this.#rows = [];
    this.#refusals = [];
    this.#refusedCount = 0;
    this.#rowsRead = 0;
    this.#isPositionDue = false;
    return capture;
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
