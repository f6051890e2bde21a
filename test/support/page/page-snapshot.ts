// Pictures of an agent in the states that matter, for tests of the page alone. The values are made by hand.
import { noUpdates } from '../../../src-main/agent/ports.ts';
import type { Sentence, Snapshot, SourceView, StreamView } from '../../../src-main/contract/snapshot.ts';

/** A sentence whose headline says all. */
export const said = (tone: Sentence['tone'], headline: string, hint = ''): Sentence => {
  return { tone, text: headline, standing: '', headline, detail: '', hint };
};

/** An agent that has just been installed. */
export function firstRunSnapshot(atMs: number): Snapshot {
  return {
    revision: 1,
    atMs,
    version: '0.1.0',
    phase: 'first-run',
    isTrial: false,
    toolName: null,
    timeZone: 'Europe/Berlin',
    sentence: said('stopped', 'Not set up yet.', 'Try it, or connect your tool.'),
    troubles: [],
    remarks: [],
    service: null,
    sources: [],
    streams: [],
    streamsTotal: 0,
    former: [],
    alarms: [],
    store: null,
    growth: null,
    ready: [],
    gaps: [],
    gapsTotal: 0,
    journal: [],
    updates: noUpdates.view,
  };
}

/** A growth that runs since ten minutes. */
export function runningGrowth(atMs: number): NonNullable<Snapshot['growth']> {
  return {
    id: 'g-1',
    name: 'GaAs 1234',
    sampleId: null,
    newSampleName: null,
    projectId: null,
    startedMs: atMs - 600_000,
    startCause: 'by hand',
    endedMs: null,
    endCause: '',
    state: 'running',
    askedMs: null,
    changeBecomes: 'same-streams',
    waits: [],
    problems: [],
  };
}

/** A stream of a source, `waiting` points behind. */
export function streamView(atMs: number, change: Partial<StreamView> = {}): StreamView {
  return {
    id: 1,
    sourceId: 'growth',
    name: 'MBE-1 growth 2026-11-20 19:40:12 k7f3q',
    dataId: '5e0c4a0e-0000-4000-8000-000000000001',
    state: 'open',
    pointsPerChunk: 10,
    channels: 4,
    pointsStored: 12_412,
    pointsAcknowledged: 12_300,
    pointsRefused: 0,
    pointsResent: 0,
    chunksWaiting: 2,
    lastStoredMs: atMs - 100,
    deliveredUpToMs: atMs - 3_100,
    upload: 'sending',
    message: '',
    hint: '',
    nextTryMs: null,
    ...change,
  };
}

/** A source that reads. */
export function sourceView(atMs: number, change: Partial<SourceView> = {}): SourceView {
  return {
    id: 'growth',
    kind: 'simulator',
    place: 'simulated growth',
    state: 'running',
    message: '',
    hint: '',
    newestReadMs: atMs - 80,
    lastReadingMs: atMs - 80,
    lastCaptureMs: atMs - 90,
    health: change.state === 'waiting' || change.state === 'failed' ? 'gone' : 'giving',
    isRecovering: false,
    lateAfterMs: 5000,
    lastDataMs: atMs - 90,
    rowsRead: 3_103,
    pointsRead: 12_412,
    pointsUnstored: 0,
    cellsRefused: 0,
    notes: [],
    ...change,
  };
}

/** An agent that reads a simulated and a real source and delivers. */
export function runningSnapshot(atMs: number, change: Partial<Snapshot> = {}): Snapshot {
  return {
    ...firstRunSnapshot(atMs),
    phase: 'running',
    isTrial: true,
    toolName: 'MBE-1',
    sentence: said('ok', 'Recording 2 sources. All delivered, 3 s behind.'),
    troubles: [],
    remarks: [],
    service: {
      address: 'embedded',
      isEmbedded: true,
      state: 'connected',
      pausedSinceMs: null,
      needsKey: false,
      message: '',
      hint: '',
      sinceMs: atMs - 600_000,
      nextTryMs: null,
    },
    sources: [
      sourceView(atMs),
      sourceView(atMs, {
        id: 'chamber-log',
        kind: 'log',
        place: 'C:\\MBE\\Logs\\**\\*.csv',
        rowsRead: 61_477,
        pointsRead: 122_954,
        cellsRefused: 12,
        lastReadingMs: atMs - 1_200,
        lastCaptureMs: atMs - 1_100,
        notes: [
          {
            level: 'info',
            code: 'log.columns-left-out',
            message: '3 columns hold text and are left out: recipe, operator, shutter word.',
            hint: '',
          },
          {
            level: 'warning',
            code: 'log.cells-refused',
            message: '12 cells were not numbers; the last: run_07.csv, line 211, column gauge 2, "Open".',
            hint: 'They are kept as text and never sent as 0.',
          },
        ],
      }),
    ],
    streams: [
      streamView(atMs),
      streamView(atMs, {
        id: 2,
        sourceId: 'chamber-log',
        name: 'MBE-1 chamber-log 2026-11-20 00:00:00 p2x9a',
        pointsStored: 122_954,
        pointsAcknowledged: 122_954,
        chunksWaiting: 0,
        lastStoredMs: atMs - 1_200,
        deliveredUpToMs: atMs - 1_200,
        upload: 'idle',
      }),
      streamView(atMs, {
        id: 3,
        sourceId: 'chamber-log',
        name: 'MBE-1 chamber-log 2026-11-19 00:00:00 m4c1e',
        state: 'delivered',
        pointsStored: 122_960,
        pointsAcknowledged: 122_960,
        chunksWaiting: 0,
        upload: 'idle',
      }),
    ],
    streamsTotal: 3,
    store: {
      state: 'ok',
      message: '',
      hint: '',
      path: 'C:\\ProgramData\\Epistream\\queue.db',
      waitingPoints: 112,
      keepsUp: false,
      fileBytes: 41_200_000,
      freeBytes: 212_000_000_000,
      bytesPerHour: 41_000_000,
      hoursToFull: 5170,
      fill: 'filling',
      fillText: 'The buffer lasts about 215 days at this rate (0.04 GB an hour).',
    },
    journal: [
      journal(3, atMs - 5_000, 'info', 'Delivered again after 62 s; 4,960 points were kept here meanwhile.'),
      journal(2, atMs - 67_000, 'warning', 'The service does not answer (connection refused).', 'Data is kept here.'),
      journal(1, atMs - 600_000, 'info', 'Epistream started.'),
    ],
    ...change,
  };
}

function journal(id: number, atMs: number, level: 'info' | 'warning' | 'error', message: string, hint = '') {
  return { id, atMs, level, code: 'test.event', message, hint };
}
