// The one sentence of truth. The most urgent thing comes first; "delivered" is said only of points that the service has
// counted back, and always with how far that reaches.
import type { Sentence, ServiceView, SourceView, StoreView, StreamView } from '../contract/snapshot.ts';
import type { Facts } from './facts.ts';
import { VERY_SHORT_HOURS } from './fill.ts';

/** A stream counts as live while its newest reading is younger than this, milliseconds. */
const LIVE_MS = 120_000;

const FILLING_HINT = 'Free space on this disk, or bring the service within reach so that what waits can be delivered.';

/** What the sentence is made from, already folded. */
export interface SentenceParts {
  readonly service: ServiceView | null;
  readonly sources: readonly SourceView[];
  readonly streams: readonly StreamView[];
  readonly store: StoreView | null;
}

const number = (value: number) => value.toLocaleString('en-US');
const counted = (count: number, noun: string) => `${number(count)} ${noun}${count === 1 ? '' : 's'}`;

/**
 * Say in one sentence how things stand.
 *
 * **Takes**: the facts and the views made from them. **Gives**: tone, text, and what to do (empty: nothing).
 */
export function makeSentence(facts: Facts, parts: SentenceParts): Sentence {
  return standing(facts) ?? trouble(facts, parts) ?? flow(facts, parts);
}

/** The agent is not, or not yet, or no longer at work. */
function standing({ phase, failure, tally }: Facts): Sentence | null {
  const waiting = tally?.waitingPoints ?? 0;
  const kept = waiting > 0 ? ` ${counted(waiting, 'point')} not sent: they stay here and go out next time.` : '';
  switch (phase) {
    case 'first-run':
      return {
        tone: 'stopped',
        text: 'Nothing is recorded yet.',
        hint: 'Try it with a simulated tool, or connect your tool.',
      };
    case 'starting':
      return { tone: 'busy', text: 'Starting.', hint: '' };
    case 'stopping':
      return { tone: 'busy', text: `Stopping.${kept}`, hint: '' };
    case 'stopped':
      if (failure) return { tone: 'attention', text: failure.message, hint: failure.hint };
      return {
        tone: 'stopped',
        text: `Stopped.${kept}`,
        hint: 'What was stored is safe: this PC can be switched off.',
      };
    case 'failed':
      return {
        tone: 'attention',
        text: `Nothing is recorded: ${failure?.message ?? 'the agent could not start.'}`,
        hint: failure?.hint ?? '',
      };
    case 'running':
      return null;
  }
}

/** Something needs a person. */
function trouble(facts: Facts, { service, sources, streams, store }: SentenceParts): Sentence | null {
  const attention = (text: string, hint: string): Sentence => ({ tone: 'attention', text, hint });
  if (store?.state === 'away')
    return attention(`${recording(sources, facts)} Nothing is sent: ${store.message}`, store.hint);
  if (store && store.state !== 'ok') return attention(`New data cannot be stored: ${store.message}`, store.hint);
  const down = sources.filter(({ state }) => state === 'failed' || state === 'waiting');
  const [first] = down;
  if (first) {
    const others = down.length > 1 ? ` (and ${counted(down.length - 1, 'other source')})` : '';
    return attention(`Source ${first.id}${others} is not recorded: ${first.message}`, first.hint);
  }
  if (service?.state === 'held') {
    return attention(
      `${recording(sources, facts)} Nothing is sent: ${service.message} ${safeHere(facts)}`,
      service.hint,
    );
  }
  const blocked = streams.find(({ upload }) => upload === 'blocked');
  if (blocked)
    return attention(`${recording(sources, facts)} Stream "${blocked.name}" is held: ${blocked.message}`, blocked.hint);
  const hours = store?.hoursToFull ?? Number.POSITIVE_INFINITY;
  if (store && hours < VERY_SHORT_HOURS)
    return attention(`${recording(sources, facts)} ${store.fillText}`, FILLING_HINT);
  const refused = streams.reduce((sum, stream) => sum + stream.pointsRefused - stream.pointsResent, 0);
  if (refused > 0) {
    return attention(
      `${recording(sources, facts)} The service refused ${counted(refused, 'point')}; they are kept here.`,
      'Look at the streams that need you: what was mended can be sent again there.',
    );
  }
  if (facts.growth?.state === 'asks') {
    return attention(
      `${recordingAlone(sources)} Epistream was started anew during a growth. ${safeHere(facts)}`,
      'Say on the page Growth whether it goes on; until then readings belong to it.',
    );
  }
  return null;
}

/** All is well, or will be by itself. */
function flow(facts: Facts, { service, sources, streams }: SentenceParts): Sentence {
  const what = recording(sources, facts);
  const waiting = waitingPoints(facts);
  if (service && service.pausedSinceMs !== null) {
    return {
      tone: 'busy',
      text: `${what} Sending is paused. ${safeHere(facts)}`,
      hint: 'Let it go on from the tray or the page Now; after the next start it goes on by itself.',
    };
  }
  if (service?.state === 'offline') {
    const isAsked = facts.service?.fault?.trouble === 'asked';
    return {
      tone: 'busy',
      text: `${what} ${isAsked ? service.message : 'The service cannot be reached.'} ${safeHere(facts)}`,
      hint: 'Nothing needs doing: sending goes on by itself. See the service card for the reason.',
    };
  }
  if (waiting === 0) {
    return { tone: 'ok', text: streams.length === 0 ? `${what} No reading yet.` : `${what} All delivered.`, hint: '' };
  }
  const behindMs = steadyBehindMs(facts.atMs, waiting, streams);
  if (behindMs !== null) {
    return { tone: 'ok', text: `${what} Delivered up to ${Math.round(behindMs / 1000)} s ago.`, hint: '' };
  }
  return { tone: 'busy', text: `${what} ${counted(waiting, 'point')} stored here and on the way.`, hint: '' };
}

/**
 * How far delivery is behind, when all that waits is what is being filled or under way: open streams only, the chunk under
 * way at most, and of each of them what came before is delivered. Null: more than that waits.
 */
function steadyBehindMs(nowMs: number, waiting: number, streams: readonly StreamView[]): number | null {
  const unfinished = streams.filter((stream) => waitingOf(stream) > 0);
  if (unfinished.reduce((sum, stream) => sum + waitingOf(stream), 0) < waiting) return null;
  let behindMs = 0;
  for (const { state, chunksWaiting, lastStoredMs, deliveredUpToMs } of unfinished) {
    const isLive = nowMs - (lastStoredMs ?? 0) < LIVE_MS;
    if (state !== 'open' || chunksWaiting > (isLive ? 1 : 0) || deliveredUpToMs === null) return null;
    behindMs = Math.max(behindMs, nowMs - deliveredUpToMs);
  }
  return behindMs;
}

function recording(sources: readonly SourceView[], { growth }: Facts): string {
  const under = growth === null ? '' : ' A growth is under way.';
  return `${recordingAlone(sources)}${under}`;
}

function recordingAlone(sources: readonly SourceView[]): string {
  const running = sources.filter(({ state }) => state === 'running').length;
  if (running > 0) return `Recording ${counted(running, 'source')}.`;
  return sources.some(({ state }) => state === 'starting') ? 'Opening the sources.' : 'No source is recording.';
}

const waitingOf = (stream: StreamView) => stream.pointsStored - stream.pointsAcknowledged - stream.pointsRefused;

/** Of the whole queue, not only of the streams that are listed. */
function waitingPoints({ tally }: Facts): number {
  return tally?.waitingPoints ?? 0;
}

function safeHere(facts: Facts): string {
  const waiting = waitingPoints(facts);
  return waiting === 0 ? 'Nothing waits.' : `${counted(waiting, 'point')} ${waiting === 1 ? 'is' : 'are'} safe here.`;
}
