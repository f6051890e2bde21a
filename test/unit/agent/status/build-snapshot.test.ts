import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildSnapshot } from '../../../../src-main/agent/status/build-snapshot.ts';
import type { Facts, UploadFact } from '../../../../src-main/agent/status/facts.ts';
import { Snapshot } from '../../../../src-main/contract/snapshot.ts';
import { facts, NOW_MS, sourceView, streamTally } from '../../../support/facts.ts';
import { walks } from '../../../support/run/effort.ts';

const text = fc.string({ maxLength: 30, unit: 'binary' });
const ms = fc.double({ min: -8.64e15, max: 8.64e15, noNaN: true });
const count = fc.nat({ max: 1e9 });
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null });

const tally = fc
  .record({
    id: fc.integer({ min: 1, max: 400 }),
    name: text,
    dataId: maybe(text),
    isClosed: fc.boolean(),
    isDelivered: fc.boolean(),
    pointsPerChunk: maybe(fc.integer({ min: 1, max: 1000 })),
    acknowledged: count,
    refused: count,
    waiting: count,
    chunksWaiting: count,
    lastStoredMs: maybe(ms),
    deliveredUpToMs: maybe(ms),
  })
  .map(({ acknowledged, refused, waiting, ...rest }) =>
    streamTally({
      ...rest,
      pointsStored: acknowledged + refused + waiting,
      pointsAcknowledged: acknowledged,
      pointsRefused: refused,
    }),
  );
const upload: fc.Arbitrary<UploadFact> = fc.record({
  state: fc.record({
    kind: fc.constantFrom('stopped', 'resuming', 'checking', 'idle', 'sending', 'refusing', 'waiting', 'blocked'),
    untilMs: maybe(ms),
    reason: fc.record({ message: text, hint: text }),
  }),
  isOnLine: fc.boolean(),
});
const anyFacts: fc.Arbitrary<Facts> = fc
  .record({
    streams: fc.uniqueArray(tally, { maxLength: 250, size: 'max', selector: ({ id }) => id }),
    uploads: fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), upload), { maxLength: 20 }),
    phase: fc.constantFrom('first-run', 'starting', 'running', 'stopping', 'stopped', 'failed'),
    failure: maybe(fc.record({ message: text, hint: text })),
    service: maybe(
      fc.record({
        address: text,
        isEmbedded: fc.boolean(),
        startedMs: ms,
        pausedSinceMs: maybe(ms),
        upSinceMs: maybe(ms),
        fault: maybe(
          fc.record({
            trouble: fc.constantFrom('offline', 'asked', 'key', 'foreign', 'certificate'),
            message: text,
            hint: text,
            sinceMs: ms,
            untilMs: ms,
          }),
        ),
      }),
    ),
    states: fc.array(fc.constantFrom('starting', 'running', 'waiting', 'failed', 'finished', 'stopped'), {
      maxLength: 4,
    }),
    hasTally: fc.boolean(),
    store: maybe(
      fc.record({
        path: text,
        freeBytes: maybe(count),
        bytesPerHour: maybe(fc.double({ noNaN: true, noDefaultInfinity: true })),
        hoursToFull: maybe(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })),
        fault: maybe(fc.record({ message: text, hint: text })),
        away: maybe(fc.record({ message: text, hint: text })),
      }),
    ),
    events: fc.nat({ max: 60 }),
  })
  .map(({ streams, uploads, phase, failure, service, states, hasTally, store, events }) => ({
    ...facts(streams, { phase, failure, service, store, uploads: new Map(uploads) }),
    ...(hasTally ? {} : { tally: null }),
    sources: states.map((state, i) => sourceView({ id: `s${i}`, state })),
    journal: Array.from({ length: events }, (_, i) => ({
      id: i + 1,
      atMs: NOW_MS,
      level: 'info' as const,
      code: 'a.b',
      message: '',
      hint: '',
    })),
  }));

describe('buildSnapshot', () => {
  test('fits the contract, whatever the facts', () => {
    fc.assert(
      fc.property(anyFacts, fc.nat(), (given, revision) => {
        const snapshot = buildSnapshot(given, revision);
        // Nothing is lost or converted on the way to the screen either.
        expect(Snapshot.parse(JSON.parse(JSON.stringify(snapshot)))).toEqual(JSON.parse(JSON.stringify(snapshot)));
        expect(snapshot.streams.length).toBeLessThanOrEqual(200);
        expect(snapshot.journal.length).toBeLessThanOrEqual(50);
        for (const stream of snapshot.streams) {
          const own = given.tally?.streams.find(({ id }) => id === stream.id);
          expect(stream.pointsAcknowledged).toBe(own?.pointsAcknowledged);
          expect(stream.state === 'delivered').toBe(own?.isDelivered);
        }
      }),
      walks(60),
    );
  });

  test('shows the gaps noted last, and how many there are in all', () => {
    const gap = (id: number) => ({ id, sourceId: 'log', fromMs: id, toMs: id + 1, cause: 'unplugged' });
    const given = facts([]);
    const gaps = Array.from({ length: 30 }, (_, i) => gap(70 - i));
    const tally = { ...given.tally, gaps, gapsTotal: 70 } as Facts['tally'];
    const { gaps: shown, gapsTotal } = buildSnapshot({ ...given, tally }, 1);
    expect({ shown: shown.map(({ id }) => id), gapsTotal }).toEqual({
      shown: Array.from({ length: 20 }, (_, i) => 70 - i),
      gapsTotal: 70,
    });
  });

  test('what is not known of the room is null, never 0, and the sentence says so', () => {
    const room = { freeBytes: null, bytesPerHour: null, hoursToFull: null };
    expect(buildSnapshot(facts([], { store: { path: 'p', fault: null, away: null, ...room } }), 1).store).toMatchObject(
      {
        ...room,
        fill: 'unknown',
        fillText: expect.stringContaining('not known'),
      },
    );
  });

  test('a stream that would send while nobody gets through waits, with the reason of the line', () => {
    const line = { trouble: 'offline', message: 'no network', hint: '', sinceMs: 1, untilMs: 9 } as const;
    const given = facts([streamTally()], {
      service: { address: 'a', isEmbedded: false, startedMs: 0, pausedSinceMs: null, upSinceMs: null, fault: line },
      uploads: new Map([[1, { state: { kind: 'sending' }, isOnLine: false }]]),
    });
    expect(buildSnapshot(given, 1).streams[0]).toMatchObject({
      upload: 'waiting',
      message: 'no network',
      nextTryMs: 9,
    });
    const probing = { ...given, uploads: new Map([[1, { state: { kind: 'sending' as const }, isOnLine: true }]]) };
    expect(buildSnapshot(probing, 1).streams[0]).toMatchObject({ upload: 'sending', nextTryMs: null });
  });

  test.each([
    ['offline', 'offline'],
    ['asked', 'offline'],
    ['key', 'held'],
    ['foreign', 'held'],
    ['certificate', 'held'],
  ] as const)('a line in trouble by %s makes the service %s, with the next try', (trouble, state) => {
    const fault = { trouble, message: 'm', hint: 'h', sinceMs: 5, untilMs: 9 };
    const service = { address: 'a', isEmbedded: false, startedMs: 0, pausedSinceMs: null, upSinceMs: 3, fault };
    expect(buildSnapshot(facts([], { service }), 1).service).toMatchObject({ state, sinceMs: 5, nextTryMs: 9 });
  });
});
