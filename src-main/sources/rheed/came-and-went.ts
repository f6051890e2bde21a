// Images that a camera program deleted before anybody looked at them: it keeps only its newest ones. That they were there is
// told by the operating system, and by a newer one that still is. Without this they would be called lost.
import type { Candidate } from './candidate.ts';
import type { NamePattern } from './name-pattern.ts';

/** Numbers before the oldest one found that are believed without it being known where the sequence stood. */
const BEFORE_MAX = 400;

/**
 * Add the frames that came and went between two looks.
 *
 * **Takes**: the frames found, which are added to; the names that the system told since the last look; and the number up to
 * which a sequence is counted. A name counts when it is newer than that and older than a frame that is there.
 */
export function addGone(
  candidates: Candidate[],
  told: ReadonlySet<string>,
  pattern: NamePattern,
  lastOf: (sequence: string) => number,
): void {
  if (!pattern.hasNumber) return;
  const newest = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const { sequence, number } = candidate.named;
    if ((number ?? 0) > (newest.get(sequence)?.named.number ?? -1)) newest.set(sequence, candidate);
  }
  const there = new Set(candidates.map(({ path }) => path));
  for (const path of told) {
    const named = there.has(path) ? null : pattern.read(path);
    const above = named && newest.get(named.sequence);
    if (!named || !above || named.number === null || above.named.number === null) continue;
    const floor = Math.max(lastOf(named.sequence), above.named.number - BEFORE_MAX);
    // Its time is that of the newer one at the latest.
    if (named.number > floor && named.number < above.named.number) candidates.push({ ...above, path, named });
  }
}
