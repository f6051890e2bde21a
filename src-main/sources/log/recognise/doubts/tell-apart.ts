// The line pattern that gives the values beside each word of a column channels of their own.
import { type Sample, writePattern } from '../../cells/write-pattern.ts';
import type { ColumnKind, Layout } from '../../parse/layout.ts';

/** A pattern, and the columns of values that it takes. */
export interface Apart {
  readonly line: string;
  readonly values: readonly number[];
}

/**
 * Write the pattern.
 *
 * @param column - the column of the words.
 * @param words - its words.
 * @param nameOf - what a column of values is called beside a word; the same for each word: it does not hang on it.
 * @returns null where no pattern can say it.
 */
export function tellApart(
  { delimiter, columns, timeColumns }: Layout,
  kinds: readonly ColumnKind[],
  sample: Sample,
  column: number,
  words: readonly string[],
  nameOf: (column: number, word: string) => string,
): Apart | null {
  const columnsOf = (...wanted: readonly ColumnKind[]) =>
    kinds.flatMap((kind, index) => (wanted.includes(kind) ? [index] : []));
  const values = columnsOf('number', 'whole');
  const table = { delimiter, width: columns.length, timeColumns, texts: columnsOf('text'), values, sample };
  const line = writePattern({ ...table, switchColumn: column, words, nameOf });
  return line === null ? null : { line, values };
}
