// The table of troubles over facts drawn at random: nothing is green while something is wrong, and nothing hides a worse thing.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildSnapshot } from '../../../../src-main/agent/status/build-snapshot.ts';
import type { Facts } from '../../../../src-main/agent/status/facts.ts';
import type { Snapshot, SourceView, StreamView } from '../../../../src-main/contract/snapshot.ts';
import { anyFacts, anyState, type DrawnSource, growth, service } from '../../../support/any-facts.ts';
import { deliveredTally, facts, NOW_MS, sourceView, streamTally } from '../../../support/facts.ts';
import { walks } from '../../../support/run/effort.ts';

const MINUTE_MS = 60_000;
const told = (given: Partial<Facts>) => buildSnapshot(facts([deliveredTally], { service: service(), ...given }), 1);
/** Pages that a line may lead to: those of src-renderer/pages.tsx. */
const PLACES = /^\/(sources\/[\w%-]+|growth|settings|streams(\/\d+)?)?$/;
const ago = (minutes: number) => NOW_MS - minutes * MINUTE_MS;

describe('a source that gives nothing', () => {
  const live = sourceView({ id: 'gauge', lastCaptureMs: NOW_MS - 1000 });
  const dead = sourceView({ id: 'tool-log', lastCaptureMs: ago(10), health: 'silent' });
  const late = sourceView({ id: 'tool-log', lastCaptureMs: NOW_MS - 6000, health: 'late' });
  const idle = (id: string, more: Partial<SourceView> = {}) => sourceView({ id, health: 'idle', ...more });

  test('in a growth needs the operator, with its age, and is not counted as recorded', () => {
    const { sentence } = told({ sources: [live, dead], growth: growth() });
    expect(sentence.tone).toBe('attention');
    expect(sentence.text).toBe(
      'Recording 1 of 2 sources. A growth is under way. No data from tool-log since 11:50:00.',
    );
  });

  test('outside a growth is shown, and is not green', () => {
    const { sentence, troubles } = told({ sources: [live, dead] });
    expect(sentence).toMatchObject({ tone: 'busy', text: expect.stringContaining('from tool-log since 11:50:00.') });
    expect(troubles).toEqual([]);
  });

  test('that is late shows in a growth alone', () => {
    expect(told({ sources: [live, late], growth: growth() }).sentence).toMatchObject({
      tone: 'busy',
      text: 'Recording 2 sources. A growth is under way. No data from tool-log since 11:59:54.',
    });
    expect(told({ sources: [live, late] }).sentence.tone).toBe('ok');
  });

  test('has half a minute from the beginning of the growth before it is a trouble', () => {
    const young = growth({ startedMs: ago(0.4) });
    expect(told({ sources: [live, dead], growth: young }).sentence.tone).toBe('busy');
    expect(told({ sources: [live, idle('never')], growth: young }).sentence.tone).toBe('ok');
    expect(told({ sources: [idle('never')], growth: growth() }).sentence.text).toContain('No data from never yet.');
  });

  test('of another day says which', () => {
    const yesterday = sourceView({ id: 'tool-log', lastCaptureMs: ago(13 * 60), health: 'silent' });
    expect(told({ sources: [yesterday] }).sentence.text).toContain('from tool-log since 2026-11-19 23:00:00.');
  });

  test('is silent since its last stored reading, also after a restart of the agent or of the source', () => {
    const restarted = (minutes: number, lastStoredMs: number | null) =>
      buildSnapshot(
        facts(lastStoredMs === null ? [] : [streamTally({ sourceId: 'tool-log', lastStoredMs })], {
          service: { ...service(), startedMs: ago(minutes) },
          sources: [live, idle('tool-log')],
          growth: growth(),
        }),
        1,
      ).sentence.text;
    expect(restarted(1, ago(10))).toContain('from tool-log since 11:50:00.');
    // Stamps that are ahead say no more than that it gave something before the agent began.
    expect(restarted(3, NOW_MS + 60 * MINUTE_MS)).toContain('from tool-log since 11:57:00.');
    // It has some time to open.
    expect(restarted(0.3, ago(10))).not.toContain('No data');
    expect(restarted(1, null)).toContain('No data from tool-log yet.');
  });

  test('is none that writes events alone', () => {
    const events = idle('events', { rowsRead: 3 });
    expect(told({ sources: [live, events], growth: growth() }).sentence.tone).toBe('ok');
  });

  test('a camera that has not filmed in this growth is no part of it', () => {
    const camera = (minutes: number) =>
      sourceView({ id: 'rheed', kind: 'rheed', lastCaptureMs: ago(minutes), health: 'silent' });
    expect(told({ sources: [live, camera(45)], growth: growth() }).sentence.tone).toBe('ok');
    expect(told({ sources: [live, camera(5)], growth: growth() }).sentence.text).toContain(
      'from rheed since 11:55:00.',
    );
    expect(told({ sources: [live, camera(5)] }).sentence.tone).toBe('ok');
  });
});

test('an unplugged instrument hides neither the growth nor the other sources nor the other troubles', () => {
  const { sentence, troubles } = told({
    sources: [
      sourceView({ id: 'log', lastCaptureMs: NOW_MS }),
      sourceView({ id: 'cryostat', state: 'waiting', health: 'gone', message: 'There is no port /dev/ttyUSB0.' }),
    ],
    growth: growth({ state: 'asks', askedMs: NOW_MS }),
    service: service({ trouble: 'key', message: 'The key is refused.', hint: 'new key', sinceMs: 1, untilMs: 2 }),
  });
  expect(sentence.text).toBe(
    'Recording 1 of 2 sources. Source cryostat is not recorded. There is no port /dev/ttyUSB0.',
  );
  expect(troubles.map(({ text, detail }) => [text, detail])).toEqual([
    ['Source cryostat is not recorded.', 'There is no port /dev/ttyUSB0.'],
    ['Epistream was restarted during a growth. The upload queue is empty.', ''],
    ['Nothing is sent: the service refuses the key. The upload queue is empty.', 'The key is refused.'],
  ]);
});

test('keeps the keys of a trouble while its text changes, and has one for each source', () => {
  const gone = (id: string) => sourceView({ id, state: 'waiting', health: 'gone', message: 'There is no port.' });
  const keysOf = (sources: SourceView[], atMs = NOW_MS) => told({ sources, atMs }).troubles.flatMap(({ keys }) => keys);
  expect(keysOf([gone('a'), gone('b')])).toEqual(['source a', 'source b']);
  expect(keysOf([gone('b'), gone('a')], NOW_MS + MINUTE_MS).toSorted()).toEqual(['source a', 'source b']);
  expect(keysOf([gone('b')])).toEqual(['source b']);
});

test('shows a file that waits for a decision, with its question', () => {
  const note = { level: 'error', code: 'log.dates-ambiguous', message: 'Is 03/04 March or April?', hint: 'Say which.' };
  const { sentence } = told({
    sources: [sourceView({ lastCaptureMs: NOW_MS, notes: [note as SourceView['notes'][0]] })],
  });
  expect(sentence).toEqual({
    tone: 'attention',
    text: 'Recording 1 source. Source log needs a decision. Is 03/04 March or April?',
    standing: 'Recording 1 source.',
    headline: 'Source log needs a decision.',
    detail: 'Is 03/04 March or April?',
    hint: 'Say which.',
  });
});

const NO_DATA = /^(No data from .* (since [\d -]+:\d\d:\d\d|yet)|Data from .* resumed just now)\.$/;
/** Paths, addresses, codes and ids. */
const TECHNICAL =
  /[/\\{}<>_]|\b(status|errno|E[A-Z]{4,}|[A-Z]{2,} \/)\b|[0-9a-f]{8}-[0-9a-f]{4}|\b\w+\.(csv|org)\b|Tool clock/;

/** What is wrong in some facts, told apart from the code: a name, whether it is so, and how the screen words it. Worst first. */
function findWrong(given: Facts, { sources, streams, store, service: line }: Snapshot): [boolean, RegExp][] {
  const isBlocked = ({ upload }: StreamView) => upload === 'blocked';
  return [
    [given.alarms.some(({ state }) => state !== 'acknowledged'), /^(T|substrate temperature) is at or /],
    [store?.state === 'failing', /^New data cannot be stored/],
    [given.sources.some(isGone), /is not recorded/],
    [given.growth !== null && given.sources.some((source) => isSilent(given, source)), NO_DATA],
    [(store?.hoursToFull ?? 99) < 6, /^The buffer lasts/],
    [sources.some(({ notes }) => notes.some(({ level }) => level === 'error')), /needs a decision/],
    [given.growth?.state === 'asks', /was restarted/],
    [store?.state === 'away', /^Nothing is sent: the queue/],
    [line?.state === 'held', /^Nothing is sent: (the service refuses|what answers|the certificate)/],
    [given.former.some(({ state }) => state === 'asks'), /recorded for .* wait here/],
    [streams.some(isBlocked), /is held/],
    [streams.some(({ pointsRefused }) => pointsRefused > 0), /^The service refused/],
  ];
}

/** What is not as it should be and needs nobody now, told apart from the code; it stands there whatever else is wrong. */
function findPassing(given: Facts, { sources }: Snapshot): [boolean, RegExp][] {
  const { pausedSinceMs = null, fault = null } = given.service ?? {};
  const isAway = pausedSinceMs === null && (fault?.trouble === 'offline' || fault?.trouble === 'asked');
  return [
    [given.growth === null && given.sources.some((source) => isSilent(given, source)), NO_DATA],
    [given.growth !== null && given.sources.some((source) => isLate(given, source)), NO_DATA],
    [
      sources.some(({ notes }) => notes.some(({ code }) => code === 'log.tool-clock')),
      /do not fit the clock of this PC/,
    ],
    [pausedSinceMs !== null, /^Sending is paused/],
    [isAway && fault?.trouble === 'offline', /^The service cannot be reached/],
    [isAway && fault?.trouble === 'asked', /^Sending waits/],
  ];
}

/** What a source gives is expected now: a camera only once it has filmed in the growth, and nothing of one that has ended. */
const isExpected = ({ growth: under }: Facts, { state, kind, lastCaptureMs }: SourceView) =>
  state !== 'finished' &&
  state !== 'stopped' &&
  (kind !== 'rheed' || (under !== null && (lastCaptureMs ?? 0) >= under.startedMs));

/** It gave data and gives none now, or has given none in a growth; growth and agent have been there for some time. */
const isSilent = (given: Facts, source: SourceView) =>
  isExpected(given, source) &&
  (source.health === 'silent' || (waitsInGrowth(given, source) && waitedMs(given) >= 10 * MINUTE_MS));

const isLate = (given: Facts, source: SourceView) =>
  isExpected(given, source) &&
  (source.health === 'late' || (waitsInGrowth(given, source) && waitedMs(given) < 10 * MINUTE_MS));

/** It has given nothing yet in a growth that expects something of it. */
const waitsInGrowth = ({ growth: under }: Facts, { health, kind }: SourceView) =>
  under !== null && health === 'idle' && kind !== 'rheed';

const waitedMs = ({ atMs, growth: under, service: line }: Facts) =>
  atMs - Math.max(under?.startedMs ?? 0, line?.startedMs ?? 0);

const isGone = ({ state, health }: SourceView) => state !== 'finished' && state !== 'stopped' && health === 'gone';

test('of any facts: the lines are what is wrong, the worst first, each with an end that a person can reach', () => {
  fc.assert(
    fc.property(anyFacts, (given) => {
      const told = buildSnapshot(given, 1);
      const wrong = findWrong(given, told).filter(([kind]) => kind);
      // One line for each, in the order of what is lost: nothing hides a worse thing, and nothing is made up.
      expect(told.troubles.map(({ text }) => wrong.findIndex(([, words]) => words.test(text)))).toEqual(
        wrong.map((_, at) => at),
      );
      const passing = findPassing(given, told).filter(([kind]) => kind);
      expect(told.remarks.map(({ text }) => passing.findIndex(([, words]) => words.test(text)))).toEqual(
        passing.map((_, at) => at),
      );
      const clocks = told.sources.filter(({ notes }) => notes.some(({ code }) => code === 'log.tool-clock'));
      const named = told.remarks.find(({ detail }) => /Tool clock/.test(detail))?.detail ?? '';
      expect(clocks.filter(({ id }) => !named.includes(`${id}: `))).toEqual([]);
      const keys = told.troubles.flatMap((trouble) => [...new Set(trouble.keys)]);
      expect(new Set(keys).size).toBe(keys.length);
      const [worst] = [...told.troubles, ...told.remarks];
      for (const { hint, act } of [...told.troubles, ...told.remarks]) {
        expect(hint).not.toBe('');
        if (act !== null) expect(PLACES.test(act.place), act.place).toBe(true);
      }
      expect(told.sentence.tone === 'attention').toBe(told.troubles.length > 0);
      expect(told.sentence.text).toContain(worst?.text ?? '');
      expect(told.sentence.hint).toBe(worst?.hint ?? '');
      // What the system or the service said stands in the detail alone.
      for (const { text } of [...told.troubles, ...told.remarks]) expect(text).not.toMatch(TECHNICAL);
      expect(`${told.sentence.standing} ${told.sentence.headline}`).not.toMatch(TECHNICAL);
      const seen = given.alarms.filter(({ state }) => state === 'acknowledged').length;
      const isStoring = told.store === null || told.store.state === 'ok' || told.store.state === 'away';
      expect(told.sentence.text.includes('acknowledged.')).toBe(seen > 0 && isStoring);
    }),
    walks(10_000),
  );
});

test('of any facts: never green while a source gives nothing, is down, opens or tells a wrong time, or anything is held', () => {
  fc.assert(
    fc.property(anyFacts, (given) => {
      const { sentence, sources, service: line } = buildSnapshot(given, 1);
      if (sentence.tone !== 'ok') return;
      expect(given.sources.filter((source) => isSilent(given, source) || isGone(source))).toEqual([]);
      if (given.growth) expect(given.sources.filter((source) => isLate(given, source))).toEqual([]);
      expect(given.sources.filter(({ state }) => state === 'starting')).toEqual([]);
      expect(sources.flatMap(({ notes }) => notes)).toEqual([]);
      expect([line?.state, line?.pausedSinceMs]).toEqual(['connected', null]);
      expect([[...given.uploads.values()], given.alarms]).toEqual([[], []]);
    }),
    walks(10_000),
  );
});

/** Nothing came of it for longer than three of its intervals and 5 s; of a camera that films in this growth, 2 min. */
function isLateByData({ growth: under }: Facts, { kind, times, intervalMs, pauseMs, resumes, state }: DrawnSource) {
  if (times === 0 || resumes || state === 'finished' || state === 'stopped') return false;
  if (kind !== 'rheed') return pauseMs > Math.max(3 * intervalMs, 5000);
  return pauseMs > Math.max(3 * intervalMs, 2 * MINUTE_MS) && NOW_MS - pauseMs >= (under?.startedMs ?? 0);
}

test('of any data: in a growth never green while they are late, and nothing is missed that came in its rhythm', () => {
  fc.assert(
    fc.property(anyState, ({ given, drawn }) => {
      const { sentence, troubles, remarks } = buildSnapshot(given, 1);
      const late = drawn.filter((source) => isLateByData(given, source));
      if (given.growth && late.length > 0) expect(sentence.tone).not.toBe('ok');
      const missed = [...troubles, ...remarks].filter(({ text }) => /^No data/.test(text)).flatMap(({ keys }) => keys);
      const inTime = drawn.filter((source) => source.times > 0 && !late.includes(source) && !source.resumes);
      expect(inTime.filter(({ id }) => missed.some((key) => key.endsWith(` ${id}`)))).toEqual([]);
    }),
    walks(10_000),
  );
});

test('the action of the operator ends every alert, and none is left then', () => {
  const healed = (given: Facts): Facts => ({
    ...given,
    sources: given.sources.map((source) => ({
      ...source,
      ...({ state: 'running', health: 'giving', lastCaptureMs: NOW_MS, notes: [] } as const),
    })),
    growth: given.growth && { ...given.growth, state: 'running', askedMs: null },
    service: service(),
    alarms: given.alarms.map((one) => ({ ...one, state: 'acknowledged' })),
    former: given.former.map((one) => ({ ...one, state: 'kept' })),
    uploads: new Map(),
    store: given.store && { ...given.store, fault: null, away: null, hoursToFull: null },
    tally: given.tally && {
      ...given.tally,
      streams: given.tally.streams.map((one) => ({ ...one, pointsResent: one.pointsRefused })),
    },
  });
  fc.assert(
    fc.property(anyFacts, (given) => {
      expect(buildSnapshot(healed(given), 1).troubles).toEqual([]);
    }),
    walks(2000),
  );
});
