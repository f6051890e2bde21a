// The words and tones of every state that the snapshot can hold. A state is told by word and shape; colour only helps.
import type { Sentence, ServiceView, SourceView, StreamView } from '../../src-main/contract/snapshot.ts';
import { formatDuration } from './duration.ts';

type Tone = Sentence['tone'];

/** A state as a tone and a word. */
export interface StateWord {
  readonly tone: Tone;
  readonly word: string;
}

export const sourceWords: Readonly<Record<SourceView['state'], StateWord>> = {
  starting: { tone: 'busy', word: 'Starting' },
  running: { tone: 'ok', word: 'Reading' },
  // Not recorded meanwhile, as the sentence says.
  waiting: { tone: 'attention', word: 'Waiting' },
  failed: { tone: 'attention', word: 'Failed' },
  finished: { tone: 'stopped', word: 'Finished' },
  stopped: { tone: 'stopped', word: 'Stopped' },
};

/** A source that is open and gives nothing by its own rhythm. */
export const silentWord: StateWord = { tone: 'busy', word: 'Silent' };

export const serviceWords: Readonly<Record<ServiceView['state'], StateWord>> = {
  unknown: { tone: 'busy', word: 'Not tried yet' },
  connected: { tone: 'ok', word: 'Connected' },
  offline: { tone: 'busy', word: 'Offline' },
  held: { tone: 'attention', word: 'Waits for you' },
};

/**
 * Name the state of a stream.
 *
 * @param streamView - the stream as the snapshot has it.
 * @returns `Delivered` only when the agent says so; a blocked or refused stream asks for attention.
 */
export function streamWord({ state, upload, pointsRefused, pointsResent }: StreamView): StateWord {
  if (upload === 'blocked' || pointsRefused > pointsResent) return { tone: 'attention', word: 'Needs you' };
  if (upload === 'kept') return { tone: 'stopped', word: 'Stays here' };
  if (state === 'delivered') return { tone: 'ok', word: 'Delivered' };
  if (upload === 'waiting') return { tone: 'busy', word: 'Kept here' };
  if (state === 'closed') return { tone: 'busy', word: 'Finishing' };
  return { tone: 'ok', word: 'Open' };
}

/**
 * Say when the next try is due.
 *
 * @param nextTryMs - Unix milliseconds of the next try (null: none is planned).
 * @param nowMs - the present.
 * @returns `next try in 12 s`, `trying now`, or an empty text.
 */
export function nextTryText(nextTryMs: number | null, nowMs: number): string {
  if (nextTryMs === null) return '';
  const waitMs = nextTryMs - nowMs;
  return waitMs < 500 ? 'trying now' : `next try in ${formatDuration(Math.ceil(waitMs / 1000) * 1000)}`;
}
