// What the small agent of the page tests says of streams: values made by hand, in the shapes of the contract.
import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import type { Handlers, Value } from '../../../src-main/contract/table.ts';

const part = { firstMs: 0, lastMs: 900, rows: 10, words: 'not calibrated <b>', resentIn: null };
const refused = [
  { ...part, id: 5, channel: 'Ga cell temperature', index: 0 },
  { ...part, id: 6, channel: 'Ga cell temperature', index: 1 },
  { ...part, id: 7, channel: 'gauge 1', index: 0, words: 'sent elsewhere', resentIn: 9 },
];
const nothingSent = { chunks: 0, points: 0, stream: null, left: 0, damaged: 0, settled: 0, resentIn: [] };

/** The calls for streams, over the picture that is shown. */
export function pageStreams(snapshot: () => Snapshot): Handlers['stream'] {
  const rows = (): Value<'stream', 'list'> =>
    snapshot().streams.map(({ id, sourceId, name, dataId, state, channels, lastStoredMs, ...counts }) => {
      const { pointsStored, pointsAcknowledged, pointsRefused, pointsResent } = counts;
      const points = { pointsStored, pointsAcknowledged, pointsRefused, pointsResent };
      return { id, sourceId, name, dataId, state, channels, lastStoredMs, ...points };
    });
  return {
    list: async ({ before, limit }) =>
      rows()
        .filter(({ id }) => id < (before ?? Number.MAX_SAFE_INTEGER))
        .toSorted((a, b) => b.id - a.id)
        .slice(0, limit),
    receipt: async ({ streamId }) => receiptOf(streamId, rows()),
    refused: async () => refused,
    refusedRows: async () => Array.from({ length: 10 }, (_, at) => ({ timeMs: at * 100, value: 918 + at / 10 })),
    sendAgain: async () => nothingSent,
    sendAsNew: async () => nothingSent,
  };
}

function receiptOf(streamId: number, rows: Value<'stream', 'list'>): Value<'stream', 'receipt'> {
  const row = rows.find(({ id }) => id === streamId) ?? rows[0];
  if (!row) throw new Error('no stream is shown');
  const points = row.pointsStored;
  return {
    format: 'epistream-receipt/1',
    madeMs: Date.now(),
    version: '0.1.0',
    stream: {
      ...{ id: streamId, name: row.name, nonce: 'k7f3q', sourceId: row.sourceId, period: '2026-11-20 live' },
      ...{ state: row.state, openedMs: 0, closedMs: null, deliveredMs: null, firstReadingMs: 0 },
      ...{ lastReadingMs: row.lastStoredMs, deliveredUpToMs: null, pointsPerChunk: 10 },
    },
    service: { address: 'embedded', dataId: row.dataId, processedDataId: null },
    counts: {
      ...{ rowsRead: points, cellsRefused: 0, pointsStored: points, pointsAcknowledged: row.pointsAcknowledged },
      ...{ pointsRefused: row.pointsRefused, pointsResent: row.pointsResent, pointsHeld: 0, pointsReadBack: 0 },
      pointsWaiting: points - row.pointsAcknowledged - row.pointsRefused,
    },
    channels: [
      {
        ...{ name: '<b>Ga cell</b>', unit: '°C', stored: points, acknowledged: row.pointsAcknowledged },
        ...{ refused: row.pointsRefused, waiting: 0, open: 0 },
      },
    ],
    ...{
      refusedCells: [],
      refusedByService: [],
      correctionOf: [],
      corrections: [],
      heldIn: [],
      source: [],
      gaps: [],
      marks: { count: 0, first: [] },
    },
    ...{ confirmation: null, disagreements: [] },
  };
}
