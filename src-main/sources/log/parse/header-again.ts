// A header in the middle of a file: the same again is skipped, another one stops the reading.
import { shapeOfCell } from '../cells/cell-shape.ts';
import { splitCells } from '../cells/cells.ts';
import { isKeyed } from '../cells/keyed-lines.ts';
import { tellUnitsRow, unitsOf } from '../cells/unit-names.ts';
import { isTimeName } from '../time/time-names.ts';
import { type Layout, widthOf } from './layout.ts';

/** Cells from which words cut at blanks are taken for names of columns, and not for a sentence. */
const NAMES_AT_BLANKS = 4;

/**
 * Is a line that holds no data the header again, or another one?
 *
 * @returns `changed` for a line of words that names a known column and is not the header, for one that has a word for every
 *   column, and for a line of other units; null for any other line.
 */
export function tellHeader(text: string, layout: Layout): 'header' | 'changed' | null {
  const { headerText, columns, delimiter, decimal } = layout;
  // Such a line is its own header: it was cut into more cells than are known.
  if (isKeyed(delimiter)) return splitCells(text, delimiter).length > widthOf(layout) ? 'changed' : null;
  if (headerText !== '' && text.trim() === headerText) return 'header';
  const all = splitCells(text, delimiter);
  const units = tellUnits(all, layout);
  if (units !== null) return units;
  const cells = all.filter((cell) => cell !== '');
  const shapes = cells.map((cell) => shapeOfCell(cell, decimal));
  // A column may be called #, which is no value elsewhere.
  const isWord = (shape: string) => shape === 'text' || shape === 'token';
  const isWords = cells.length > 1 && shapes.includes('text') && shapes.every(isWord);
  // Where the time is called by its name the others may be called by numbers.
  const isTimed = layout.timeColumns.every((column) => {
    const { header = '' } = columns[column] ?? {};
    return header !== '' && all[column] === header;
  });
  if (isTimed && headerText !== '') return 'changed';
  if (!isWords) return null;
  const isKnown = columns.some(({ header }) => header !== '' && cells.includes(header));
  if (headerText !== '' && isKnown) return 'changed';
  // A table of means behind the rows has names of its own, and none of a time: its lines are refused with their text.
  const isTimeNamed = layout.timeColumns.some((column) => isTimeName(all[column] ?? ''));
  if (headerText !== '' && !isTimeNamed && layout.timeColumns.every((column) => columns[column]?.header !== ''))
    return null;
  // Names that a person gave are not those of the file: then its own header is one more line that is refused.
  if (headerText === '' && columns.some(({ header }) => header !== '')) return null;
  const isCutAtBlanks = delimiter === 'whitespace' || delimiter === 'wide';
  const isOneEach = cells.length === widthOf(layout) && cells.length === all.length;
  return isOneEach && (!isCutAtBlanks || cells.length >= NAMES_AT_BLANKS) ? 'changed' : null;
}

/** A line of units below a header that comes again; null: it is none. */
function tellUnits(cells: readonly string[], layout: Layout): 'header' | 'changed' | null {
  const { headerText, columns, timeColumns } = layout;
  const names = columns.map(({ header }) => header);
  if (headerText === '' || tellUnitsRow(cells, names, timeColumns) !== 'units') return null;
  const units = unitsOf(cells, names, widthOf(layout), timeColumns);
  const isSame = units.every((unit, index) => timeColumns.includes(index) || unit === columns[index]?.unit);
  return isSame ? 'header' : 'changed';
}
