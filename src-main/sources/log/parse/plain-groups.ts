// What a parser of groups knows of the lines before, where no heads stand among them: the last time of each group. Counts that
// begin again, or a header that comes again over counts, stop the reading: from where they count then nobody knows.
import { z } from 'zod';
import type { Layout, TimeGroup } from './layout.ts';

/** Counts may go back by so much, milliseconds: rows are not always in order. */
const AGAIN_MS = 10_000;

/** Groups on the way through a file. */
export interface GroupState {
  readonly groups: readonly TimeGroup[];
  /** Rows since they count. */
  row: number;
  /** The last time of each group; NaN or none: not seen yet. */
  last: number[];
  /** How far a count may go back, milliseconds. */
  readonly backMs: number;
  /** What must be known to go on. */
  readonly carry: string;
  /**
   * Take a line that may be no row.
   *
   * @returns `head`: it is none; `changed`: reading stops at it; null: it is a row.
   */
  take(line: string): 'head' | 'changed' | null;
}

export class PlainGroups implements GroupState {
  readonly groups: readonly TimeGroup[];
  readonly backMs = AGAIN_MS;
  row = 0;
  last: number[];
  readonly #headerText: string;
  readonly #comment: string | null;

  constructor({ groups = [], headerText, comment }: Layout, carry: string) {
    this.groups = groups;
    this.#headerText = headerText;
    this.#comment = comment;
    const last = carry === '' ? [] : z.array(z.number().nullable()).parse(JSON.parse(carry));
    this.last = last.map((ms) => ms ?? Number.NaN);
  }

  get carry(): string {
    return JSON.stringify(this.last);
  }

  take(line: string): 'head' | 'changed' | null {
    if (this.#comment !== null && line.startsWith(this.#comment)) return 'head';
    if (this.#headerText === '' || line.trim() !== this.#headerText) return null;
    return this.groups.some(({ format }) => format === undefined) ? 'changed' : 'head';
  }
}

/**
 * True when a count begins again.
 *
 * @param groupState - the groups so far.
 * @param times - the times of a row (NaN: none).
 */
export function beginsAgain({ groups, last, backMs }: GroupState, times: readonly number[]): boolean {
  return groups.some(
    ({ time, format }, index) =>
      time !== null && format === undefined && (times[index] as number) < (last[index] ?? Number.NaN) - backMs,
  );
}
