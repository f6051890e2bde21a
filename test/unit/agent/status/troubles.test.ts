// The table of troubles over facts drawn at random: nothing is green while something is wrong, and nothing hides a worse thing.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildSnapshot } from '../../../../src-main/agent/status/build-snapshot.ts';
import type { Facts, LineFact, UploadFact } from '../../../../src-main/agent/status/facts.ts';
import type { SourceView, StreamView } from '../../../../src-main/contract/snapshot.ts';
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
const ago = (minutes: number) => NOW_MS - minutes * MINUTE_MS;

describe('a source that gives nothing', () => {
  const live = sourceView({ id: 'gauge', lastCaptureMs: NOW_MS - 1000 });
  const dead = sourceView({ id: 'tool-log', lastCaptureMs: ago(10) });

  test('in a growth needs a person, with its age, and is not counted as recorded', () => {
    const { sentence } = told({ sources: [live, dead], growth: growth() });
    expect(sentence.tone).toBe('attention');
    expect(sentence.text).toBe(
      'Recording 1 of 2 sources. A growth is under way. Nothing has come from tool-log for 10 min.',
    );
  });

  test('outside a growth is said, and is not green', () => {
    const { sentence, troubles } = told({ sources: [live, dead] });
    expect(sentence).toMatchObject({ tone: 'busy', text: expect.stringContaining('from tool-log for 10 min.') });
    expect(troubles).toEqual([]);
  });

  test('is judged from the beginning of the growth, and by its own rhythm', () => {
    const young = growth({ startedMs: ago(1) });
    expect(told({ sources: [live, dead], growth: young }).sentence.tone).toBe('ok');
    const slow = sourceView({ id: 'slow', lastCaptureMs: ago(10), pauseMs: 4 * MINUTE_MS });
    expect(told({ sources: [slow], growth: growth() }).sentence.tone).toBe('ok');
    const never = sourceView({ id: 'never' });
    expect(told({ sources: [never], growth: growth() }).sentence.text).toContain('from never for 30 min.');
  });

  test('a camera that has not filmed in this growth is no part of it', () => {
    const camera = (minutes: number) => sourceView({ id: 'rheed', kind: 'rheed', lastCaptureMs: ago(minutes) });
    expect(told({ sources: [live, camera(45)], growth: growth() }).sentence.tone).toBe('ok');
    expect(told({ sources: [live, camera(5)], growth: growth() }).sentence.text).toContain('from rheed for 5 min.');
    expect(told({ sources: [live, camera(5)] }).sentence.tone).toBe('ok');
  });
});

test('an unplugged instrument hides neither the growth nor the other sources nor the other troubles', () => {
  const { sentence, troubles } = told({
    sources: [
      sourceView({ id: 'log', lastCaptureMs: NOW_MS }),
      sourceView({ id: 'cryostat', state: 'waiting', message: 'There is no port /dev/ttyUSB0.' }),
    ],
    growth: growth({ state: 'asks', askedMs: NOW_MS }),
    service: service({ trouble: 'key', message: 'The key is refused.', hint: 'new key', sinceMs: 1, untilMs: 2 }),
  });
  expect(sentence.text).toBe(
    'Recording 1 of 2 sources. Source cryostat is not recorded: There is no port /dev/ttyUSB0.',
  );
  expect(troubles.map(({ text }) => text)).toEqual([
    'Source cryostat is not recorded: There is no port /dev/ttyUSB0.',
    'Epistream was restarted during a growth. Nothing waits.',
    'Nothing is sent: The key is refused. Nothing waits.',
  ]);
});

test('a file that is held until a person answers is told, and its question with it', () => {
  const note = { level: 'error', code: 'log.dates-ambiguous', message: 'Is 03/04 March or April?', hint: 'Say which.' };
  const { sentence } = told({
    sources: [sourceView({ lastCaptureMs: NOW_MS, notes: [note as SourceView['notes'][0]] })],
  });
  expect(sentence).toEqual({
    tone: 'attention',
    text: 'Recording 1 source. Source log asks: Is 03/04 March or April?',
    hint: 'Say which.',
  });
});

const anySource = fc
  .record({
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    kind: fc.constantFrom('log', 'serial', 'rheed', 'simulator'),
    state: fc.constantFrom('starting', 'running', 'running', 'running', 'waiting', 'failed', 'finished', 'stopped'),
    lastCaptureMs: fc.option(fc.integer({ min: ago(120), max: NOW_MS })),
    pauseMs: fc.constantFrom(0, 4 * MINUTE_MS),
    asks: fc.boolean(),
  })
  .map(({ asks, ...rest }) => {
    const question = { level: 'error' as const, code: 'q', message: 'Which?', hint: 'Say.' };
    return sourceView({ ...rest, message: 'down', notes: asks ? [question] : [] } as Partial<SourceView>);
  });
const anyFault = fc.constantFrom<LineFact['trouble'] | null>(null, 'offline', 'asked', 'key', 'foreign', 'certificate');
const anyStream = fc.record({
  id: fc.integer({ min: 1, max: 5 }),
  pointsAcknowledged: fc.integer({ min: 0, max: 20 }),
  chunksWaiting: fc.integer({ min: 0, max: 2 }),
  isHeld: fc.boolean(),
});
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
  })
  .map(({ fault, streams, storeFault, isAway, hoursToFull, isPaused, ...rest }) => {
    const why = { message: 'why', hint: 'do' };
    const line = fault && { trouble: fault, ...why, sinceMs: 1, untilMs: NOW_MS + 1 };
    const blocked: UploadFact = { state: { is: 'blocked', reason: why }, isOnLine: false };
    return facts(
      streams.map(({ id, pointsAcknowledged, chunksWaiting }) =>
        streamTally({ id, pointsAcknowledged, chunksWaiting }),
      ),
      {
        ...rest,
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

test('of any facts: no green while something is wrong, and the first line is the worst', () => {
  const isBlocked = ({ upload }: StreamView) => upload === 'blocked';
  fc.assert(
    fc.property(anyFacts, (given) => {
      const { sentence, troubles, sources, streams, store, service: line, growth: under } = buildSnapshot(given, 1);
      const texts = troubles.map(({ text }) => text);
      const isDown = sources.some(({ state }) => state === 'waiting' || state === 'failed');
      const asks = sources.some(({ notes }) => notes.length > 0);
      const aged = sources.filter(({ state, kind, lastCaptureMs, pauseMs }) => {
        const beganMs = Math.max(startedMs, under?.startedMs ?? 0);
        const isOfGrowth = under !== null && (kind !== 'rheed' || (lastCaptureMs ?? 0) >= beganMs);
        return (
          state === 'running' &&
          isOfGrowth &&
          NOW_MS - Math.max(beganMs, lastCaptureMs ?? 0) > Math.max(2 * MINUTE_MS, 5 * pauseMs)
        );
      });
      const wrong: [boolean, RegExp][] = [
        [store?.state === 'failing', /^New data cannot be stored/],
        [isDown, /is not recorded/],
        [aged.length > 0, /^Nothing has come from/],
        [asks, /asks: Which/],
        [under?.state === 'asks', /was restarted/],
        [store?.state === 'away' || line?.state === 'held', /^Nothing is sent/],
        [streams.some(isBlocked), /is held/],
      ];
      for (const [is, words] of wrong)
        expect(
          texts.some((text) => words.test(text)),
          String(words),
        ).toBe(is);
      expect(troubles.every(({ hint }) => hint !== '' || isDown)).toBe(true);
      if (troubles.length > 0) {
        expect(sentence.tone).toBe('attention');
        expect(sentence.text).toContain(texts[0]);
      } else expect(sentence.tone).not.toBe('attention');
      if (sentence.tone === 'ok') expect(line?.state).not.toBe('offline');
    }),
    walks(2000),
  );
});
