// Commits as a growth-tool log gives them: 32 channels of temperatures, pressures, fluxes, shutters and set points with the
// number of digits that such tools write. By formula, so that any length of it can be had.
import type { Commit, NewChunk } from '../../../src-main/model/queue.ts';

export const CHANNELS = 32;
/** Not the source of an agent that is started on such a queue: it would take these positions for those of its own files. */
const SOURCE = 'by-formula';
const START_MS = Date.UTC(2026, 10, 20);
const INTERVAL_MS = 1000;

/** Value of a channel in a row, as its text in a log is parsed. */
export function logValue(channel: number, row: number): number {
  const wave = Math.sin(row / 60 + channel);
  const noise = Math.sin(row * 12.9898 + channel * 78.233) * 0.5;
  switch (channel % 5) {
    case 0:
      return Number((550 + 30 * channel + 2 * wave + noise).toFixed(1));
    case 1:
      return Number((2.78e-8 * (1 + 0.05 * wave + 0.01 * noise)).toExponential(2));
    case 2:
      return Math.floor(row / 600 + channel) % 2;
    case 3:
      return 500 + 10 * channel;
    default:
      return Number((12.5 + 0.3 * wave + 0.05 * noise).toFixed(3));
  }
}

/** Values of all channels of some rows, column after column. */
function logBlock(first: number, rows: number): { rows: number; timesMs: Float64Array; values: Float64Array } {
  const timesMs = Float64Array.from({ length: rows }, (_, i) => START_MS + (first + i) * INTERVAL_MS);
  const values = Float64Array.from({ length: rows * CHANNELS }, (_, at) =>
    logValue(Math.floor(at / rows), first + (at % rows)),
  );
  return { rows, timesMs, values };
}

const channelIds = Array.from({ length: CHANNELS }, (_, c) => c + 1);
const nothing = { streams: [], channels: [], lanes: [], lanesRemoved: [], lanesCleared: [] } as const;
const rest = { openReadings: [], positions: [], refusals: [], gaps: [] } as const;

/** The commit that opens the stream. */
export function openingCommit(pointsPerChunk: number): Commit {
  return {
    ...nothing,
    ...rest,
    sequence: 1,
    streams: [
      {
        id: 1,
        sourceId: SOURCE,
        period: 'p',
        nonce: 'n',
        name: 'bench',
        openedMs: START_MS,
        pointsPerChunk,
        synthSourceId: null,
      },
    ],
    channels: channelIds.map((id) => ({ id, streamId: 1, name: `channel ${id}`, unit: '' })),
    lanes: [{ id: 1, streamId: 1, channelIds, nextIndex: 0 }],
    changes: [],
    chunks: [],
  };
}

/** A commit of so many sealed chunks from chunk `index` on. */
export function chunksCommit(sequence: number, index: number, chunks: number, pointsPerChunk: number): Commit {
  const sealed: NewChunk[] = Array.from({ length: chunks }, (_, i) => ({
    streamId: 1,
    channelIds,
    index: index + i,
    ...logBlock((index + i) * pointsPerChunk, pointsPerChunk),
  }));
  return {
    ...nothing,
    ...rest,
    sequence,
    chunks: sealed,
    changes: [change(chunks * pointsPerChunk, START_MS + (index + chunks) * pointsPerChunk * INTERVAL_MS)],
    positions: [{ sourceId: SOURCE, key: 'file', value: String(index) }],
  };
}

/** The commit of a single line of the log: one row of open readings. */
export function lineCommit(sequence: number, row: number): Commit {
  return {
    ...nothing,
    ...rest,
    sequence,
    chunks: [],
    openReadings: [{ laneId: 1, ...logBlock(row, 1) }],
    changes: [change(1, START_MS + row * INTERVAL_MS)],
    positions: [{ sourceId: SOURCE, key: 'file', value: String(row) }],
  };
}

function change(rows: number, lastReadingMs: number) {
  const points = rows * CHANNELS;
  return { id: 1, rowsRead: rows, points, refused: 0, lastReadingMs, pointsPerChunk: null, closedMs: null };
}
