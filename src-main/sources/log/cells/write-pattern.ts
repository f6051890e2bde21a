// A line pattern of a dialect that cuts the lines of a table, written for a person to paste: where the word in one column says what
// the others hold (a device, a unit), each word gets groups of its own.
//
// Such a pattern stands in for the table: what it does not take, nobody sees. So none is written where it would drop a column that
// is read or watched, and each is tried on the lines that it was made from: it must take from them what the table says.
import { compileLinePattern, type LinePattern } from '../../../model/line-pattern.ts';
import { isUnit } from './unit-grammar.ts';

/** The rows of a table and, in the same order, their lines. */
export interface Sample {
  readonly rows: readonly (readonly string[])[];
  readonly lines: readonly string[];
}

export interface Table {
  readonly delimiter: string;
  readonly width: number;
  /** Columns that are left out as text in any case. */
  readonly texts: readonly number[];
  /** Columns (from 0) of the time, at the beginning of the line. */
  readonly timeColumns: readonly number[];
  /** The column of the words, and these. */
  readonly switchColumn: number;
  readonly words: readonly string[];
  /** Columns of values, and what each is called beside a word; the same for each word: it does not hang on it. */
  readonly values: readonly number[];
  nameOf(column: number, word: string): string;
  readonly sample: Sample;
}

/**
 * Write the pattern.
 *
 * @returns with the names of its groups as `idOf` gives them; null where none can be written: the separator is none of one
 *   character, the time does not come first, it would be too long, it would drop a column that is not left out already, or a
 *   line of the sample does not fit it.
 */
export function writePattern(table: Table): string | null {
  const { delimiter, width, timeColumns, switchColumn, words, values, nameOf } = table;
  const columns = Array.from({ length: width }, (_, column) => column);
  const isFirst = timeColumns.every((column, index) => column === index) && timeColumns.length <= 2;
  if (delimiter.length !== 1 || !isFirst || !columns.every((column) => isCarried(table, column))) return null;
  const mark = literal(delimiter);
  const cell = `[^${mark}]*`;
  const group = (name: string) => `(?P<${idOf(name)}>${cell})`;
  const isOpen = (column: number) => new Set(words.map((word) => nameOf(column, word))).size > 1;
  const switched = [switchColumn, ...values.filter(isOpen)];
  const [low, high] = [Math.min(...switched), Math.max(...switched)];
  const times = timeColumns.length === 1 ? ['time'] : ['date', 'time'];
  const partOf = (column: number, word: string) => {
    if (timeColumns.includes(column)) return group(times[column] ?? '');
    if (column === switchColumn) return literal(word);
    return values.includes(column) ? group(nameOf(column, word)) : cell;
  };
  const join = (from: number, to: number, word: string) =>
    Array.from({ length: to - from }, (_, index) => partOf(from + index, word)).join(mark);
  const way = `(?:${words.map((word) => join(low, high + 1, word)).join('|')})`;
  const [first = ''] = words;
  const parts = [join(0, low, first), way, join(high + 1, width, first)];
  const pattern = parts.filter((part) => part !== '').join(mark);
  const compiled = compileLinePattern(pattern);
  return compiled.isValid && readsSample(compiled, times, table) ? pattern : null;
}

/**
 * A column that the pattern takes, or that the table leaves out as text. A column of units is left out only until it is asked
 * what they are of; what a person leaves out may be named by a number, which would count the groups.
 */
function isCarried({ texts, timeColumns, switchColumn, values, sample }: Table, column: number): boolean {
  if (timeColumns.includes(column) || column === switchColumn || values.includes(column)) return true;
  const cells = sample.rows.map((row) => row[column] ?? '').filter((cell) => cell !== '');
  return texts.includes(column) && !cells.every(isUnit);
}

/** The pattern fits each line of the sample, and takes from it what stands in the cells of the row. */
function readsSample({ groups, match }: LinePattern, times: readonly string[], table: Table): boolean {
  const { timeColumns, switchColumn, values, nameOf, sample } = table;
  return sample.lines.every((line, at) => {
    const row = sample.rows[at] ?? [];
    const word = row[switchColumn] ?? '';
    const timed = timeColumns.map((column, index) => [times[index] ?? '', row[column] ?? ''] as const);
    const said = new Map([
      ...timed,
      ...values.map((column) => [idOf(nameOf(column, word)), row[column] ?? ''] as const),
    ]);
    const taken = match(line);
    return taken?.every((cell, group) => cell === (said.get(groups[group] ?? '') ?? '')) === true;
  });
}

/** A name as a group of a pattern can have it. */
export function idOf(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
  return /^[A-Za-z]/.test(plain) ? plain : `v_${plain}`;
}

function literal(text: string): string {
  return text.replace('\t', '\\t').replace(/[.*+?^${}()|[\]]/g, '\\$&');
}
