// Columns that say how good the values of a row are: `T1 Quality`, `Validity`, `Good` behind each number. A value that is called
// bad must not go out as if it were good, so it is refused with what was said of it.
import type { Dialect } from '../../../model/dialect.ts';
import { isGoodWord, isQualityWord } from '../cells/quality-words.ts';
import { type ColumnKind, isStreamed, type Layout } from '../parse/layout.ts';

type Rows = readonly (readonly string[])[];
type Quality = NonNullable<Layout['qualities']>[number];

/** Headers of such a column: alone, or behind the name of what it speaks of; and before it. */
const QUALITY =
  /^(?:(.*?)[\s_.:/-]*)?(?:opc[\s_-]?)?(?:quality|qualität|(?:is[\s_-]?)?valid|validity|gültig|gültigkeit|güte|status[\s_-]?code|quality[\s_-]?(?:detail|code|status))$/iu;
const QUALITY_OF = /^(?:quality|qualität|validity|valid)[\s_.:/-]+(?:of )?(.+)$/iu;
const VALIDITY = /valid|gültig/i;
const UA = /status[\s_-]?code/i;
const STATUS = /^(?:.*[\s_.:/-])?(?:status|state|stat|zustand)$/i;
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
}

/**
 * Take the columns of quality.
 *
 * @param data - rows.
 * @param wanted - what the dialect says of such columns.
 * @returns layout and kinds; or a column that is called so and does not tell which of its words are good.
 */
export function takeQualities(
  layout: Layout,
  kinds: readonly ColumnKind[],
  data: Rows,
  wanted: Dialect['quality'],
): { layout: Layout; kinds: ColumnKind[] } | UnclearQuality {
  const found = new Map<number, Pick<Quality, 'code' | 'good'>>();
  const unclear: number[] = [];
  for (const [column, kind] of kinds.entries()) {
    const { header = '', name = '' } = layout.columns[column] ?? {};
    const said = wanted.find((one) => one.column === column + 1 || one.column === header || one.column === name);
    if (said !== undefined && kind !== 'time') found.set(column, { code: 'words', good: [...said.good] });
    else if (kind === 'text' || kind === 'number' || kind === 'open') {
      const called = isCalled(column, layout) ? header : '';
      // Of most columns of numbers the header says enough.
      if (called === '' && kind !== 'text') continue;
      const words = [...new Set(data.map((row) => row[column] ?? ''))].filter((cell) => cell !== '');
      const code = codeOf(called, header, kind, words);
      if (code === 'unclear') unclear.push(column);
      else if (code !== null) found.set(column, code);
    }
  }
  const all = [...found.keys(), ...unclear].sort((a, b) => a - b);
  const isValue = (column: number) => isStreamed(kinds[column]) && !all.includes(column);
  const covered = all.map((column) => coverage(column, all, layout, isValue));
  const columnsOf = (column: number) => covered[all.indexOf(column)] ?? [];
  for (const column of unclear) {
    // Beside codes of OPC it is the one of Wonderware's historian: 0 is good, 133 uncertain.
    const isTold = [...found].some(
      ([other, { code }]) => code === 'opc' && `${columnsOf(other)}` === `${columnsOf(column)}`,
    );
    if (isTold) found.set(column, { code: 'words', good: ['0', '133'] });
    else if (columnsOf(column).length > 0) return { column, words: [...new Set(data.map((row) => row[column] ?? ''))] };
  }
  const qualities = [...found].flatMap(([column, rule]): Quality[] => {
    const of = columnsOf(column);
    const isOwn = rule.code !== 'not bad' || of.length === 1;
    return of.length > 0 && isOwn ? [{ column, of, ...rule }] : [];
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

/** How the words of a column are read; null: it is none of quality. Takes its header where that calls it so, else nothing. */
function codeOf(
  called: string,
  header: string,
  kind: ColumnKind,
  words: readonly string[],
): Pick<Quality, 'code' | 'good'> | 'unclear' | null {
  const isOf = called !== '';
  if (kind === 'open') return isOf ? { code: 'opc' } : null;
  if (kind === 'number') return isOf ? numberCode(called, words) : null;
  const areWords = words.every(isQualityWord);
  if (areWords && (isOf || words.every((word) => /^(?:good|bad|uncertain)(?!\p{L})/iu.test(word))))
    return { code: 'words' };
  if (isOf && words.every((word) => /^(?:true|false)$/i.test(word)))
    return { code: 'words', good: ['true', 'True', 'TRUE'] };
  if (UA.test(called) && words.every((word) => /^0x[0-9a-f]{8}$/i.test(word))) return { code: 'opc ua' };
  if (isOf) return words.length <= WORDS_MAX ? 'unclear' : null;
  return STATUS.test(header) && words.some(isGoodWord) ? { code: 'not bad' } : null;
}

/** A text of more different words is a remark. */
const WORDS_MAX = 8;

function numberCode(header: string, words: readonly string[]): Pick<Quality, 'code' | 'good'> | 'unclear' | null {
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
  const called = plain(QUALITY_OF.exec(own)?.[1] ?? QUALITY.exec(own)?.[1] ?? '');
  const values = columns.flatMap((_, index) => (isValue(index) ? [index] : []));
  const named = values.filter((index) => {
    const { header = '', name = '' } = columns[index] ?? {};
    return called !== '' && [plain(header), plain(name)].includes(called);
  });
  if (named.length > 0) return named;
  const former = all.filter((one) => one < column).at(-1) ?? -1;
  const between = values.filter((index) => index > former && index < column);
  if (between.length > 0) return between;
  if (former !== -1) return coverage(former, all, { columns } as Layout, isValue);
  const next = all.find((one) => one > column) ?? columns.length;
  return values.filter((index) => index > column && index < next);
}
