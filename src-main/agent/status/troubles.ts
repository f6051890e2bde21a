// What needs a person: a table from facts to words and to the page where it ends, in the order of what is lost while nobody
// acts. First what can never be had again, then what waits for an answer, then what is safe here and not sent.

import type { ServiceView, SourceView, StoreView, StreamView, Trouble } from '../../contract/snapshot.ts';
import type { AlarmFact, Facts, LineFact } from './facts.ts';
import { FILLING_HINT, VERY_SHORT_HOURS } from './fill.ts';
import { OPENING_MS } from './health.ts';
import { beyondWords } from './limit-words.ts';
import { clockTime, counted, listSome, SILENT_HINT, serviceName } from './words.ts';

/** Key of the trouble that alarms cannot be sent; it never causes an alarm. */
export const ALARM_KEY = 'alarm';

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
  beyondLimit,
  cannotStore,
  notRecorded,
  silentInGrowth,
  diskNearlyFull,
  sourceAsks,
  growthAsks,
  queueAway,
  serviceHeld,
  formerAsks,
  streamHeld,
  pointsRefused,
  alarmsNotSent,
];

/**
 * Find what needs a person. Pure.
 * @returns everything that needs a person, the worst first; empty: nothing does.
 */
export function findTroubles(picture: Picture): Trouble[] {
  return RULES.map((rule) => rule(picture)).filter((trouble) => trouble !== null);
}

/** It cannot be read, or was lost and has given no data since. */
const isDown = ({ health }: SourceView): boolean => health === 'gone';

/** How much waits here, of the whole queue. */
export function safeHere({ tally }: Facts): string {
  const waiting = tally?.waitingPoints ?? 0;
  return waiting === 0
    ? 'The upload queue is empty.'
    : `${counted(waiting, 'point')} ${waiting === 1 ? 'is' : 'are'} safe here.`;
}

/** Leads to a page. */
export const leadTo = (label: string, place: string) => ({ label, place, alarm: null });
const sourcePlace = (id: string) => `/sources/${encodeURIComponent(id)}`;
/** Leads to the page of a source. */
export const openSource = (id: string) => leadTo(`Open ${id}`, sourcePlace(id));

/** What a source asks a person before it reads on: a remark that nothing but an answer ends. */
const questionOf = ({ notes }: SourceView) => notes.find(({ level }) => level === 'error') ?? null;

/** A growth that goes wrong now is lost sooner than its data. */
function beyondLimit({ facts }: Picture): Trouble | null {
  const unseen = facts.alarms.filter(({ state }) => state !== 'acknowledged');
  const [first] = unseen.toSorted((a, b) => urgency(b) - urgency(a));
  if (first === undefined) return null;
  const { sourceId, channel, level, value, limit, state, guidance } = first;
  const others = unseen.length > 1 ? ` And ${counted(unseen.length - 1, 'other limit')}.` : '';
  const past = state === 'cleared' ? ' It is within again.' : '';
  return {
    keys: unseen.map((one) => `limit ${one.sourceId} ${one.channel} ${one.level}`),
    text: `${beyondWords(channel, level, value, limit)}${past}${others}`,
    detail: '',
    hint:
      guidance === '' ? 'Check the tool, then acknowledge the alarm. Epistream does not control the tool.' : guidance,
    act: { ...leadTo('Acknowledge', '/'), alarm: { sourceId, channel } },
  };
}

const urgency = ({ state, level }: AlarmFact) =>
  (state === 'active' ? 2 : 0) + (level === 'hihi' || level === 'lolo' ? 1 : 0);

function cannotStore({ store }: Picture): Trouble | null {
  if (store === null || store.state === 'ok' || store.state === 'away') return null;
  const { message: detail, hint } = store;
  return { keys: ['store'], text: 'New data cannot be stored.', detail, hint, act: null };
}

function notRecorded({ facts, sources }: Picture): Trouble | null {
  const down = sources.filter(isDown);
  const [first] = down;
  if (first === undefined) return null;
  const others = down.length > 1 ? ` (and ${counted(down.length - 1, 'other source')})` : '';
  return {
    keys: down.map(({ id }) => `source ${id}`),
    text: `Source ${first.id}${others} is not recorded${sinceWords(facts, first.lastDataMs)}.`,
    detail: first.message,
    hint: first.hint === '' ? 'Epistream tries again by itself. Look at the instrument and its cable.' : first.hint,
    act: openSource(first.id),
  };
}

function silentInGrowth(picture: Picture): Trouble | null {
  return isUnderWay(picture.facts) ? describeSilence(picture, 'silent') : null;
}

/** A growth is under way, and its sources had the time to begin. */
export const isUnderWay = ({ growth, atMs }: Facts): boolean =>
  growth !== null && atMs - growth.startedMs >= OPENING_MS;

/** Sources of this health, as text; null: there is none. */
export function describeSilence({ facts, sources }: Picture, health: 'late' | 'silent'): Trouble | null {
  const ofHealth = sources.filter((source) => source.health === health);
  const missed = ofHealth.filter(({ isRecovering }) => !isRecovering);
  const [first] = ofHealth;
  if (first === undefined) return null;
  // Since then none of them gave any.
  const [latest] = missed.toSorted((a, b) => (b.lastDataMs ?? 0) - (a.lastDataMs ?? 0));
  const text = latest
    ? `No data from ${listSome(missed.map(({ id }) => id))}${sinceWords(facts, latest.lastDataMs) || ' yet'}.`
    : `Data from ${listSome(ofHealth.map(({ id }) => id))} resumed just now.`;
  const keys = ofHealth.map(({ id }) => `${health} ${id}`);
  return { keys, text, detail: '', hint: SILENT_HINT, act: openSource(first.id) };
}

/** Since when, by the clock of the tool; empty: never. */
const sinceWords = ({ atMs, timeZone }: Facts, timeMs: number | null) =>
  timeMs === null ? '' : ` since ${clockTime(timeMs, atMs, timeZone)}`;

function diskNearlyFull({ store }: Picture): Trouble | null {
  const hours = store?.hoursToFull ?? Number.POSITIVE_INFINITY;
  if (store === null || hours >= VERY_SHORT_HOURS) return null;
  return { keys: ['disk'], text: store.fillText, detail: '', hint: FILLING_HINT, act: null };
}

function sourceAsks({ sources }: Picture): Trouble | null {
  const asking = sources.filter((source) => questionOf(source) !== null);
  const [first] = asking;
  const question = first && questionOf(first);
  if (!question) return null;
  const others = asking.length > 1 ? ` (and ${counted(asking.length - 1, 'other source')})` : '';
  return {
    keys: asking.map(({ id }) => `question ${id}`),
    text: `Source ${first.id}${others} needs a decision.`,
    detail: question.message,
    hint: question.hint,
    act: leadTo('Answer', sourcePlace(first.id)),
  };
}

function growthAsks({ facts }: Picture): Trouble | null {
  if (facts.growth?.state !== 'asks') return null;
  return {
    keys: ['growth'],
    text: `Epistream was restarted during a growth. ${safeHere(facts)}`,
    detail: '',
    hint: 'Choose on the page Growth whether this growth continues. Until then new readings are assigned to it.',
    act: leadTo('Answer', '/growth'),
  };
}

function queueAway({ store }: Picture): Trouble | null {
  if (store?.state !== 'away') return null;
  return {
    keys: ['queue'],
    text: 'Nothing is sent: the queue is not in its place.',
    detail: store.message,
    hint: store.hint,
    act: null,
  };
}

/** Why requests to the service fail. */
const HELD_WORDS: Readonly<Partial<Record<LineFact['trouble'], string>>> = {
  key: 'the service refuses the key',
  foreign: 'what answers is not the service',
  certificate: 'the certificate of the service is not accepted',
};

function serviceHeld({ facts, service }: Picture): Trouble | null {
  if (service?.state !== 'held') return null;
  const kind = facts.service?.fault?.trouble ?? 'foreign';
  return {
    keys: [`service ${kind}`],
    text: `Nothing is sent: ${HELD_WORDS[kind] ?? 'the service is held'}. ${safeHere(facts)}`,
    detail: service.message,
    hint: service.hint,
    act: service.needsKey ? leadTo('Enter a key', '/') : leadTo('Open the settings', '/settings'),
  };
}

function formerAsks({ facts }: Picture): Trouble | null {
  const asking = facts.former.filter(({ state }) => state === 'asks');
  const [first] = asking;
  if (first === undefined) return null;
  const others = asking.length > 1 ? ` (and more for ${counted(asking.length - 1, 'other service')})` : '';
  return {
    keys: asking.map(({ service }) => `previous service ${service}`),
    text: `${counted(first.points, 'point')} recorded for another service wait here${others}.`,
    detail: `They were recorded for ${serviceName(first.service)}. ${first.message}`.trim(),
    hint: 'The settings name another service now. Choose on the page Now: send them there, send them to the new service, or keep them here.',
    act: leadTo('Choose', '/'),
  };
}

function streamHeld({ facts, streams }: Picture): Trouble | null {
  const former = new Set(facts.former.flatMap(({ streamIds }) => streamIds));
  const held = streams.filter(({ id, upload }) => upload === 'blocked' && !former.has(id));
  const [first] = held;
  if (first === undefined) return null;
  const others = held.length > 1 ? ` (and ${counted(held.length - 1, 'other stream')})` : '';
  return {
    keys: held.map(({ id }) => `stream ${id}`),
    text: `Stream "${first.name}"${others} is held.`,
    detail: first.message,
    hint: first.hint,
    act: leadTo('Open the stream', `/streams/${first.id}`),
  };
}

function pointsRefused({ streams }: Picture): Trouble | null {
  const notTaken = (stream: StreamView) => stream.pointsRefused - stream.pointsResent;
  const refused = streams.reduce((sum, stream) => sum + notTaken(stream), 0);
  if (refused <= 0) return null;
  return {
    keys: streams.filter((stream) => notTaken(stream) > 0).map(({ id }) => `refused ${id}`),
    text: `The service refused ${counted(refused, 'point')}; they are kept here.`,
    detail: '',
    hint: 'Look at the streams that need you: what was repaired can be sent again there.',
    act: leadTo('Open the streams', '/streams'),
  };
}

function alarmsNotSent({ facts }: Picture): Trouble | null {
  const [first] = facts.alarmFaults;
  if (first === undefined) return null;
  return {
    keys: [ALARM_KEY],
    text: `Alarms cannot be sent by ${facts.alarmFaults.map(({ way }) => way).join(' and by ')}.`,
    detail: first.message,
    hint: first.hint,
    act: leadTo('Open the settings', '/settings'),
  };
}
