// Facts as the agent collects them, quiet ones to begin with: a test changes what it speaks about.

import { noUpdates } from '../../src-main/agent/ports.ts';
import type { Facts } from '../../src-main/agent/status/facts.ts';
import type { SourceView } from '../../src-main/contract/snapshot.ts';
import type { StreamTally } from '../../src-main/model/queue.ts';

export const NOW_MS = Date.UTC(2026, 10, 20, 12);

export function sourceView(more: Partial<SourceView> = {}): SourceView {
  return {
    id: 'log',
    kind: 'log',
    place: '/logs',
    state: 'running',
    message: '',
    hint: '',
    newestReadMs: null,
    lastReadingMs: null,
    lastCaptureMs: null,
    health: more.state === 'waiting' || more.state === 'failed' ? 'gone' : 'giving',
    isRecovering: false,
    lateAfterMs: 5000,
    lastDataMs: more.lastCaptureMs ?? null,
    rowsRead: 0,
    pointsRead: 0,
    pointsUnstored: 0,
    cellsRefused: 0,
    notes: [],
    ...more,
  };
}

/** An open stream of two channels: everything stored 3 s ago, nothing acknowledged yet. */
export function streamTally(more: Partial<StreamTally> = {}): StreamTally {
  return {
    id: 1,
    sourceId: 'log',
    name: 'T log n',
    dataId: null,
    isClosed: false,
    isDelivered: false,
    pointsPerChunk: 10,
    channels: 2,
    rowsRead: 10,
    pointsStored: 20,
    pointsAcknowledged: 0,
    pointsRefused: 0,
    pointsResent: 0,
    cellsRefused: 0,
    chunksSealed: 1,
    chunksWaiting: 1,
    oldestStoredMs: NOW_MS - 3_600_000,
    lastStoredMs: NOW_MS - 3000,
    deliveredUpToMs: null,
    ...more,
  };
}

/** A stream that was closed and delivered whole. */
export const deliveredTally = streamTally({
  ...{ id: 2, isClosed: true, isDelivered: true, pointsAcknowledged: 20, chunksWaiting: 0 },
  deliveredUpToMs: NOW_MS - 3000,
});

/** Facts of a running agent with one source and these streams. */
export function facts(streams: readonly StreamTally[] = [], more: Partial<Facts> = {}): Facts {
  const waitingPoints = streams.reduce((sum, s) => sum + s.pointsStored - s.pointsAcknowledged - s.pointsRefused, 0);
  const waitingChunks = streams.reduce((sum, s) => sum + s.chunksWaiting, 0);
  return {
    atMs: NOW_MS,
    version: '0.0.0',
    phase: 'running',
    failure: null,
    isTrial: false,
    toolName: 'T',
    timeZone: 'UTC',
    service: {
      address: 'https://s',
      isEmbedded: false,
      startedMs: NOW_MS - 60_000,
      pausedSinceMs: null,
      fault: null,
      upSinceMs: NOW_MS,
    },
    sources: [sourceView()],
    tally: {
      streams,
      streamsTotal: streams.length,
      waitingPoints,
      waitingChunks,
      fileBytes: 1,
      gaps: [],
      gapsTotal: 0,
    },
    uploads: new Map(),
    former: [],
    alarms: [],
    alarmFaults: [],
    store: { path: '/data/queue.db', freeBytes: 1e9, bytesPerHour: null, hoursToFull: null, fault: null, away: null },
    growth: null,
    ready: null,
    awake: { isWanted: true, problem: null },
    journal: [],
    updates: noUpdates.view,
    ...more,
  };
}
