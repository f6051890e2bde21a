// The words and tones of every state that the snapshot can hold. A state is told by word and shape; colour only helps.
import type { Sentence, ServiceView, SourceView, StreamView, Trouble } from '../../src-main/contract/snapshot.ts';
import { formatDuration } from './duration.ts';

type Tone = Sentence['tone'];

/** A state as a tone and a word. */
export interface StateWord {
  readonly tone: Tone;
  readonly word: string;
}

const healthWords: Readonly<Record<SourceView['health'], StateWord>> = {
  idle: { tone: 'stopped', word: 'No live data' },
  giving: { tone: 'ok', word: 'Reading' },
  late: { tone: 'busy', word: 'Late' },
  silent: { tone: 'busy', word: 'Silent' },
  gone: { tone: 'attention', word: 'Not recorded' },
};

/** Name how a source fares, by the data that it gives; it asks for attention where the headline does for its health. */
export function sourceWord(
  { id, state, health }: Pick<SourceView, 'id' | 'state' | 'health'>,
  troubles: readonly Pick<Trouble, 'keys'>[],
): StateWord {
  if (state === 'finished') return { tone: 'stopped', word: 'Finished' };
  if (state === 'stopped') return { tone: 'stopped', word: 'Stopped' };
  if (state === 'starting' && health === 'idle') return { tone: 'busy', word: 'Starting' };
  const isTrouble = troubles.some(({ keys }) => keys.includes(`${health} ${id}`));
  return isTrouble ? { ...healthWords[health], tone: 'attention' } : healthWords[health];
}

export const serviceWords: Readonly<Record<ServiceView['state'], StateWord>> = {
  unknown: { tone: 'busy', word: 'Not tried yet' },
  connected: { tone: 'ok', word: 'Connected' },
  offline: { tone: 'busy', word: 'Offline' },
  held: { tone: 'attention', word: 'Waits for you' },
};

/** What a stream can be said to be, wherever it is shown. */
export const streamWords = {
  needsYou: { tone: 'attention', word: 'Needs you' },
  staysHere: { tone: 'stopped', word: 'Stays here' },
  keptHere: { tone: 'busy', word: 'Kept here' },
  finishing: { tone: 'busy', word: 'Finishing' },
  open: { tone: 'ok', word: 'Open' },
  delivered: { tone: 'ok', word: 'Delivered' },
} as const satisfies Readonly<Record<string, StateWord>>;

/** Whether the service refused points that were not sent again since. */
export const hasRefused = ({
  pointsRefused,
  pointsResent,
}: Pick<StreamView, 'pointsRefused' | 'pointsResent'>): boolean => pointsRefused > pointsResent;

/**
 * Name the state of a stream.
 *
 * @param streamView - the stream as the snapshot has it.
 * @returns `Delivered` only when the agent says so; a blocked or refused stream asks for attention.
 */
export function streamWord(stream: StreamView): StateWord {
  const { state, upload } = stream;
  if (upload === 'blocked' || hasRefused(stream)) return streamWords.needsYou;
  if (upload === 'kept') return streamWords.staysHere;
  if (state === 'delivered') return streamWords.delivered;
  if (upload === 'waiting') return streamWords.keptHere;
  return state === 'closed' ? streamWords.finishing : streamWords.open;
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
