// Text of one byte a character that is no UTF-8: is it Western (Windows-1252), or written on a PC of another language? Read by
// the wrong code page all names are other ones, and nobody sees it in the numbers. Western text has single letters and signs
// between those of ASCII; the others write whole words of such bytes.
import { decodeText } from './encoding.ts';

/** Code pages of other languages, and the characters that their text has. */
const OTHERS: readonly { readonly name: string; readonly script: RegExp }[] = [
  { name: 'utf-8', script: /\P{ASCII}/u },
  { name: 'shift_jis', script: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u },
  { name: 'gb18030', script: /\p{Script=Han}/u },
  { name: 'big5', script: /\p{Script=Han}/u },
  { name: 'euc-kr', script: /\p{Script=Hangul}/u },
  { name: 'cp850', script: /[\p{Script=Latin}°µ²³±·½¼¿¡Ωμ]/u },
  { name: 'macroman', script: /[\p{Script=Latin}°µ²³±·Ωμ]/u },
  { name: 'windows-1251', script: /\p{Script=Cyrillic}/u },
  { name: 'windows-1253', script: /\p{Script=Greek}/u },
];
const WESTERN = 'windows-1252';

/**
 * Three such characters in a row stand in no Western word, nor do two that are UTF-8, one of these signs beside another, or a
 * quotation mark between letters; and no degree is written øC or ¡C, no micro æ.
 */
const FOREIGN = new RegExp(
  [
    '\\P{ASCII}{3}',
    '[\\ufffd\\u0080-\\u009f]',
    '[\\u00c2\\u00c3][\\u0080-\\u00bf]',
    '\\P{ASCII}[ˆ‡†ƒ˜¤¦¨¬¯¸¶]|[ˆ‡†ƒ˜¤¦¨¬¯¸¶]\\P{ASCII}',
    '\\p{L}[„”™‚]\\p{L}',
    '(?<!\\p{L})[ø¡](?=[CFK](?!\\p{L}))|(?<!\\p{L})æ(?=[AVmsgl](?!\\p{L}))',
  ].join('|'),
  'u',
);
/** Katakana of half the width is what most other text looks like as Japanese. */
const HALF_WIDTH = /[\uff61-\uff9f]/;

/** A reading of foreign text. */
interface Reading {
  readonly encoding: string;
  /** Its first characters beyond ASCII, with what stands beside them. */
  readonly shown: string;
}

/**
 * List the ways to read text that is no UTF-8.
 *
 * @param bytes - some text.
 * @returns none where it is Western; else each code page that reads all of it, the likeliest first, and the Western one last.
 */
export function listReadings(bytes: Uint8Array): Reading[] {
  if (!FOREIGN.test(decodeText(bytes, WESTERN))) return [];
  const readings = OTHERS.flatMap(({ name, script }) => {
    // A character may be cut at the end.
    const text = decodeText(bytes, name).slice(0, -2);
    const others = [...text].filter((char) => char > '\u007f');
    const isOwn = (char: string) => script.test(char) || (!isLatin(script) && SIGN.test(char));
    const damaged = others.filter((char) => char === '\ufffd').length;
    const isWhole = name === 'utf-8' ? damaged * 4 < others.length : damaged === 0 && others.every(isOwn);
    return isWhole ? [{ encoding: name, shown: shownOf(text) }] : [];
  });
  if (readings.length === 0) return [];
  const isLikely = ({ shown }: Reading) => !HALF_WIDTH.test(shown);
  const likely = [...readings.filter(isLikely), ...readings.filter((reading) => !isLikely(reading))];
  return [...likely, { encoding: WESTERN, shown: shownOf(decodeText(bytes, WESTERN)) }];
}

const SIGN = /[\p{P}\p{S}\p{M}\p{N}\p{Lm}]/u;

/** Other Latin code pages have the same letters: only the signs tell them apart. */
function isLatin(script: RegExp): boolean {
  return script.test('ä');
}

function shownOf(text: string): string {
  return /[^\s,;"]{0,12}\P{ASCII}[^\s,;"]{0,12}/u.exec(text)?.[0] ?? '';
}
