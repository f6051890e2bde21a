// How it is told that the path of the open queue no longer leads to it. Capture goes on in each of these states; a part that
// sends waits.
import { AgentError } from '../../../model/agent-error.ts';
import type { Place } from '../../../platform/held-file.ts';

/** Whether the queue is where it was opened, and what was done about it since the last look. */
export interface StoreLook {
  /** Null: it is there. Else nothing is sent. */
  readonly away: { readonly code: string; readonly message: string; readonly hint: string } | null;
  readonly notices: readonly { readonly code: string; readonly message: string; readonly hint: string }[];
}

const TOLD: Readonly<Record<Exclude<Place, 'here'>, { message: (path: string) => string; hint: string }>> = {
  moved: {
    message: (path) =>
      `The queue was moved away from ${path} while in use. What is captured is stored where it is now.`,
    hint: 'Move the file or its folder back: sending then continues automatically. To move the data for good, end Epistream first.',
  },
  removed: {
    message: (path) => `The queue ${path} was removed while in use and cannot be put back now.`,
    hint: 'All of it is still here until Epistream ends: let its folder be written, with room for it. Epistream tries again automatically.',
  },
  replaced: {
    message: (path) => `Another file has taken the place of the queue ${path} while it was in use.`,
    hint: 'Start Epistream again if the new file is right. What the former one held is kept: where it was moved to, or beside the new one as queue.db.removed.<time>.',
  },
};

/**
 * Tell that the queue is not where it was opened.
 *
 * @param place - where the file is.
 * @param why - why it could not be put back (empty: that was not tried).
 * @returns `store.moved`, `store.removed` (both may pass) or `store.replaced` (which does not).
 */
export function placeError(path: string, place: Exclude<Place, 'here'>, why = ''): AgentError {
  const { message, hint } = TOLD[place];
  return new AgentError({
    code: `store.${place}`,
    message: `${message(path)}${why === '' ? '' : ` (${why})`}`,
    hint,
    retry: place === 'replaced' ? 'after-human' : 'later',
    context: { path },
  });
}
