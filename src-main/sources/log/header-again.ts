// A header in the middle of a file: the same again is passed over, another one stops the reading.
import { shapeOfCell } from './cell-shape.ts';
import { splitCells } from './cells.ts';
import type { Layout } from './layout.ts';

/**
 * Is a line that holds no data the header again, or another one?
 * **Takes**: its text, blanks trimmed, and the layout. **Gives**: `changed` for a line of words that names a known column
 * and is not the header; null for any other line.
 */
export function tellHeader(
  text: string,
  { headerText, columns, delimiter, decimal }: Layout,
): 'header' | 'changed' | null {
  if (headerText === '') return null;
  if (text === headerText) return 'header';
  const cells = splitCells(text, delimiter).filter((cell) => cell !== '');
  const isWords = cells.length > 1 && cells.every((cell) => shapeOfCell(cell, decimal) === 'text');
  return isWords && columns.some(({ header }) => header !== '' && cells.includes(header)) ? 'changed' : null;
}
