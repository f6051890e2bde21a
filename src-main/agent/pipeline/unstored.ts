// What the disk did not take before the agent's end: noted in the queue if that is possible, and told in any case.

import { AgentError } from '../../model/agent-error.ts';
import { formatCount } from '../../model/format.ts';
import type { GivenUpCommit } from '../../model/queue.ts';

/** What it needs of the store. */
export interface GivenUpStore {
  noteGivenUp(commits: readonly GivenUpCommit[]): Promise<number[]>;
}

/**
 * Note what the recorder gave up.
 *
 * @param options - what was given up with the error that was the reason.
 * @returns what a person is told; null when it was stored after all, or no point was among it.
 */
export async function noteUnstored(
  store: GivenUpStore,
  { error, givenUp }: { readonly error: AgentError; readonly givenUp: readonly GivenUpCommit[] },
): Promise<AgentError | null> {
  // Without an answer nothing was noted: the sources note it at their next start, from where they stood.
  const noted = await store.noteGivenUp(givenUp).catch(() => null);
  const lost = givenUp.filter(({ sequence }) => noted?.includes(sequence) ?? true);
  const points = lost.reduce((sum, commit) => sum + commit.points, 0);
  if (points === 0) return null;
  const inFiles = lost.reduce((sum, commit) => sum + commit.pointsInFiles, 0);
  const hints = [
    'Free space on this disk, or check it.',
    inFiles > 0 ? `${formatCount(inFiles)} of them stand in log files and are read again at the next start.` : '',
    points > inFiles
      ? `${formatCount(points - inFiles)} came from a source without files: their time ${noted ? 'is listed as a gap' : 'will be listed as a gap at the next start'}.`
      : '',
  ];
  return new AgentError({
    code: 'agent.not-all-stored',
    message: `Recording stopped; ${formatCount(points)} points could not be stored. ${error.message}`,
    hint: hints.filter((hint) => hint !== '').join(' '),
    retry: 'after-human',
    cause: error,
  });
}
