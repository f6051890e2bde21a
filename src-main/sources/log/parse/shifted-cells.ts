// Lines cut at blanks, where a text of two words takes the place of an empty cell: as many cells as a row has, and each number
// behind the text under the name of another column. No number of such a line can be trusted.
import { TOKEN } from '../cells/cell-shape.ts';
import { CODE, KIND } from './column-codes.ts';
import type { Layout } from './layout.ts';

type Span = readonly [begin: number, end: number];

/** Share of rows that may stand elsewhere than below the words of their header, where these show the columns; one always may. */
const OTHER_SHARE = 0.1;
const ROWS_LEAST = 4;

/** Where the words of a line stand, counted from the first. */
function spansOf(text: string): Span[] {
  const trimmed = text.trim();
  return [...trimmed.matchAll(/\S+/g)].map((word) => [word.index, word.index + word[0].length]);
}

const areOver = ([begin, end]: Span, [other, behind]: Span) => begin < behind && other < end;

/**
 * A cell ends before its own name begins: it is of a column before. Or it begins where the next name does, behind several blanks:
 * it is of a column behind. One that a long number has pushed on has one blank before it.
 */
function isElsewhere(header: readonly Span[], text: string): boolean {
  const spans = spansOf(text);
  return spans.some(([begin, end], column) => {
    const isBehind = begin >= (header[column + 1]?.[0] ?? Number.POSITIVE_INFINITY);
    return end <= (header[column]?.[0] ?? 0) || (isBehind && begin - (spans[column - 1]?.[1] ?? 0) > 1);
  });
}

/** Blanks fill the columns of a line up. */
const PADDED = /\S {2,}\S/;

/**
 * Tell whether rows that are cut at blanks stand in columns below the words of their header.
 *
 * @param rows - lines of as many cells as the header has names.
 * @returns false too where tabs are among the blanks, where these fill no columns up, or too few rows show it.
 */
export function areAligned(headerText: string, width: number, rows: readonly string[]): boolean {
  const header = spansOf(headerText);
  if (header.length !== width || rows.length < ROWS_LEAST) return false;
  if ([headerText, ...rows].some((text) => text.trim().includes('\t'))) return false;
  const isBelow = (text: string) => {
    const cells = spansOf(text);
    return (
      PADDED.test(text) &&
      cells.length === width &&
      cells.every((cell, column) => areOver(cell, header[column] as Span))
    );
  };
  const others = rows.filter((text) => !isBelow(text)).length;
  return others <= Math.max(1, OTHER_SHARE * rows.length);
}

/** Finds the lines of a file whose cells are shifted. */
export class ShiftedCells {
  readonly #isCutAtBlanks: boolean;
  readonly #header: readonly Span[];
  /** Words that a column of numbers may hold. */
  readonly #known: ReadonlySet<string>;

  constructor({ delimiter, isAligned, headerText, absent, refused, states }: Layout) {
    this.#isCutAtBlanks = delimiter === 'whitespace';
    this.#header = isAligned === true ? spansOf(headerText) : [];
    this.#known = new Set([...absent, ...refused, ...Object.keys(states)]);
  }

  /**
   * Tell whether a line may be shifted: a cell stands before its name; or, where no header shows the columns, a word stands
   * where a number belongs, beside a column of texts that it may be of, or behind another word.
   *
   * @param codes - what each column holds.
   */
  isShifted(text: string, cells: readonly string[], codes: Uint8Array): boolean {
    if (!this.#isCutAtBlanks) return false;
    if (this.#header.length > 0) return isElsewhere(this.#header, text);
    const isWord = (cell: string | undefined) =>
      cell !== undefined && /^\p{L}/u.test(cell) && !TOKEN.test(cell) && !this.#known.has(cell);
    const isMisfit = (cell: string, column: number) =>
      (codes[column] === CODE.number || codes[column] === CODE.whole) && isWord(cell);
    // One that is left out may be one of texts.
    const mayHoldTexts = codes.includes(KIND.text) || codes.includes(KIND.skip);
    if (mayHoldTexts) return cells.some(isMisfit);
    const isSecond = (cell: string, column: number) =>
      isMisfit(cell, column) &&
      codes[column - 1] !== KIND.time &&
      isWord(cells[column - 1]) &&
      cell !== cells[column - 1];
    return PADDED.test(text) && cells.some(isSecond);
  }
}
