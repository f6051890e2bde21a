// Forms of text that are known by their first line, where that tells more than the lines below.
import type { Dialect } from '../../model/dialect.ts';
import type { Line } from './cut.ts';
import { type Undecided, undecided } from './header-line.ts';

/**
 * The lines that belong together, from the first on. A LabVIEW measurement file holds segments, each with a small head of
 * its own, which begins with the number of its channels: one is enough to know the others by.
 */
export function firstSegment(lines: readonly Line[]): readonly Line[] {
  if (!isMeasurement(lines)) return lines;
  const heads = lines.flatMap(({ text }, index) => (/^Channels\b/.test(text) ? [index] : []));
  return heads[1] === undefined ? lines : lines.slice(0, heads[1]);
}

function isMeasurement(lines: readonly Line[]): boolean {
  return /^LabVIEW Measurement\b/.test(lines[0]?.text ?? '');
}

/** The dialect with the separator that a LabVIEW measurement file names itself. */
export function withSeparator(lines: readonly Line[], dialect: Dialect): Dialect {
  if (dialect.delimiter !== 'auto' || !isMeasurement(lines)) return dialect;
  const isComma = lines.some(({ text }) => /^Separator[\t,]\s*Comma/i.test(text));
  return { ...dialect, delimiter: isComma ? 'comma' : 'tab' };
}

/** A form that is not read: its lines would be taken for a table that they are not. Null: none of these. */
export function refuseForm(lines: readonly Line[], path: string): Undecided | null {
  const [first] = lines.filter(({ text }) => text.trim() !== '');
  if (first?.text.trim() !== 'IGOR') return null;
  return undecided(
    'log.igor-text',
    `${path} is an Igor text file: its waves have no one time, and its clock has no zone.`,
    'Let the tool write a table with a time in each line, or leave the file out with a narrower match.',
  );
}
