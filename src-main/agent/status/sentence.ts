// The one sentence of truth. The most urgent thing comes first; "delivered" is said only of points that the service has
// confirmed, and always with how far that reaches.
import type { Sentence, SourceView, Trouble } from '../../contract/snapshot.ts';
import type { StreamTally } from '../../model/queue.ts';
import type { Facts } from './facts.ts';
import type { Picture } from './troubles.ts';
import { counted } from './words.ts';

/** A stream counts as live while its newest reading is younger than this, milliseconds. */
const LIVE_MS = 120_000;
/** Readings that wait no longer than this are on their way, in however many chunks, milliseconds. */
const CLOSE_MS = 60_000;
const STEPS_S = [5, 10, 20, 30, 60] as const;

/**
 * Say in one sentence how things stand. Takes the facts with the views made from them, and what is not as it should be, the
 * worst first: what needs a person, then what does not.
 *
 * @returns tone, text, and what to do (empty: nothing).
 */
export function makeSentence(picture: Picture, troubles: readonly Trouble[], remarks: readonly Trouble[]): Sentence {
  return (
    standing(picture.facts) ??
    matter(picture, 'attention', troubles) ??
    matter(picture, 'busy', remarks) ??
    delivery(picture)
  );
}

/** Put a sentence together. */
function say(
  tone: Sentence['tone'],
  headline: string,
  { standing = '', detail = '', hint = '' }: Partial<Pick<Sentence, 'standing' | 'detail' | 'hint'>> = {},
): Sentence {
  const text = [standing, headline, detail].filter((part) => part !== '').join(' ');
  return { tone, text, standing, headline, detail, hint };
}

/** The agent is not, or not yet, or no longer at work. */
function standing({ phase, failure, tally }: Facts): Sentence | null {
  const waiting = tally?.waitingPoints ?? 0;
  const kept =
    waiting > 0
      ? ` ${counted(waiting, 'point')} not sent. They are saved on this PC and will be sent after the next start.`
      : '';
  switch (phase) {
    case 'first-run':
      return say('stopped', 'Nothing is recorded yet.', {
        hint: 'Try it with a simulated tool, or connect your tool.',
      });
    case 'starting':
      return say('busy', 'Starting.');
    case 'stopping':
      return say('busy', `Stopping.${kept}`);
    case 'stopped':
      if (failure) return say('attention', 'Stopped.', { detail: failure.message, hint: failure.hint });
      return say('stopped', `Stopped.${kept}`, { hint: 'What was stored is safe: this PC can be switched off.' });
    case 'failed':
      return say('attention', 'Nothing is recorded.', {
        detail: failure?.message ?? 'The agent could not start.',
        hint: failure?.hint ?? '',
      });
    case 'running':
      return null;
  }
}

/** Something is not as it should be: how things stand, then the worst of it. */
function matter({ facts, store, sources }: Picture, tone: Sentence['tone'], worstFirst: readonly Trouble[]) {
  const [worst] = worstFirst;
  if (worst === undefined) return null;
  const isStoring = store === null || store.state === 'ok' || store.state === 'away';
  const standing = isStoring ? `${recording(sources, facts)}${describeSeenAlarms(facts)}` : '';
  return say(tone, worst.text, { standing, detail: worst.detail, hint: worst.hint });
}

/**
 * All is well: how far delivery has come. It is green only where every source gives what it should, at times that fit, within
 * its limits.
 */
function delivery({ facts, sources }: Picture): Sentence {
  const standing = `${recording(sources, facts)}${describeSeenAlarms(facts)}`;
  const streams = facts.tally?.streams ?? [];
  const { waiting, steadyMs } = howFarBehind(facts);
  const rest = describeFormer(facts);
  const isOpening = sources.some(({ state }) => state === 'starting');
  const tone = isOpening || streams.length === 0 || facts.alarms.length > 0 ? 'busy' : 'ok';
  if (waiting <= 0) {
    return say(tone, `${streams.length === 0 ? 'No reading yet.' : 'All delivered.'}${rest}`, { standing });
  }
  if (steadyMs !== null)
    return say(tone, `Everything older than ${roundedUp(steadyMs)} is delivered.${rest}`, { standing });
  return say('busy', `${counted(waiting, 'point')} stored on this PC, upload in progress.${rest}`, { standing });
}

/**
 * Say how far delivery to the service of the settings is behind.
 *
 * @returns `waiting`: points that wait. `steadyMs`: everything older is delivered and nothing piles up, milliseconds; null: more
 *   waits than what is being filled or under way.
 */
export function howFarBehind({ atMs, tally, former }: Facts): {
  readonly waiting: number;
  readonly steadyMs: number | null;
} {
  const formerIds = new Set(former.flatMap(({ streamIds }) => streamIds));
  const own = (tally?.streams ?? []).filter(({ id }) => !formerIds.has(id));
  const waiting = (tally?.waitingPoints ?? 0) - former.reduce((sum, { points }) => sum + points, 0);
  return { waiting, steadyMs: steadyBehindMs(atMs, waiting, own) };
}

/** A time that holds at least as long, in steps: a headline that counts seconds is read out without an end. */
function roundedUp(durationMs: number): string {
  const seconds = Math.max(0, durationMs) / 1000;
  const step = STEPS_S.find((one) => seconds <= one);
  if (step !== undefined) return `${step} s`;
  return seconds <= 7200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}

/** What still goes to former services; what a person keeps here is settled, and not said. */
function describeFormer({ former }: Facts): string {
  const sending = former.filter(({ state }) => state === 'sending');
  const points = sending.reduce((sum, one) => sum + one.points, 0);
  if (points === 0) return '';
  const where = sending.length === 1 ? 'another service' : 'other services';
  return ` ${counted(points, 'older point')} still ${points === 1 ? 'goes' : 'go'} to ${where}.`;
}

/** Values are beyond their limits still, and a person has said so; empty: none is. */
function describeSeenAlarms({ alarms }: Facts): string {
  const seen = alarms.filter(({ state }) => state === 'acknowledged').length;
  return seen === 0 ? '' : ` ${counted(seen, 'alarm')} acknowledged.`;
}

/**
 * How far delivery is behind, when all that waits is what is being filled or under way: readings of the last minute, or of a
 * live stream one chunk. A new stream counts once others were delivered. Null: more waits.
 */
function steadyBehindMs(nowMs: number, waiting: number, streams: readonly StreamTally[]): number | null {
  const unfinished = streams.filter((stream) => waitingOf(stream) > 0);
  if (unfinished.reduce((sum, stream) => sum + waitingOf(stream), 0) < waiting) return null;
  const isBegun = streams.some(({ deliveredUpToMs }) => deliveredUpToMs !== null);
  let behindMs = 0;
  for (const { chunksWaiting, oldestStoredMs, lastStoredMs, deliveredUpToMs } of unfinished) {
    const isLive = nowMs - (lastStoredMs ?? 0) < LIVE_MS;
    const upToMs = deliveredUpToMs ?? oldestStoredMs ?? 0;
    const isClose = isBegun && nowMs - upToMs < CLOSE_MS;
    if (!isClose && (deliveredUpToMs === null || chunksWaiting > (isLive ? 1 : 0))) return null;
    behindMs = Math.max(behindMs, nowMs - upToMs);
  }
  return behindMs;
}

function recording(sources: readonly SourceView[], facts: Facts): string {
  const under = facts.growth === null || facts.growth.state === 'asks' ? '' : ' A growth is under way.';
  const wantedOnes = sources.filter(({ state }) => state !== 'finished' && state !== 'stopped');
  const isRecorded = ({ state, health }: SourceView) =>
    state === 'running' && (health === 'giving' || health === 'late' || health === 'idle');
  const recorded = wantedOnes.filter(isRecorded).length;
  const wanted = wantedOnes.length;
  if (recorded > 0)
    return `Recording ${recorded < wanted ? `${recorded} of ` : ''}${counted(wanted, 'source')}.${under}`;
  if (sources.some(({ health }) => health === 'silent')) return `No source is producing data.${under}`;
  return `${sources.some(({ state }) => state === 'starting') ? 'Opening the sources.' : 'No source is recording.'}${under}`;
}

const waitingOf = (stream: StreamTally) => stream.pointsStored - stream.pointsAcknowledged - stream.pointsRefused;
