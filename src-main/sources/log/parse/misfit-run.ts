// Lines of data that do not fit the rows before them. A single one is damaged, and refused with its text; several one behind
// the other are rows of another kind, and what stands from the first of them on waits for a person.
import type { RefusalList } from './refusal-list.ts';

/** Lines one behind the other from which on the rows are of another kind. */
export const MISFITS_MAX = 3;

/** What a block has given up to a line. */
interface Place {
  readonly line: number;
  readonly lineStart: number;
  readonly rows: number;
  readonly rowsRead: number;
  readonly linesRefused: number;
  readonly lastMs: number;
}

export class MisfitRun {
  /** Lines one behind the other, up to here, that do not fit. */
  count = 0;
  readonly #refusals: RefusalList;
  #first: Place | null = null;

  constructor(refusals: RefusalList) {
    this.#refusals = refusals;
  }

  /**
   * Add a line, with what was given before it.
   *
   * @returns where reading stops; null: it goes on.
   */
  add(place: Place): Place | null {
    this.count += 1;
    if (this.count === 1) {
      this.#refusals.mark();
      this.#first = place;
    }
    if (this.count < MISFITS_MAX) return null;
    this.#refusals.takeBackToMark();
    return this.#first;
  }
}
