// Whether an agent stays as large as it is: the second fifth of a run, when it has warmed up, against the last one.
import type { Stretch } from './timeline.ts';

interface Measure {
  readonly name: string;
  readonly figure: 'rssMb' | 'heapMb' | 'handles' | 'threads' | 'walMb';
  readonly unit: string;
  /** It may grow by this share of what it was, or by so much if that is more. */
  readonly share: number;
  readonly least: number;
}

const MEASURES: readonly Measure[] = [
  { name: 'RSS', figure: 'rssMb', unit: ' MB', share: 0.1, least: 10 },
  { name: 'least heap', figure: 'heapMb', unit: ' MB', share: 0.1, least: 3 },
  { name: 'handles', figure: 'handles', unit: '', share: 0, least: 2 },
  { name: 'threads', figure: 'threads', unit: '', share: 0, least: 1 },
  { name: 'largest WAL', figure: 'walMb', unit: ' MB', share: 0.25, least: 2 },
];

/**
 * Compare two fifths of a run.
 *
 * @returns whether nothing grew beyond its limit, and one sentence with each figure, its limit, and what grew.
 */
export function judgeFlatness(second: Stretch, last: Stretch): { isFlat: boolean; words: string } {
  const told = MEASURES.map(({ name, figure, unit, share, least }) => {
    const [before, after] = [second[figure], last[figure]];
    const limit = before + Math.max(before * share, least);
    const digits = unit === '' ? 0 : 1;
    const words = `${name} ${before.toFixed(digits)} to ${after.toFixed(digits)}${unit} (limit ${limit.toFixed(digits)})`;
    return { name, words, isFlat: after <= limit };
  });
  const grown = told.filter(({ isFlat }) => !isFlat).map(({ name }) => name);
  const verdict = grown.length === 0 ? 'Flat' : `Not flat (${grown.join(', ')})`;
  const words = `${verdict}, second fifth to last fifth: ${told.map((one) => one.words).join('; ')}.`;
  return { isFlat: grown.length === 0, words };
}
