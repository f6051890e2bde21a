// Stamps that stand somewhere in a text: in a line before the data, or in the name of a file.
import { listStampFormats, type StampShape } from './stamp-shapes.ts';
import { compileTimeFormat, isCount } from './time-format.ts';
import { offset } from './zone-offset.ts';

export interface FoundStamp {
  readonly shape: StampShape;
  /** The stamp as it is written. */
  readonly text: string;
  /** What stands in front of it, and behind it. */
  readonly label: string;
  readonly behind: string;
}

const LINE_MAX = 300;
const STAMP_MAX = 60;

/**
 * Find the stamps, dates and times of day in a line.
 *
 * @param line - a line; what is longer than LINE_MAX is not looked at.
 * @returns those found, from the left, the longest at each place.
 */
export function findStamps(line: string): FoundStamp[] {
  const text = line.slice(0, LINE_MAX).replaceAll('\t', ' ');
  const found: FoundStamp[] = [];
  for (let begin = 0; begin < text.length; begin++) {
    if (!isEdge(text, begin) || !/[\dA-Za-z]/.test(text.charAt(begin))) continue;
    for (let end = Math.min(text.length, begin + STAMP_MAX); end > begin + 4; end--) {
      if (!isEdge(text, end) || text.charAt(end - 1) === ' ') continue;
      const shape = listStampFormats(text.slice(begin, end));
      // A part of a stamp is none: what would be left out are digits of its time.
      if (/^\d\.\d/.test(text.slice(end - 1))) continue;
      if (shape === null || !isReal(text.slice(begin, end), shape)) continue;
      found.push({ shape, text: text.slice(begin, end), label: text.slice(0, begin), behind: text.slice(end) });
      begin = end;
      break;
    }
  }
  return found;
}

/** Between two characters that do not belong to one word or number. */
function isEdge(text: string, at: number): boolean {
  const isWord = (char: string) => /[\p{L}\d]/u.test(char);
  return at === 0 || at === text.length || !isWord(text.charAt(at - 1)) || !isWord(text.charAt(at));
}

/** 99.99.2026 has the shape of a date and is none. */
function isReal(text: string, { kind, formats }: StampShape): boolean {
  return formats.some((format) => readWith(format, text, kind === 'time') !== null);
}

/** A stamp that was read from a text. */
interface ReadStamp {
  /** As if UTC where it carries no zone, Unix ms. */
  readonly stampMs: number;
  readonly hasZone: boolean;
  /** East of UTC; 0 where it carries no zone. */
  readonly offsetMinutes: number;
}

/**
 * Read a text by a format.
 *
 * @returns the stamp; null when it is none.
 */
export function readWith(format: string, text: string, isTimeOnly = false): ReadStamp | null {
  const reader = compileTimeFormat(format, { isTimeOnly });
  const bytes = new TextEncoder().encode(text);
  if (!reader.read(bytes, 0, bytes.length)) return null;
  const { stampMs, hasZone } = reader;
  // Counts tell an instant and write no offset.
  return { stampMs, hasZone, offsetMinutes: hasZone && !isCount(format) ? offset.minutes : 0 };
}
