// Images that a camera program deleted before anybody looked at them: it keeps only its newest ones. That they were there is
// told by the operating system, and by a newer one that still is. Without this they would be called lost. Bound: 400 numbers
// before one that is there.
import type { Candidate } from '../files/candidate.ts';
import type { NamePattern } from '../files/name-pattern.ts';

/** Numbers before the oldest one found that are believed without it being known where the sequence stood. */
const BEFORE_MAX = 400;

/**
 * Add the frames that came and went between two looks. Takes the frames found, which are added to; the names that the system
 * told since the last look; and the number up to which a sequence is counted. A name counts when it is newer than that and
 * older than a frame that is there.
 */
export function addGone(
  candidates: Candidate[],
  told: ReadonlySet<string>,
  pattern: NamePattern,
  lastOf: (sequence: string) => number,
): void {
  if (!pattern.hasNumber) return;
  const numberOf = ({ named }: Candidate) => named.number ?? 0;
  const there = candidates.toSorted((a, b) => numberOf(a) - numberOf(b));
  const paths = new Set(there.map(({ path }) => path));
  for (const path of told) {
    const named = paths.has(path) ? null : pattern.read(path);
    if (named === null || named.number === null) continue;
    const { sequence, number } = named;
    // The next one that is there: its time is not before that of the one that went, and in the order of numbers.
    const above = there.find((one) => one.named.sequence === sequence && numberOf(one) > number);
    if (!above) continue;
    const floor = Math.max(lastOf(sequence), numberOf(above) - BEFORE_MAX);
    if (number > floor) candidates.push({ ...above, path, named });
  }
}
