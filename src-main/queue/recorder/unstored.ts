// What was taken from the sources and is not on disk yet. It matters only when the agent must end while the disk refuses:
// a log is read again from its committed position, but what an instrument said is said once. Its time becomes a gap, and
// its position goes on behind it, so that no later gap tells the same time again; what it marked is small, and kept.
//
// Bounds: of a source a count, a time from and to, and the last value of each position, whatever it said; marks one by one.
// Two of these are held at once: of the commit that is offered, and of the next one.
import type { Mark, MarkRow } from '../../model/marks.ts';
import type { GapRow, GivenUpCommit } from '../../model/queue.ts';
import type { Readings } from '../../model/readings.ts';

/** What is needed of a capture. */
export interface HeldCapture {
  readonly blocks: readonly Readings[];
  readonly positions: readonly { readonly key: string; readonly value: string }[];
  readonly marks?: readonly Mark[];
  /** Absent for sources without files. */
  readonly sourceBytes?: readonly unknown[];
}

interface HeldSource {
  points: number;
  fromMs: number;
  toMs: number;
  readonly positions: Map<string, string>;
}

/** The captures of one commit. */
export class HeldCaptures {
  readonly #live = new Map<string, HeldSource>();
  readonly #marks: MarkRow[] = [];
  #pointsInFiles = 0;

  /** Take a capture of so many points in. One with bytes of files is only counted: it is read again. */
  add(sourceId: string, { blocks, positions, marks = [], sourceBytes }: HeldCapture, points: number): void {
    if (sourceBytes !== undefined) {
      this.#pointsInFiles += points;
      return;
    }
    const held = this.#live.get(sourceId) ?? { points: 0, fromMs: Infinity, toMs: -Infinity, positions: new Map() };
    this.#live.set(sourceId, held);
    held.points += points;
    for (const { timesMs } of blocks) {
      for (const timeMs of timesMs) {
        held.fromMs = Math.min(held.fromMs, timeMs);
        held.toMs = Math.max(held.toMs, timeMs);
      }
    }
    for (const { key, value } of positions) held.positions.set(key, value);
    for (const mark of marks) this.#marks.push({ sourceId, ...mark });
  }

  /**
   * Give the captures up.
   *
   * @param sequence - the sequence of their commit.
   * @param gaps - the gaps that it held.
   * @param why - why the disk did not take it.
   */
  giveUp(sequence: number, gaps: readonly GapRow[], why: string): GivenUpCommit {
    const live = [...this.#live];
    const lost = live.filter(([, { points }]) => points > 0);
    return {
      sequence,
      gaps: [
        ...gaps,
        ...lost.map(([sourceId, { points, fromMs, toMs }]) => {
          return { sourceId, fromMs, toMs, cause: `${points} points could not be stored before the end: ${why}` };
        }),
      ],
      positions: live.flatMap(([sourceId, { positions }]) =>
        Array.from(positions, ([key, value]) => ({ sourceId, key, value })),
      ),
      marks: this.#marks,
      points: lost.reduce((sum, [, { points }]) => sum + points, 0) + this.#pointsInFiles,
      pointsInFiles: this.#pointsInFiles,
    };
  }
}
