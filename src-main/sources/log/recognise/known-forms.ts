// What is known of a text before it is cut: its form, where the first line tells more than those below, and its code page.
import { listReadings } from '../cells/foreign-text.ts';
import type { Line } from './cut.ts';
import { type Undecided, undecided } from './header-line.ts';

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

/**
 * Ask about text that was read as Western because it is no UTF-8, and looks otherwise.
 *
 * @param told - what names its columns.
 * @returns the question; null where it is Western.
 */
export function doubtEncoding(told: Uint8Array, path: string): Undecided | null {
  const readings = listReadings(told);
  if (readings.length === 0) return null;
  const ways = readings.map(({ encoding, shown }) => `"${shown}" as ${encoding}`).join(', ');
  return undecided(
    'log.encoding-unclear',
    `The text of ${path} is no UTF-8 and does not look Western: ${ways}.`,
    'Say which code page the tool writes, these or another one.',
    false,
    readings.map(({ encoding }) => ({ encoding })),
  );
}
