import { describe, expect, test } from 'vitest';
import { buildSnapshot } from '../../../../src-main/agent/status/build-snapshot.ts';
import type { Facts, LineFact, UploadFact } from '../../../../src-main/agent/status/facts.ts';
import type { Sentence, Snapshot } from '../../../../src-main/contract/snapshot.ts';
import { deliveredTally as done, facts, NOW_MS, sourceView, streamTally } from '../../../support/facts.ts';

const sentence = (given: Facts): Sentence => buildSnapshot(given, 1).sentence;

/** All but its open tail is acknowledged, 4 s ago. */
const live = streamTally({ pointsAcknowledged: 18, chunksWaiting: 0, deliveredUpToMs: NOW_MS - 4000 });
const fault = (trouble: LineFact['trouble']): NonNullable<Facts['service']> => ({
  address: 'https://s',
  isEmbedded: false,
  startedMs: 0,
  pausedSinceMs: null,
  upSinceMs: null,
  fault: { trouble, message: `because ${trouble}.`, hint: `do ${trouble}`, sinceMs: 1, untilMs: NOW_MS + 5000 },
});
const blocked = (message: string): UploadFact => ({
  state: { kind: 'blocked', reason: { message, hint: 'look' } },
  isOnLine: false,
});

describe('every phase has its sentence', () => {
  test.each<[Snapshot['phase'], Sentence['tone'], RegExp]>([
    ['first-run', 'stopped', /^Nothing is recorded yet/],
    ['starting', 'busy', /^Starting/],
    ['running', 'busy', /^Recording 1 source/],
    ['stopping', 'busy', /^Stopping.*20 points not sent\. They are saved on this PC/],
    ['stopped', 'stopped', /^Stopped.*20 points not sent\. They are saved on this PC/],
    ['failed', 'attention', /^Nothing is recorded\. no settings/],
  ])('%s', (phase, tone, text) => {
    const failure = phase === 'failed' ? { message: 'no settings', hint: 'write some' } : null;
    const told = sentence(facts([streamTally()], { phase, failure }));
    expect(told).toMatchObject({ tone, text: expect.stringMatching(text) });
    if (phase === 'failed') expect(told.hint).toBe('write some');
  });

  test('one point is not "points", and nothing waiting is not spoken of', () => {
    const one = streamTally({ pointsStored: 1 });
    expect(sentence(facts([one], { phase: 'stopped' })).text).toContain('1 point not sent');
    expect(sentence(facts([done], { phase: 'stopped' })).text).toBe('Stopped.');
  });
});

test('a pause is told as long as it lasts, whatever the line says, and what is safe meanwhile', () => {
  const service = { ...fault('offline'), pausedSinceMs: NOW_MS - 60_000 };
  expect(sentence(facts([streamTally()], { service }))).toMatchObject({
    tone: 'busy',
    text: 'Recording 1 source. Sending is paused. 20 points are safe here.',
  });
});

test('points that were refused and sent again in another stream need nobody any more', () => {
  const resent = { pointsRefused: 20, chunksWaiting: 0, isClosed: true, isDelivered: true };
  expect(sentence(facts([streamTally({ ...resent, pointsResent: 20 })])).tone).toBe('ok');
  expect(sentence(facts([streamTally({ ...resent, pointsResent: 5 })])).text).toContain('refused 15 points');
});

describe('the most urgent trouble comes first', () => {
  const refused = streamTally({ id: 3, pointsRefused: 20, chunksWaiting: 0, isClosed: true, isDelivered: true });
  const held = streamTally({ id: 4, name: 'held one' });
  /** From the least urgent to the most: each is added to those before it and takes the word. */
  const ladder: [string, Partial<Facts>, RegExp][] = [
    ['refused points', {}, /The service refused 20 points; they are kept here/],
    [
      'a stream that is held',
      { uploads: new Map([[4, blocked('count differs')]]) },
      /"held one" is held\. count differs/,
    ],
    [
      'a key that is refused',
      { service: fault('key') },
      /Nothing is sent: the service refuses the key\. .* because key\./,
    ],
    [
      'sources that are down',
      {
        sources: [
          sourceView(),
          sourceView({ id: 'a', state: 'failed', message: 'gone' }),
          sourceView({ state: 'waiting' }),
        ],
      },
      /^Recording 1 of 3 sources\. Source a \(and 1 other source\) is not recorded\. gone/,
    ],
    [
      'a store that refuses',
      {
        store: {
          path: '',
          freeBytes: 0,
          bytesPerHour: null,
          hoursToFull: 0,
          fault: { message: 'The disk is full', hint: 'free space' },
          away: null,
        },
      },
      /^New data cannot be stored\. The disk is full/,
    ],
  ];
  test.each(ladder.map(([name, , text], rung) => [name, rung, text] as const))('%s', (_, rung, text) => {
    const all = Object.assign({}, ...ladder.slice(0, rung + 1).map(([, more]) => more)) as Partial<Facts>;
    const told = sentence(facts([refused, held, live], all));
    expect(told).toMatchObject({ tone: 'attention', text: expect.stringMatching(text) });
  });

  test('something that answers in place of the service needs a person', () => {
    expect(sentence(facts([live], { service: fault('foreign') }))).toMatchObject({
      tone: 'attention',
      text: expect.stringContaining(
        'Nothing is sent: what answers is not the service. 2 points are safe here. because foreign.',
      ),
      hint: 'do foreign',
    });
  });
});

test('a disk that is full within hours needs a person; one that is full within days does not take the word', () => {
  const store = (hoursToFull: number) => {
    return { path: '', freeBytes: hoursToFull * 1e9, bytesPerHour: 1e9, hoursToFull, fault: null, away: null };
  };
  expect(sentence(facts([live], { store: store(5.5) }))).toMatchObject({
    tone: 'attention',
    text: 'Recording 1 source. The buffer lasts about 5 h at this rate (1.00 GB an hour).',
    hint: expect.stringContaining('Free disk space'),
  });
  expect(sentence(facts([live], { store: store(31) })).tone).toBe('ok');
});

describe('what will be well by itself needs nobody', () => {
  test('a service that cannot be reached', () => {
    const told = sentence(facts([streamTally()], { service: fault('offline') }));
    expect(told.tone).toBe('busy');
    expect(told.text).toBe('Recording 1 source. The service cannot be reached. 20 points are safe here.');
  });

  test('a service that asks to wait is not called unreachable', () => {
    const told = sentence(facts([streamTally()], { service: fault('asked') }));
    expect(told.tone).toBe('busy');
    expect(told.text).not.toContain('cannot be reached');
    expect(told.text).toContain('because asked.');
  });
});

describe('delivered is said only of acknowledged points', () => {
  test.each([
    ['nothing was ever read', facts([]), 'Recording 1 source. No reading yet.', 'busy'],
    ['every stream is delivered', facts([done]), 'Recording 1 source. All delivered.', 'ok'],
    [
      'only the open tail waits',
      facts([live, done]),
      'Recording 1 source. Everything older than 5 s is delivered.',
      'ok',
    ],
    [
      'nothing is acknowledged yet',
      facts([streamTally()]),
      'Recording 1 source. 20 points stored on this PC, upload in progress.',
      'busy',
    ],
  ] as const)('%s', (_, given, text, tone) => {
    expect(sentence(given)).toMatchObject({ text, tone });
  });

  test('what was read for a former service, and is kept here, was read', () => {
    const kept = streamTally({ isClosed: true, pointsAcknowledged: 15 });
    const held = { streams: 1, streamIds: [kept.id], points: 5, firstMs: 1, lastMs: 2, choice: 'keep' as const };
    const former = { ...held, service: 'https://former', state: 'kept' as const, message: '', hint: '', hasKey: false };
    expect(sentence(facts([kept], { former: [former] })).text).toBe('Recording 1 source. All delivered.');
  });

  test('also while the streams of a growth that has just begun wait for their first chunk', () => {
    const begun = (agoMs: number) =>
      streamTally({ id: 5, pointsAcknowledged: 0, chunksWaiting: 1, oldestStoredMs: NOW_MS - agoMs });
    const text = 'Recording 1 source. Everything older than 10 s is delivered.';
    expect(sentence(facts([begun(9000), done]))).toMatchObject({ tone: 'ok', text });
    expect(sentence(facts([begun(61_000), done])).tone).toBe('busy');
    expect(sentence(facts([begun(9000)])).tone).toBe('busy');
  });

  test('also while the last chunk of a stream that has just ended is under way', () => {
    const ended = { ...live, isClosed: true, chunksWaiting: 1 };
    const text = 'Recording 1 source. Everything older than 5 s is delivered.';
    expect(sentence(facts([ended]))).toMatchObject({ tone: 'ok', text });
  });

  test('not while a live stream has not had a single point acknowledged', () => {
    const young = streamTally({ id: 5, pointsAcknowledged: 0, chunksWaiting: 0 });
    expect(sentence(facts([live, young])).text).not.toContain('elivered');
  });

  test('not while older points wait than those that are acknowledged', () => {
    const mixed = { ...live, pointsAcknowledged: 18, deliveredUpToMs: null };
    expect(sentence(facts([mixed])).text).toBe('Recording 1 source. 2 points stored on this PC, upload in progress.');
  });

  test('not while yesterday still waits, however live today is', () => {
    const yesterday = streamTally({ id: 6, isClosed: true, lastStoredMs: NOW_MS - 86_400_000, chunksWaiting: 1 });
    expect(sentence(facts([live, yesterday]))).toMatchObject({
      tone: 'busy',
      text: expect.stringContaining('22 points'),
    });
  });

  test('not while more than the chunk under way waits for more than a minute', () => {
    const behind = { ...live, pointsAcknowledged: 2, chunksWaiting: 2, deliveredUpToMs: NOW_MS - 61_000 };
    const idle = { ...live, id: 7 };
    expect(sentence(facts([behind, idle])).text).not.toContain('elivered');
    const isClose = { ...behind, deliveredUpToMs: NOW_MS - 4000 };
    const text = 'Recording 1 source. Everything older than 5 s is delivered.';
    expect(sentence(facts([isClose, idle]))).toMatchObject({ tone: 'ok', text });
  });

  test('not "all" while a stream beyond those listed waits', () => {
    const given = facts([done]);
    const told = sentence({ ...given, tally: { ...(given.tally as object), waitingPoints: 7 } as Facts['tally'] });
    expect(told).toMatchObject({ tone: 'busy', text: expect.stringContaining('7 points') });
  });
});

describe('a growth', () => {
  const growth: NonNullable<Facts['growth']> = {
    ...{ id: 'g', name: 'SL 12', sampleId: null, newSampleName: null, projectId: null },
    ...{ startedMs: NOW_MS - 60_000, startCause: 'by hand', endedMs: null, endCause: '' },
    ...{ state: 'running', askedMs: null, changeBecomes: 'new-streams', waits: [], problems: [] },
  };

  test('under way is told with how things stand, and without one nothing is', () => {
    expect(sentence(facts([done], { growth })).text).toMatch(
      /^Recording 1 source\. A growth is under way\. All delivered/,
    );
    expect(sentence(facts([done])).text).not.toContain('growth');
  });

  test('that asks after a restart wants a person, unless data is in danger', () => {
    const asks = { ...growth, state: 'asks', askedMs: NOW_MS } as const;
    const told = sentence(facts([done], { growth: asks }));
    expect(told).toMatchObject({ tone: 'attention', text: expect.stringContaining('restarted during a growth') });
    expect(told.hint).toContain('page Growth');
    const down = [sourceView({ state: 'failed', message: 'it is gone.' })];
    expect(sentence(facts([done], { growth: asks, sources: down })).text).toMatch(
      /is not recorded since .*\. it is gone/,
    );
  });
});

test('a queue that is not where it was opened is told as that: recording goes on, nothing is sent', () => {
  const away = { message: 'The queue was moved away.', hint: 'Move it back.' };
  const store = { path: '', freeBytes: 1e9, bytesPerHour: null, hoursToFull: null, fault: null, away };
  expect(sentence(facts([live], { store }))).toEqual({
    tone: 'attention',
    ...{ standing: 'Recording 1 source.', headline: 'Nothing is sent: the queue is not in its place.' },
    detail: 'The queue was moved away.',
    text: 'Recording 1 source. Nothing is sent: the queue is not in its place. The queue was moved away.',
    hint: 'Move it back.',
  });
});
