// A line pattern of a dialect that cuts the lines of a table, written for a person to paste: where the word in one column says what
// the others hold (a device, a unit), each word gets groups of its own.
import { compileLinePattern } from '../../../model/line-pattern.ts';

export interface Table {
  readonly delimiter: string;
  readonly width: number;
  /** Columns (from 0) of the time, at the beginning of the line. */
  readonly timeColumns: readonly number[];
  /** The column of the words, and these. */
  readonly switchColumn: number;
  readonly words: readonly string[];
  /** Columns of values, and what each is called beside a word; the same for each word: it does not hang on it. */
  readonly values: readonly number[];
  nameOf(column: number, word: string): string;
}

/**
 * Write the pattern.
 *
 * @returns with the names of its groups as `idOf` gives them; null where none can be written: the separator is none of one
 *   character, the time does not come first, or it would be too long.
 */
export function writePattern(table: Table): string | null {
  const { delimiter, width, timeColumns, switchColumn, words, values, nameOf } = table;
  const isFirst = timeColumns.every((column, index) => column === index) && timeColumns.length <= 2;
  if (delimiter.length !== 1 || !isFirst) return null;
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
  return compileLinePattern(pattern).isValid ? pattern : null;
}

/** A name as a group of a pattern can have it. */
export function idOf(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
  return /^[A-Za-z]/.test(plain) ? plain : `v_${plain}`;
}

function literal(text: string): string {
  return text.replace('\t', '\\t').replace(/[.*+?^${}()|[\]]/g, '\\$&');
}
