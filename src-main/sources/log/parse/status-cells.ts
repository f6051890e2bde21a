// Cells that say how good the values of their line are, as the parser of rows needs them: what a bad one speaks of is taken back
// once the line is read, wherever it stands.
import { isGoodQuality } from '../cells/quality-words.ts';
import { isUnit } from '../cells/unit-grammar.ts';
import type { Layout } from './layout.ts';

/** What one column says, and of which. */
interface Judge {
  readonly of: readonly number[];
  isGood(text: string): boolean;
  /** Its words are units: a value beside another one belongs to other rows. */
  readonly isUnit: boolean;
  /** It stands before the values that it names: another word there names others. */
  readonly isName: boolean;
}

/** Takes back a value of a line; gives 1 when there was one. */
type TakeBack = (column: number, begin: number, end: number) => 0 | 1;

export class StatusCells {
  readonly #judges = new Map<number, Judge>();
  /** What this line calls bad, and where it says so. */
  readonly #bad: { readonly judge: Judge; readonly begin: number; readonly end: number }[] = [];
  /** This line calls some value bad. */
  hasBad = false;
  /** A cell of this line names other channels than the file has there. */
  isOther = false;
  /** A value of this line was taken back for its unit. */
  isAltered = false;

  constructor({ statuses = [], qualities = [] }: Pick<Layout, 'statuses' | 'qualities'>) {
    for (const { column, of, good } of statuses) {
      const words = new Set(good);
      const isName = of > column;
      this.#judges.set(column, { of: [of], isGood: (text) => words.has(text), isUnit: good.every(isUnit), isName });
    }
    for (const { column, of, code, good } of qualities) {
      const isGood = (text: string) => good?.includes(text) ?? isGoodQuality(text, code);
      const isUnits = good?.every(isUnit) === true;
      this.#judges.set(column, { of, isGood, isUnit: isUnits, isName: false });
    }
  }

  beginLine(): void {
    if (!this.hasBad && !this.isOther) return;
    this.#bad.length = 0;
    this.hasBad = this.isOther = this.isAltered = false;
  }

  /** Hear a cell that is not empty. */
  hear(column: number, text: string, begin: number, end: number): void {
    const judge = this.#judges.get(column);
    if (judge === undefined || judge.isGood(text)) return;
    if (judge.isName) this.isOther = true;
    else {
      this.hasBad = true;
      this.#bad.push({ judge, begin, end });
    }
  }

  /**
   * Take back what was called bad.
   *
   * @param takeBack - takes back the value of a column, with the place of the cell that speaks of it.
   * @returns how many values there were.
   */
  take(takeBack: TakeBack): number {
    let taken = 0;
    for (const { judge, begin, end } of this.#bad) {
      for (const column of judge.of) {
        const were = takeBack(column, begin, end);
        taken += were;
        if (were > 0 && judge.isUnit) this.isAltered = true;
      }
    }
    return taken;
  }
}
