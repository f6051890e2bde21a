// Facts drawn at random, with what is so of their sources. The health of a source comes from the moments at which its data came,
// through the panel that the agent has for it; texts of the system and the service are as technical as real ones.
import fc from 'fast-check';
import { SourcePanel } from '../../src-main/agent/pipeline/source-panel.ts';
import type { Facts, LineFact, UploadFact } from '../../src-main/agent/status/facts.ts';
import type { SourceView } from '../../src-main/contract/snapshot.ts';
import { deliveredTally, facts, NOW_MS, streamTally } from './facts.ts';

const MINUTE_MS = 60_000;
const ago = (minutes: number) => NOW_MS - minutes * MINUTE_MS;

/** A growth that began half an hour ago. */
export const growth = (more: Partial<NonNullable<Facts['growth']>> = {}): NonNullable<Facts['growth']> => ({
  ...{ id: 'g', name: 'SL 12', sampleId: null, newSampleName: null, projectId: null },
  ...{ startedMs: ago(30), startCause: 'by hand', endedMs: null, endCause: '' },
  ...{ state: 'running', askedMs: null, changeBecomes: 'new-streams', waits: [], problems: [], ...more },
});

/** A service that has answered for an hour, or what keeps it from that. */
export const service = (fault: LineFact | null = null): NonNullable<Facts['service']> => ({
  ...{ address: 'https://data.example.org', isEmbedded: false, startedMs: ago(60) },
  ...{ pausedSinceMs: null, upSinceMs: NOW_MS, fault },
});

/** What is so of a source: its rhythm, since when it gives nothing, and how it was lost or ended. */
export interface DrawnSource {
  readonly id: string;
  readonly kind: SourceView['kind'];
  readonly intervalMs: number;
  /** Of data that came before the pause; 0: none ever came. */
  readonly times: number;
  readonly pauseMs: number;
  /** Data came once more, just now. */
  readonly resumes: boolean;
  readonly state: SourceView['state'];
  readonly asks: boolean;
}

/** Mostly what is usual: many things are drawn, and all of them at once are never as they should be otherwise. */
const mostly = <T>(usual: T, ...others: readonly T[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, { weight: 2, arbitrary: fc.constantFrom(...others) });

/** Longer than a name that a tool has. */
const NAMES = ['log', 'gauge', 'cryostat-336', 'chamber-pressure-log', 'substrate-pyrometer-2'];
const anySource: fc.Arbitrary<DrawnSource> = fc.record({
  id: fc.constantFrom(...NAMES),
  kind: fc.constantFrom<SourceView['kind']>('log', 'serial', 'rheed', 'simulator'),
  intervalMs: fc.integer({ min: 1000, max: 60_000 }),
  times: mostly(6, 0, 20),
  pauseMs: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 4000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 60_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 40 * MINUTE_MS }) },
  ),
  resumes: mostly(false, true),
  state: mostly<SourceView['state']>('running', 'starting', 'waiting', 'failed', 'finished', 'stopped'),
  asks: mostly(false, true),
});

/** The view of a source after all that. */
function viewOf({ id, kind, intervalMs, times, pauseMs, resumes, state, asks }: DrawnSource): SourceView {
  let nowMs = NOW_MS - pauseMs - times * intervalMs;
  const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs };
  const panel = new SourcePanel({ id, kind, place: '/srv/logs', clock });
  panel.setState('running', '', '');
  for (let time = 0; time < times; time += 1) {
    nowMs += intervalMs;
    panel.captured(1, 3, 0, nowMs);
  }
  nowMs = NOW_MS;
  if (resumes && times > 0) panel.captured(1, 3, 0, nowMs);
  if (state !== 'running') panel.setState(state, 'Error: ENOENT, open /dev/ttyUSB0', 'Look at the cable.');
  if (asks) panel.note({ level: 'error', code: 'q', message: 'Which of /srv/logs/03.csv?', hint: 'Say.' });
  return panel.view;
}

const WHY = { message: 'GET /data_entries/ at https://data.example.org: status 401', hint: 'do' };
/** None for the most part. */
const seldom = <T>(one: fc.Arbitrary<T>, maxLength: number, selector: (one: T) => unknown) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant<T[]>([]) },
    { weight: 2, arbitrary: fc.uniqueArray(one, { maxLength, selector }) },
  );

const anyFault = mostly<LineFact['trouble'] | null>(null, 'offline', 'asked', 'key', 'foreign', 'certificate');
const anyStream = fc.record({
  id: fc.integer({ min: 1, max: 5 }),
  pointsAcknowledged: fc.integer({ min: 0, max: 15 }),
  pointsRefused: mostly(0, 5),
  chunksWaiting: fc.integer({ min: 0, max: 2 }),
  isHeld: mostly(false, true),
});
const anyFormer = fc
  .record({
    service: fc.constantFrom('embedded', 'https://old.example.org'),
    points: fc.integer({ min: 1, max: 20 }),
    state: fc.constantFrom('asks', 'sending', 'kept'),
    message: fc.constantFrom('', WHY.message),
  })
  .map((one): Facts['former'][number] => {
    return { ...one, streams: 1, streamIds: [9], firstMs: 1, lastMs: 2, choice: null, hint: 'do', hasKey: true };
  });
const anyAlarm = fc
  .record({
    channel: fc.constantFrom('T', 'substrate temperature'),
    state: fc.constantFrom('active', 'acknowledged', 'cleared'),
    level: fc.constantFrom('hihi', 'hi', 'lo', 'lolo'),
    guidance: fc.constantFrom('', 'Close the shutter.'),
  })
  .map((one): Facts['alarms'][number] => ({ ...one, sourceId: 'a', value: 2, limit: 1, sinceMs: 1 }));
/** Facts, with what is so of their sources. */
export const anyState = fc
  .record({
    drawn: fc.uniqueArray(anySource, { maxLength: 4, selector: ({ id }) => id }),
    growth: fc.constantFrom(null, growth(), growth({ state: 'asks', askedMs: NOW_MS }), growth({ startedMs: ago(1) })),
    fault: anyFault,
    isPaused: mostly(false, true),
    streams: seldom(anyStream, 3, ({ id }) => id),
    hasDelivered: fc.boolean(),
    storeFault: mostly(false, true),
    isAway: mostly(false, true),
    hoursToFull: mostly<number | null>(null, 3, 30, 300),
    former: seldom(anyFormer, 2, ({ service: one }) => one),
    clockNote: mostly(false, true),
    alarms: seldom(anyAlarm, 2, ({ channel }) => channel),
  })
  .map(({ fault, streams, hasDelivered, storeFault, isAway, hoursToFull, isPaused, clockNote, drawn, ...rest }) => {
    const line = fault && { trouble: fault, ...WHY, sinceMs: 1, untilMs: NOW_MS + 1 };
    const blocked: UploadFact = { state: { kind: 'blocked', reason: WHY }, isOnLine: false };
    const sources = drawn.map(viewOf);
    const given = facts(
      [
        ...streams.map(({ isHeld: _held, ...tally }) => streamTally(tally)),
        ...(hasDelivered ? [{ ...deliveredTally, id: 8 }] : []),
      ],
      {
        ...rest,
        sources: clockNote ? sources.map(withClockNote) : sources,
        service: { ...service(line), pausedSinceMs: isPaused ? NOW_MS - 1 : null },
        uploads: new Map(streams.filter(({ isHeld }) => isHeld).map(({ id }) => [id, blocked])),
        store: {
          ...{ path: '', freeBytes: 1e9, bytesPerHour: hoursToFull === null ? null : 1e9, hoursToFull },
          fault: storeFault ? WHY : null,
          away: isAway ? WHY : null,
        },
      },
    );
    return { given, drawn };
  });
/** Facts alone. */
export const anyFacts = anyState.map(({ given }) => given);

function withClockNote(source: SourceView): SourceView {
  const note = {
    level: 'warning' as const,
    code: 'log.tool-clock',
    message: 'Tool clock is 1 h ahead.',
    hint: 'Zone?',
  };
  return { ...source, notes: [...source.notes, note] };
}
