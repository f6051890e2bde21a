import type { ServiceView, Snapshot, StoreView, StreamView } from '../../contract/snapshot.ts';
import type { StreamTally } from '../../model/queue.ts';
import type { Facts, LineFact, ServiceFact, UploadFact } from './facts.ts';
import { describeFill } from './fill.ts';
import { judgeHealth } from './health.ts';
import { judgeReady } from './ready.ts';
import { findRemarks } from './remarks.ts';
import { howFarBehind, makeSentence } from './sentence.ts';
import { findTroubles } from './troubles.ts';

const STREAMS_SHOWN = 200;
const EVENTS_SHOWN = 50;
const GAPS_SHOWN = 20;

/**
 * Fold what the parts say into the one picture that crosses to the screen.
 *
 * @param revision - the snapshot's revision.
 * @returns a snapshot that fits the contract. Pure.
 */
export function buildSnapshot(facts: Facts, revision: number): Snapshot {
  const service = facts.service && serviceView(facts.service);
  const line = facts.service?.fault ?? null;
  const tallies = facts.tally?.streams.slice(0, STREAMS_SHOWN) ?? [];
  const streams = tallies.map((tally) => streamView(tally, facts.uploads.get(tally.id), line));
  const store = storeView(facts);
  const sources = judgeHealth(facts);
  const picture = { facts, service, sources, streams, store };
  const [troubles, remarks] = facts.phase === 'running' ? [findTroubles(picture), findRemarks(picture)] : [[], []];
  const { atMs, version, phase, isTrial, toolName, timeZone } = facts;
  return {
    revision,
    atMs,
    version,
    phase,
    isTrial,
    toolName,
    timeZone,
    sentence: makeSentence(picture, troubles, remarks),
    troubles,
    remarks,
    service,
    sources,
    streams,
    streamsTotal: facts.tally?.streamsTotal ?? 0,
    former: facts.former.map(({ streamIds: _ids, choice: _choice, ...view }) => view),
    alarms: [...facts.alarms],
    store,
    growth: facts.growth,
    ready: facts.ready
      ? judgeReady({
          nowMs: atMs,
          facts: facts.ready,
          service,
          sources,
          store,
          growth: facts.growth,
          awake: facts.awake,
        })
      : [],
    gaps: facts.tally?.gaps.slice(0, GAPS_SHOWN) ?? [],
    gapsTotal: facts.tally?.gapsTotal ?? 0,
    journal: facts.journal.slice(0, EVENTS_SHOWN),
    updates: facts.updates,
  };
}

function serviceView({ address, isEmbedded, startedMs, pausedSinceMs, fault, upSinceMs }: ServiceFact): ServiceView {
  if (fault) {
    const state = fault.trouble === 'offline' || fault.trouble === 'asked' ? 'offline' : 'held';
    return {
      address,
      isEmbedded,
      state,
      pausedSinceMs,
      needsKey: fault.trouble === 'key',
      message: fault.message,
      hint: fault.hint,
      sinceMs: fault.sinceMs,
      nextTryMs: fault.untilMs,
    };
  }
  const rest = { address, isEmbedded, pausedSinceMs, needsKey: false, hint: '', nextTryMs: null };
  if (upSinceMs === null)
    return { ...rest, state: 'unknown', message: 'Nothing has been sent yet.', sinceMs: startedMs };
  return { ...rest, state: 'connected', message: 'The service answers.', sinceMs: upSinceMs };
}

function streamView(tally: StreamTally, upload: UploadFact | undefined, line: LineFact | null): StreamView {
  const { id, sourceId, name, dataId, pointsPerChunk, channels, pointsStored, pointsAcknowledged, pointsRefused } =
    tally;
  return {
    id,
    sourceId,
    name,
    dataId,
    state: tally.isDelivered ? 'delivered' : tally.isClosed ? 'closed' : 'open',
    pointsPerChunk,
    channels,
    pointsStored,
    pointsAcknowledged,
    pointsRefused,
    pointsResent: tally.pointsResent,
    chunksWaiting: tally.chunksWaiting,
    lastStoredMs: tally.lastStoredMs,
    deliveredUpToMs: tally.deliveredUpToMs,
    ...uploadView(upload, line),
  };
}

/** The finer states of an upload, as a person reads them. */
const SHOWN_AS = {
  stopped: 'stopped',
  resuming: 'resuming',
  checking: 'resuming',
  idle: 'idle',
  sending: 'sending',
  refusing: 'sending',
} as const;

/** A stream that would send while nobody gets through is waiting, and says the line's reason. */
function uploadView(upload: UploadFact | undefined, line: LineFact | null) {
  const quiet = { message: '', hint: '', nextTryMs: null };
  if (!upload) return { upload: 'stopped' as const, ...quiet };
  const { state, isOnLine } = upload;
  if (state.kind === 'waiting' || state.kind === 'blocked' || state.kind === 'kept') {
    return {
      upload: state.kind,
      message: state.reason?.message ?? '',
      hint: state.reason?.hint ?? '',
      nextTryMs: state.untilMs ?? null,
    };
  }
  const wantsLine = state.kind === 'sending' || state.kind === 'resuming' || state.kind === 'checking';
  if (wantsLine && line && !isOnLine) {
    return { upload: 'waiting' as const, message: line.message, hint: line.hint, nextTryMs: line.untilMs };
  }
  return { upload: SHOWN_AS[state.kind], ...quiet };
}

function storeView(facts: Facts): StoreView | null {
  const { store, tally } = facts;
  if (!store) return null;
  const { freeBytes, bytesPerHour, hoursToFull } = store;
  const { level, text } = describeFill(store);
  const told = store.fault ?? store.away;
  return {
    state: store.fault ? 'failing' : store.away ? 'away' : 'ok',
    message: told?.message ?? '',
    hint: told?.hint ?? '',
    path: store.path,
    waitingPoints: tally?.waitingPoints ?? 0,
    keepsUp: howFarBehind(facts).steadyMs !== null,
    fileBytes: tally?.fileBytes ?? 0,
    freeBytes,
    bytesPerHour,
    hoursToFull,
    fill: level,
    fillText: text,
  };
}
