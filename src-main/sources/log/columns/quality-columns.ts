// Columns that say how good the values of a row are: `T1 Quality`, `Validity`, `Good` behind each number. A value that is called
// bad must not go out as if it were good, so it is refused with what was said of it.
import type { Dialect } from '../../../model/dialect.ts';
import { isBadWord, isGoodWord, isOpcWord } from '../cells/quality-words.ts';
import { isUnit } from '../cells/unit-grammar.ts';
import { type ColumnKind, isStreamed, type Layout } from '../parse/layout.ts';
import { isNamedIn } from './name-column.ts';
import { hearStatus, isFlag, statusOf, WORDS_MAX } from './status-columns.ts';

type Rows = readonly (readonly string[])[];
type Quality = NonNullable<Layout['qualities']>[number];
type Rule = Pick<Quality, 'code' | 'good'>;

/** Headers of such a column: alone, or behind the name of what it speaks of; and before it. */
const QUALITY =
  /^(?:(.*?)[\s_.:/-]*)?(?:opc[\s_-]?)?(?:quality|qualität|(?:is[\s_-]?)?valid|validity|gültig|gültigkeit|güte|status[\s_-]?code|quality[\s_-]?(?:detail|code|status))$/iu;
const QUALITY_OF = /^(?:quality|qualität|validity|valid)[\s_.:/-]+(?:of )?(.+)$/iu;
/** Behind the name of a value, and nowhere else. */
const SHORT = /[\s_.:/-](?:q|qc|qf|qual)$/i;
const VALIDITY = /valid|gültig/i;
const UA = /status[\s_-]?code/i;
/** Codes of OPC Data Access: bad, uncertain, good. */
const OPC = [
  [0, 31],
  [64, 95],
  [192, 219],
] as const;
const OPC_GOOD = 192;

/** A column of quality whose words or codes can mean one thing or the other. */
export interface UnclearQuality {
  readonly column: number;
  readonly words: readonly string[];
  /** Nothing else is called as it is: it may be a channel of its own. */
  readonly isOwn: boolean;
}

/**
 * Take the columns of quality.
 *
 * @param data - rows.
 * @param dialect - what it says of such columns; one that is called numeric is none.
 * @returns layout and kinds; or a column that is called so and does not tell which of its words are good.
 */
export function takeQualities(
  layout: Layout,
  kinds: readonly ColumnKind[],
  data: Rows,
  { quality: wanted, numeric }: Pick<Dialect, 'quality' | 'numeric'>,
): { layout: Layout; kinds: ColumnKind[] } | UnclearQuality {
  const found = new Map<number, Rule>();
  const asked = new Map<number, 'unclear' | 'unclear of one'>();
  // They speak of one value alone: behind several they may tell what a machine is doing.
  const ofOne = new Set<number>();
  const headerOf = (column: number) => layout.columns[column]?.header ?? '';
  const wordsOf = (column: number) => [...new Set(data.map((row) => row[column] ?? ''))];
  for (const [column, kind] of kinds.entries()) {
    const { header = '', name = '' } = layout.columns[column] ?? {};
    const said = wanted.find((one) => one.column === column + 1 || one.column === header || one.column === name);
    if (said !== undefined && kind !== 'time') found.set(column, { code: 'words', good: [...said.good] });
    else if (isNamedIn(numeric, layout, column)) continue;
    else if (kind === 'text' || kind === 'number' || kind === 'open') {
      const code = codeOf(isCalled(column, layout) ? header : '', header, kind, wordsOf(column), layout.columns);
      if (code === 'unclear' || code === 'unclear of one') asked.set(column, code);
      else if (code !== null) found.set(column, code === 'known' ? { code: 'words' } : code);
      if (code === 'known') ofOne.add(column);
    }
  }
  const all = [...found.keys(), ...asked.keys()].sort((a, b) => a - b);
  const isValue = (column: number) => isStreamed(kinds[column]) && !all.includes(column);
  const covered = all.map((column) => coverage(column, all, layout, isValue));
  const columnsOf = (column: number) => covered[all.indexOf(column)] ?? [];
  for (const column of ofOne) {
    const hasBad = columnsOf(column).length > 1 && wordsOf(column).some(isBadWord);
    if (hasBad) asked.set(column, 'unclear');
    if (columnsOf(column).length !== 1) found.delete(column);
  }
  for (const [column, code] of asked) {
    const words = wordsOf(column);
    // Beside codes of OPC it is the one of Wonderware's historian: 0 is good, 133 uncertain.
    const isTold =
      isCalled(column, layout) &&
      words.every((word) => /^\d*$/.test(word)) &&
      [...found].some(([other, rule]) => rule.code === 'opc' && `${columnsOf(other)}` === `${columnsOf(column)}`);
    if (isTold) found.set(column, { code: 'words', good: ['0', '133'] });
    else if (code === 'unclear of one' ? columnsOf(column).length === 1 : columnsOf(column).length > 0)
      return { column, words, isOwn: kinds[column] === 'number' && isOwnFlag(headerOf(column), layout.columns) };
  }
  const qualities = [...found].flatMap(([column, rule]): Quality[] => {
    const of = columnsOf(column);
    return of.length > 0 ? [{ column, of, ...rule }] : [];
  });
  if (qualities.length === 0) return { layout, kinds: [...kinds] };
  const own = kinds.map((kind, column) => (qualities.some((one) => one.column === column) ? 'status' : kind));
  return { layout: { ...layout, qualities }, kinds: own };
}

/** Its header calls a column one of quality; where the word stands in front, something must be called as what follows. */
function isCalled(column: number, { columns }: Layout): boolean {
  const { header = '' } = columns[column] ?? {};
  const behind = QUALITY_OF.exec(header)?.[1];
  if (behind === undefined) return QUALITY.test(header);
  return columns.some((other, index) => index !== column && plain(other.header) === plain(behind));
}

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** What the header of a column speaks of names another column. */
function isOfChannel(header: string, columns: Layout['columns']): boolean {
  const of = plain(statusOf(header) ?? '');
  return of !== '' && columns.some((other) => other.header !== header && namesOf(other).includes(of));
}

/** A flag of numbers that names no other column: it may be a channel. */
function isOwnFlag(header: string, columns: Layout['columns']): boolean {
  return isFlag(header) && !isOfChannel(header, columns);
}

/** What a header may speak of a column by: its header, its name, and either without the unit at its end, T for T_C. */
function namesOf({ header, name }: Layout['columns'][number]): string[] {
  return [header, name].flatMap((text) => {
    const [, own = '', unit = ''] = /^(.+?)[\s_.:/-]+\(?\[?([^\s_()[\]]+)[)\]]?$/.exec(text) ?? [];
    return isUnit(unit) ? [plain(text), plain(own)] : [plain(text)];
  });
}

/**
 * How the words of a column are read; null: it is none of quality. Takes its header where that calls it so, else nothing; its
 * header; its kind; its words, the empty one among them; all columns.
 */
function codeOf(
  called: string,
  header: string,
  kind: ColumnKind,
  cells: readonly string[],
  columns: Layout['columns'],
): Rule | ReturnType<typeof hearStatus> {
  const isOf = called !== '';
  const words = cells.filter((cell) => cell !== '');
  const isOwn = isFlag(header) || isOfChannel(header, columns);
  if (kind === 'open' && isOf) return { code: 'opc' };
  if (kind === 'number' && isOwn && SHORT.test(header))
    return numberCode('', words) ?? (areCodes(header, words) ? 'unclear' : null);
  if (kind === 'number') return isOf ? numberCode(called, words) : isOwn && areCodes(header, words) ? 'unclear' : null;
  const areWords = words.length > 0 && words.every((word) => isGoodWord(word) || isBadWord(word));
  if (areWords && (isOf || words.every(isOpcWord))) return { code: 'words' };
  if (isOf && words.every((word) => /^(?:true|false)$/i.test(word)))
    return { code: 'words', good: ['true', 'True', 'TRUE'] };
  if (UA.test(called) && words.every((word) => /^0x[0-9a-f]{8}$/i.test(word))) return { code: 'opc ua' };
  if (isOf) return words.length <= WORDS_MAX || words.some(isGoodWord) ? 'unclear' : null;
  return hearStatus(header, cells, isOwn);
}

/** Few whole numbers, as codes are; an error of numbers is a difference. */
function areCodes(header: string, words: readonly string[]): boolean {
  const isDifference = /err|fehler/i.test(header);
  return !isDifference && words.length <= WORDS_MAX && words.every((word) => /^\d+$/.test(word));
}

function numberCode(header: string, words: readonly string[]): Rule | 'unclear' | null {
  if (!words.every((word) => /^-?\d+$/.test(word))) return null;
  const values = words.map(Number);
  if (VALIDITY.test(header))
    return values.every((value) => value >= 0 && value <= 2) ? { code: 'words', good: ['1'] } : null;
  if (UA.test(header)) return { code: 'opc ua' };
  const isOpc = values.every((value) => OPC.some(([least, most]) => value >= least && value <= most));
  if (isOpc && values.some((value) => value >= OPC_GOOD)) return { code: 'opc' };
  // What is measured takes more values than these.
  return values.every((value) => value === 0 || value === 1) ? 'unclear' : null;
}

/** The columns of values of which one of quality speaks. */
function coverage(
  column: number,
  all: readonly number[],
  { columns }: Layout,
  isValue: (column: number) => boolean,
): number[] {
  const { header: own = '' } = columns[column] ?? {};
  const called = plain(QUALITY_OF.exec(own)?.[1] ?? QUALITY.exec(own)?.[1] ?? statusOf(own) ?? '');
  const values = columns.flatMap((_, index) => (isValue(index) ? [index] : []));
  const named = values.filter((index) => {
    const { [index]: other } = columns;
    return called !== '' && other !== undefined && namesOf(other).includes(called);
  });
  if (named.length > 0) return named;
  const former = all.filter((one) => one < column).at(-1) ?? -1;
  const between = values.filter((index) => index > former && index < column);
  if (between.length > 0) return between;
  if (former !== -1) return coverage(former, all, { columns } as Layout, isValue);
  const next = all.find((one) => one > column) ?? columns.length;
  return values.filter((index) => index > column && index < next);
}
