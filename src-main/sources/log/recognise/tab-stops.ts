// Tabs set cells apart, or set them under one another: which of the two shows in the rows. A tab that separates stands once
// between two cells, so that two in a row are an empty cell; tabs that align lead each cell of a column to the same stop.
import type { Cut, Line } from './cut.ts';

/** Columns of characters from one tab stop to the next. */
const STOP = 8;

/**
 * Tell whether tabs, and no blanks of any number, separate the cells of a cut at blanks.
 *
 * @param tabbed - the same lines, cut at each tab.
 * @returns true where single tabs cut a row into the same cells and the cells of a column begin at different places.
 */
export function isCutByTabs(
  { rows, first, width, delimiter }: Cut,
  tabbed: Cut['rows'],
  lines: readonly Line[],
): boolean {
  const indexes = rows.flatMap((row, index) => (index >= first && row.length === width ? [index] : []));
  const isSingle = (index: number) => {
    const cells = tabbed[index] ?? [];
    return cells.length === width && cells.every((cell, at) => cell === rows[index]?.[at]);
  };
  if (width < 2 || !indexes.some(isSingle)) return false;
  const places = new Set(indexes.map((index) => cellPlaces(lines[index]?.text ?? '', delimiter).join()));
  return places.size > 1;
}

/** Where the cells of a line begin on a screen. */
function cellPlaces(text: string, delimiter: string): number[] {
  const expanded = [...text].reduce(
    (line, letter) => line + (letter === '\t' ? ' '.repeat(STOP - (line.length % STOP)) : letter),
    '',
  );
  const cell = delimiter === 'wide' ? /[^ ]+(?: [^ ]+)*/g : /[^ ]+/g;
  return [...expanded.matchAll(cell)].map(({ index }) => index);
}
