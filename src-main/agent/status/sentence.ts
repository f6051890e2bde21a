// The one sentence of truth. The most urgent thing comes first; "delivered" is said only of points that the service has
// confirmed, and always with how far that reaches.
import type { Sentence, SourceView, StreamView, Trouble } from '../../contract/snapshot.ts';
import type { Facts } from './facts.ts';
import { describeSilence, isDown, type Picture, safeHere, silentMs } from './troubles.ts';
import { counted } from './words.ts';

/** A stream counts as live while its newest reading is younger than this, milliseconds. */
const LIVE_MS = 120_000;

/**
 * Say in one sentence how things stand. Takes the facts with the views made from them, and what needs a person, the worst
 * first.
 *
 * @returns tone, text, and what to do (empty: nothing).
 */
export function makeSentence(picture: Picture, troubles: readonly Trouble[]): Sentence {
  return standing(picture.facts) ?? trouble(picture, troubles) ?? flow(picture);
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

/** Something needs a person: how things stand, then the worst of it. */
function trouble({ facts, store, sources }: Picture, [worst]: readonly Trouble[]): Sentence | null {
  if (worst === undefined) return null;
  const isStoring = store === null || store.state === 'ok' || store.state === 'away';
  const what = isStoring ? `${recording(sources, facts)} ` : '';
  return { tone: 'attention', text: `${what}${worst.text}`, hint: worst.hint };
}

/** All is well, or will be by itself. */
function flow(picture: Picture): Sentence {
  const { facts, service, sources, streams } = picture;
  const what = recording(sources, facts);
  const waiting = facts.tally?.waitingPoints ?? 0;
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
    return unlessSilent(picture, streams.length === 0 ? `${what} No reading yet.` : `${what} All delivered.`);
  }
  const behindMs = steadyBehindMs(facts.atMs, waiting, streams);
  if (behindMs !== null) return unlessSilent(picture, `${what} Delivered up to ${Math.round(behindMs / 1000)} s ago.`);
  return { tone: 'busy', text: `${what} ${counted(waiting, 'point')} stored here and on the way.`, hint: '' };
}

/** All is well, unless a source gives nothing: outside a growth its tool may rest. */
function unlessSilent(picture: Picture, text: string): Sentence {
  const silence = describeSilence(picture);
  if (silence === null) return { tone: 'ok', text, hint: '' };
  return { tone: 'busy', text: `${text} ${silence.text}`, hint: silence.hint };
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

function recording(sources: readonly SourceView[], facts: Facts): string {
  const under = facts.growth === null || facts.growth.state === 'asks' ? '' : ' A growth is under way.';
  const isRunning = ({ state }: SourceView) => state === 'running';
  const recorded = sources.filter((source) => isRunning(source) && silentMs(facts, source) === null).length;
  const wanted = sources.filter((source) => isRunning(source) || isDown(source) || source.state === 'starting').length;
  if (recorded > 0)
    return `Recording ${recorded < wanted ? `${recorded} of ` : ''}${counted(wanted, 'source')}.${under}`;
  if (sources.some(isRunning)) return `Recording; no source gives anything now.${under}`;
  return `${sources.some(({ state }) => state === 'starting') ? 'Opening the sources.' : 'No source is recording.'}${under}`;
}

const waitingOf = (stream: StreamView) => stream.pointsStored - stream.pointsAcknowledged - stream.pointsRefused;
