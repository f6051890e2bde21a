// Forms of text that are known by their first line, where that tells more than the lines below.
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
