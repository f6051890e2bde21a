// Counts and lists in sentences.
import { formatCount } from '../../model/format.ts';

/** Names told one by one; the rest is counted. */
const NAMED_MAX = 3;

/** "1 point", "4,960 points". */
export const counted = (count: number, noun: string) => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

/** "a, b, c and 4 more". */
export function listSome(names: readonly string[]): string {
  const named = names.slice(0, NAMED_MAX).join(', ');
  return names.length <= NAMED_MAX ? named : `${named} and ${names.length - NAMED_MAX} more`;
}
