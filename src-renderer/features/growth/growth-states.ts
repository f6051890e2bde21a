// How a growth, its streams and its sessions stand. Why points are not delivered is told from the same facts as the headline,
// so that both say the same.
import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { hasRefused, type StateWord, streamWords } from '../../format/state-words.ts';
import type { Growth, GrowthSession, GrowthStream } from '../../state/growth.ts';
import { words } from './words.ts';

/** What keeps points here, with the word for it. */
export interface Kept extends StateWord {
  readonly message: string;
  readonly hint: string;
}

type Known = Pick<Snapshot, 'streams' | 'service' | 'store'>;

/** Worst first: what needs a person, what a person chose, what goes on by itself. */
const ORDER: readonly Kept['tone'][] = ['attention', 'stopped', 'busy'];

/**
 * Tell what keeps a stream here.
 *
 * @param stream - a stream of a growth.
 * @param snapshot - as the headline is made from it.
 * @returns null when nothing waits, or what waits is on its way.
 */
export function keptOf({ id, isDelivered }: GrowthStream, { streams, service, store }: Known): Kept | null {
  if (isDelivered) return null;
  const view = streams.find((stream) => stream.id === id);
  const own = { message: view?.message ?? '', hint: view?.hint ?? '' };
  if (view?.upload === 'blocked') return { ...streamWords.needsYou, ...own };
  if (view?.upload === 'kept') return { ...streamWords.staysHere, ...own };
  if (store?.state === 'away') return { ...keptHere, tone: 'attention', ...textOf(store) };
  if (service?.state === 'held') return { ...keptHere, tone: 'attention', ...textOf(service) };
  if (service?.pausedSinceMs != null) return { ...keptHere, message: words.paused, hint: '' };
  if (service?.state === 'offline') return { ...keptHere, ...textOf(service) };
  return view?.upload === 'waiting' && own.message !== '' ? { ...keptHere, ...own } : null;
}

const { keptHere } = streamWords;
const textOf = ({ message, hint }: { message: string; hint: string }) => ({ message, hint });

/** What keeps points of a growth here, the worst of it; null: nothing does. */
export function worstKept({ parts }: Pick<Growth, 'parts'>, snapshot: Known): Kept | null {
  const kept = parts.flatMap(({ streams }) => streams.flatMap((stream) => keptOf(stream, snapshot) ?? []));
  return ORDER.flatMap((tone) => kept.find((one) => one.tone === tone) ?? [])[0] ?? null;
}

/** The state of a stream of a growth: `Delivered` only when no point of it was refused; and what keeps it here, if anything. */
export function growthStreamWord(stream: GrowthStream, kept: Kept | null): StateWord {
  const { isDelivered, isClosed, isSent } = stream;
  if (hasRefused(stream)) return streamWords.needsYou;
  if (isDelivered) return streamWords.delivered;
  if (kept) return kept;
  if (isClosed) return streamWords.finishing;
  return isSent ? streamWords.open : { tone: 'busy', word: 'Not sent yet' };
}

/** The state of a RHEED session. */
export function sessionWord({ problem, endedMs, dataId }: GrowthSession): StateWord {
  if (problem !== '') return streamWords.needsYou;
  if (endedMs !== null) return { tone: 'stopped', word: 'Ended' };
  return dataId === null ? { tone: 'busy', word: 'Counting, not sent yet' } : { tone: 'ok', word: 'Counting' };
}

/** Whether everything of a growth is at the service; and what keeps points of it here, if anything. */
export function growthWord({ state, parts }: Pick<Growth, 'state' | 'parts'>, kept: Kept | null): StateWord {
  if (state === 'asks') return { tone: 'attention', word: 'Asks you' };
  if (state === 'running') return { tone: 'ok', word: 'Growing' };
  const streams = parts.flatMap((part) => part.streams);
  const isHeld = parts.some(({ rheed }) => rheed.some(({ problem }) => problem !== ''));
  if (isHeld) return { tone: 'attention', word: 'RHEED needs you' };
  if (streams.some(hasRefused)) return { tone: 'attention', word: 'Points refused' };
  if (streams.length === 0) return { tone: 'stopped', word: 'No reading' };
  if (streams.every(({ isDelivered }) => isDelivered)) return { tone: 'ok', word: 'Delivered' };
  return kept ?? { tone: 'busy', word: 'Being delivered' };
}
