// What needs a person: a table from facts to words, in the order of what is lost while nobody acts. First what can never be
// had again, then what waits for an answer, then what is safe here and not sent.
import type { ServiceView, SourceView, StoreView, StreamView, Trouble } from '../../contract/snapshot.ts';
import type { Facts } from './facts.ts';
import { VERY_SHORT_HOURS } from './fill.ts';
import { counted, listSome } from './words.ts';

const FILLING_HINT = 'Free space on this disk, or bring the service within reach so that what waits can be delivered.';
/** Nobody is called silent before, milliseconds, nor before so many of its longest pauses. */
const SILENT_MIN_MS = 120_000;
const PAUSES_SILENT = 5;
const SILENT_HINT = 'Look at the tool, its logging, the cable and the share. It is right when nothing is measured now.';

/** What is judged, already folded. */
export interface Picture {
  readonly facts: Facts;
  readonly service: ServiceView | null;
  readonly sources: readonly SourceView[];
  readonly streams: readonly StreamView[];
  readonly store: StoreView | null;
}

/** The troubles of one kind; of many of a kind the words count. */
type Rule = (picture: Picture) => Trouble | null;

const RULES: readonly Rule[] = [
  cannotStore,
  notRecorded,
  silentInGrowth,
  diskNearlyFull,
  sourceAsks,
  growthAsks,
  queueAway,
  serviceHeld,
  streamHeld,
  pointsRefused,
];

/**
 * Find what needs a person. Pure.
 * @returns everything that needs a person, the worst first; empty: nothing does.
 */
export function findTroubles(picture: Picture): Trouble[] {
  return RULES.map((rule) => rule(picture)).filter((trouble) => trouble !== null);
}

export const isDown = ({ state }: SourceView): boolean => state === 'failed' || state === 'waiting';

/**
 * How long a source has given nothing, milliseconds; null while that is as it should be.
 *
 * Each is judged by its own rhythm. In a growth one that gave nothing since the growth or the agent began is silent, too; a
 * camera is, once it has filmed in this growth.
 */
export function silentMs({ atMs, growth, service }: Facts, source: SourceView): number | null {
  const { state, kind, lastCaptureMs, pauseMs } = source;
  if (state !== 'running') return null;
  const beganMs = Math.max(growth?.startedMs ?? 0, service?.startedMs ?? 0);
  if (kind === 'rheed' && (growth === null || (lastCaptureMs ?? 0) < beganMs)) return null;
  if (lastCaptureMs === null && growth === null) return null;
  const sinceMs = growth === null ? (lastCaptureMs ?? 0) : Math.max(lastCaptureMs ?? 0, beganMs);
  const limitMs = Math.max(SILENT_MIN_MS, PAUSES_SILENT * pauseMs);
  return atMs - sinceMs > limitMs ? atMs - sinceMs : null;
}

/** How much waits here, of the whole queue. */
export function safeHere({ tally }: Facts): string {
  const waiting = tally?.waitingPoints ?? 0;
  return waiting === 0 ? 'Nothing waits.' : `${counted(waiting, 'point')} ${waiting === 1 ? 'is' : 'are'} safe here.`;
}

/** What a source asks a person before it reads on: a remark that nothing but an answer ends. */
const questionOf = ({ notes }: SourceView) => notes.find(({ level }) => level === 'error') ?? null;

function cannotStore({ store }: Picture): Trouble | null {
  if (store === null || store.state === 'ok' || store.state === 'away') return null;
  return { text: `New data cannot be stored: ${store.message}`, hint: store.hint };
}

function notRecorded({ sources }: Picture): Trouble | null {
  const down = sources.filter(isDown);
  const [first] = down;
  if (first === undefined) return null;
  const others = down.length > 1 ? ` (and ${counted(down.length - 1, 'other source')})` : '';
  return { text: `Source ${first.id}${others} is not recorded: ${first.message}`, hint: first.hint };
}

function silentInGrowth(picture: Picture): Trouble | null {
  return picture.facts.growth === null ? null : describeSilence(picture);
}

/** Sources that give nothing, as text; null: each gives what it should. */
export function describeSilence({ facts, sources }: Picture): Trouble | null {
  const silent = sources.filter((source) => silentMs(facts, source) !== null);
  const longestMs = Math.max(...silent.map((source) => silentMs(facts, source) ?? 0));
  if (silent.length === 0) return null;
  const ids = listSome(silent.map(({ id }) => id));
  return { text: `Nothing has come from ${ids} for ${Math.round(longestMs / 60_000)} min.`, hint: SILENT_HINT };
}

function diskNearlyFull({ store }: Picture): Trouble | null {
  const hours = store?.hoursToFull ?? Number.POSITIVE_INFINITY;
  return store && hours < VERY_SHORT_HOURS ? { text: store.fillText, hint: FILLING_HINT } : null;
}

function sourceAsks({ sources }: Picture): Trouble | null {
  const asking = sources.filter((source) => questionOf(source) !== null);
  const [first] = asking;
  const question = first && questionOf(first);
  if (!question) return null;
  const others = asking.length > 1 ? ` (and ${counted(asking.length - 1, 'other source')})` : '';
  return { text: `Source ${first.id}${others} asks: ${question.message}`, hint: question.hint };
}

function growthAsks({ facts }: Picture): Trouble | null {
  if (facts.growth?.state !== 'asks') return null;
  return {
    text: `Epistream was restarted during a growth. ${safeHere(facts)}`,
    hint: 'Say on the page Growth whether it goes on; until then readings belong to it.',
  };
}

function queueAway({ store }: Picture): Trouble | null {
  return store?.state === 'away' ? { text: `Nothing is sent: ${store.message}`, hint: store.hint } : null;
}

function serviceHeld({ facts, service }: Picture): Trouble | null {
  if (service?.state !== 'held') return null;
  return { text: `Nothing is sent: ${service.message} ${safeHere(facts)}`, hint: service.hint };
}

function streamHeld({ streams }: Picture): Trouble | null {
  const held = streams.filter(({ upload }) => upload === 'blocked');
  const [first] = held;
  if (first === undefined) return null;
  const others = held.length > 1 ? ` (and ${counted(held.length - 1, 'other stream')})` : '';
  return { text: `Stream "${first.name}"${others} is held: ${first.message}`, hint: first.hint };
}

function pointsRefused({ streams }: Picture): Trouble | null {
  const refused = streams.reduce((sum, stream) => sum + stream.pointsRefused - stream.pointsResent, 0);
  if (refused <= 0) return null;
  return {
    text: `The service refused ${counted(refused, 'point')}; they are kept here.`,
    hint: 'Look at the streams that need you: what was repaired can be sent again there.',
  };
}
