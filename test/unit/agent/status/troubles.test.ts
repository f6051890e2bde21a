// The table of troubles over facts drawn at random: nothing is green while something is wrong, and nothing hides a worse thing.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildSnapshot } from '../../../../src-main/agent/status/build-snapshot.ts';
import type { Facts, LineFact, UploadFact } from '../../../../src-main/agent/status/facts.ts';
import type { Snapshot, SourceView, StreamView } from '../../../../src-main/contract/snapshot.ts';
import { facts, NOW_MS, sourceView, streamTally } from '../../../support/facts.ts';
import { walks } from '../../../support/run/effort.ts';

const MINUTE_MS = 60_000;
const growth = (more: Partial<NonNullable<Facts['growth']>> = {}): NonNullable<Facts['growth']> => ({
  ...{ id: 'g', name: 'SL 12', sampleId: null, newSampleName: null, projectId: null },
  ...{ startedMs: NOW_MS - 30 * MINUTE_MS, startCause: 'by hand', endedMs: null, endCause: '' },
  ...{ state: 'running', askedMs: null, changeBecomes: 'new-streams', waits: [], problems: [], ...more },
});
const startedMs = NOW_MS - 60 * MINUTE_MS;
const service = (fault: LineFact | null = null): NonNullable<Facts['service']> => {
  return { address: 'https://s', isEmbedded: false, startedMs, pausedSinceMs: null, upSinceMs: NOW_MS, fault };
};
const told = (given: Partial<Facts>) => buildSnapshot(facts([], { service: service(), ...given }), 1);
/** Pages that a line may lead to: those of src-renderer/pages.tsx. */
const PLACES = /^\/(sources\/[a-z%0-9]+|growth|settings|streams(\/\d+)?)?$/;
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

const anySource = fc
  .record({
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    kind: fc.constantFrom('log', 'serial', 'rheed', 'simulator'),
    state: fc.constantFrom('starting', 'running', 'running', 'running', 'waiting', 'failed', 'finished', 'stopped'),
    lastCaptureMs: fc.option(fc.integer({ min: ago(120), max: NOW_MS })),
    health: fc.constantFrom('idle', 'giving', 'giving', 'giving', 'late', 'silent', 'gone'),
    asks: fc.boolean(),
  })
  .map(({ asks, ...rest }) => {
    const question = { level: 'error' as const, code: 'q', message: 'Which?', hint: 'Say.' };
    return sourceView({ ...rest, message: 'down', notes: asks ? [question] : [] } as Partial<SourceView>);
  });
const anyFault = fc.constantFrom<LineFact['trouble'] | null>(null, 'offline', 'asked', 'key', 'foreign', 'certificate');
const anyStream = fc.record({
  id: fc.integer({ min: 1, max: 5 }),
  pointsAcknowledged: fc.integer({ min: 0, max: 15 }),
  pointsRefused: fc.constantFrom(0, 0, 5),
  chunksWaiting: fc.integer({ min: 0, max: 2 }),
  isHeld: fc.boolean(),
});
const anyFormer = fc
  .record({
    service: fc.constantFrom('embedded', 'https://old'),
    points: fc.integer({ min: 1, max: 20 }),
    state: fc.constantFrom('asks', 'sending', 'kept'),
    message: fc.constantFrom('', 'The key is refused.'),
  })
  .map((one): Facts['former'][number] => {
    return { ...one, streams: 1, streamIds: [9], firstMs: 1, lastMs: 2, choice: null, hint: 'do', hasKey: true };
  });
const anyAlarm = fc
  .record({
    channel: fc.constantFrom('T', 'p'),
    state: fc.constantFrom('active', 'acknowledged', 'cleared'),
    level: fc.constantFrom('hihi', 'hi', 'lo', 'lolo'),
    guidance: fc.constantFrom('', 'Close the shutter.'),
  })
  .map((one): Facts['alarms'][number] => ({ ...one, sourceId: 'a', value: 2, limit: 1, sinceMs: 1 }));
const anyFacts = fc
  .record({
    sources: fc.array(anySource, { maxLength: 4 }),
    growth: fc.constantFrom(null, growth(), growth({ state: 'asks', askedMs: NOW_MS }), growth({ startedMs: ago(1) })),
    fault: anyFault,
    isPaused: fc.boolean(),
    streams: fc.uniqueArray(anyStream, { maxLength: 3, selector: ({ id }) => id }),
    storeFault: fc.boolean(),
    isAway: fc.boolean(),
    hoursToFull: fc.constantFrom(null, 3, 30, 300),
    former: fc.uniqueArray(anyFormer, { maxLength: 2, selector: ({ service: one }) => one }),
    clockNote: fc.boolean(),
    alarms: fc.uniqueArray(anyAlarm, { maxLength: 2, selector: ({ channel }) => channel }),
  })
  .map(({ fault, streams, storeFault, isAway, hoursToFull, isPaused, clockNote, ...rest }) => {
    const why = { message: 'why', hint: 'do' };
    const line = fault && { trouble: fault, ...why, sinceMs: 1, untilMs: NOW_MS + 1 };
    const blocked: UploadFact = { state: { kind: 'blocked', reason: why }, isOnLine: false };
    return facts(
      streams.map(({ isHeld: _held, ...tally }) => streamTally(tally)),
      {
        ...rest,
        sources: clockNote ? rest.sources.map(withClockNote) : rest.sources,
        service: { ...service(line), pausedSinceMs: isPaused ? NOW_MS - 1 : null },
        uploads: new Map(streams.filter(({ isHeld }) => isHeld).map(({ id }) => [id, blocked])),
        store: {
          ...{ path: '', freeBytes: 1e9, bytesPerHour: hoursToFull === null ? null : 1e9, hoursToFull },
          fault: storeFault ? why : null,
          away: isAway ? why : null,
        },
      },
    );
  });

function withClockNote(source: SourceView): SourceView {
  const note = {
    level: 'warning' as const,
    code: 'log.tool-clock',
    message: 'Tool clock is 1 h ahead.',
    hint: 'Zone?',
  };
  return { ...source, notes: [...source.notes, note] };
}

/** What is wrong in some facts, told apart from the code: a name, whether it is so, and how the screen words it. Worst first. */
function findWrong(given: Facts, { sources, streams, store, service: line }: Snapshot): [boolean, RegExp][] {
  const isBlocked = ({ upload }: StreamView) => upload === 'blocked';
  return [
    [given.alarms.some(({ state }) => state !== 'acknowledged'), /^[Tp] is at or /],
    [store?.state === 'failing', /^New data cannot be stored/],
    [given.sources.some(isGone), /is not recorded/],
    [given.growth !== null && given.sources.some((source) => isSilent(given, source)), /^No data from/],
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
    [given.growth === null && given.sources.some((source) => isSilent(given, source)), /^No data from/],
    [given.growth !== null && given.sources.some((source) => isLate(given, source)), /^No data from/],
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
      // Two lines of the banner at 1280 pixels, with names that are short.
      expect(told.sentence.headline.length).toBeLessThanOrEqual(94);
      expect(told.sentence.headline).not.toMatch(/why|down|Which|Tool clock/);
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
