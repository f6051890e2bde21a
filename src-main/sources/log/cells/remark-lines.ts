// Lines that begin as a remark: they can name the columns, and hold no data.
import { splitCells } from './cells.ts';

const REMARK = /^ *(?:#+|%+|\/\/) ?/;

/** True for a line that looks like a remark. */
export function isRemark(text: string): boolean {
  return REMARK.test(text);
}

/** A line without the mark of a remark. */
export function withoutMark(text: string): string {
  return text.replace(REMARK, '');
}

/**
 * Tell where # names a column. Between blanks it is a mark, or the name of the first column where the rows, or the line right
 * below, have one cell more; also where names with a blank in them are set apart by several.
 *
 * @param rows - lines as cells, remarks without their marks.
 * @param texts - the same lines as they stand.
 * @param width - cells of most lines that are no remarks.
 * @returns the rows, with # before the names where it is one.
 */
export function withCounters(rows: readonly string[][], texts: readonly string[], width: number): string[][] {
  return rows.map((row, index) => {
    const text = texts[index] ?? '';
    if (!/^#\s/.test(text)) return row;
    const names = splitCells(withoutMark(text), 'wide');
    if (names.length > 1 && names.length + 1 === width) return ['#', ...names];
    const isShort = row.length + 1 === width || row.length + 1 === rows[index + 1]?.length;
    return isShort ? ['#', ...row] : row;
  });
}
