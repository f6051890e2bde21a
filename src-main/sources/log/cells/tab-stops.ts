// Tabs set cells apart, or set them under one another: which of the two shows in the rows. A tab that separates stands once
// between two cells, so that two in a row are an empty cell; tabs that align lead each cell of a column to the same stop.

/** Columns of characters from one tab stop to the next. */
const STOP = 8;

/**
 * Tell whether tabs, and no blanks of any number, separate the cells of rows that were cut at blanks.
 *
 * @param rows - the cells of each row, as many in all.
 * @param tabbed - the same lines, cut at each tab.
 * @param texts - the same lines.
 * @param delimiter - `whitespace` or `wide`.
 * @returns true where single tabs cut a row into the same cells and the cells of a column begin at different places.
 */
export function isCutByTabs(
  rows: readonly (readonly string[])[],
  tabbed: readonly (readonly string[])[],
  texts: readonly string[],
  delimiter: string,
): boolean {
  const isSingle = (row: readonly string[], index: number) => {
    const cells = tabbed[index] ?? [];
    return row.length > 1 && cells.length === row.length && cells.every((cell, at) => cell === row[at]);
  };
  if (!rows.some(isSingle)) return false;
  return new Set(texts.map((text) => cellPlaces(text, delimiter).join())).size > 1;
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
