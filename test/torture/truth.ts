// A series of readings in which every point tells which one it is, so that any point found in a queue can be compared
// with what was stored.
import type { Queue } from '../../src-main/queue/store/queue.ts';

export const SOURCE = 'writer';
const STREAMS_MAX = Number.MAX_SAFE_INTEGER;
export const CHANNELS = ['a', 'b', 'c'] as const;
const START_MS = Date.UTC(2026, 10, 20);

export const timeOf = (row: number): number => START_MS + row * 10;

/** Value of a channel in a row; NaN where the row has no point of it. */
export function pointOf(channel: number, row: number): number {
  if (channel === 0) return row;
  if (channel === 1) return row / 4;
  return row % 7 === 0 ? Number.NaN : -row;
}

/** Row that a value of a channel belongs to. */
const rowOf = (channel: number, value: number): number =>
  channel === 0 ? value : channel === 1 ? value * 4 : Math.abs(value);

/** What was found wrong in a queue. */
export interface Verdict {
  /** Points of confirmed rows that are not there. */
  readonly lost: number;
  readonly doubled: number;
  /** Points with a wrong stamp or value, or out of order. */
  readonly altered: number;
  /** Gaps that nobody made, sums that do not agree, repairs of a queue that was not damaged. */
  readonly unexplained: number;
  /** Rows that the queue holds. */
  readonly rows: number;
}

/**
 * Points of each channel in the order in which they go out, over all streams; how many streams' sums do not agree; and how
 * many points were acknowledged and then deleted, as on a full disk.
 */
function readAll(queue: Queue) {
  const found = new Map<string, { timeMs: number; value: number }[]>(CHANNELS.map((name) => [name, []]));
  let wrongSums = 0;
  let acknowledgedThere = 0;
  let acknowledged = 0;
  for (const { id, pointsStored, pointsAcknowledged, pointsRefused } of queue
    .listStreams(STREAMS_MAX, 1000)
    .toReversed()) {
    const channels = queue.streamFacts(id)?.channels ?? [];
    const names = new Map(channels.map((channel) => [channel.id, channel.name]));
    const rest = channels.reduce((sum, { open, waiting }) => sum + open + waiting, 0);
    if (pointsStored !== pointsAcknowledged + pointsRefused + rest) wrongSums += 1;
    acknowledged += pointsAcknowledged;
    for (let after: number | null = 0; after !== null; ) {
      const page = queue.storedPage(id, after, 100_000);
      for (const { state, channelIds, rows, timesMs, values } of page.blocks) {
        if (state === 'acknowledged') acknowledgedThere += values.length;
        for (const [c, channelId] of channelIds.entries()) {
          const points = found.get(names.get(channelId) ?? '');
          for (let i = 0; i < rows; i++) {
            points?.push({ timeMs: timesMs[i] as number, value: values[c * rows + i] as number });
          }
        }
      }
      after = page.next;
    }
  }
  return { found, wrongSums, gone: acknowledged - acknowledgedThere };
}

function judgeChannel(channel: number, points: readonly { timeMs: number; value: number }[], rows: number) {
  const seen = new Uint8Array(rows);
  let [altered, doubled, lost, last] = [0, 0, 0, -1];
  for (const { timeMs, value } of points) {
    const row = rowOf(channel, value);
    if (timeMs !== timeOf(row) || pointOf(channel, row) !== value || row < last) altered += 1;
    if (row >= rows) altered += 1;
    else if (seen[row]) doubled += 1;
    else seen[row] = 1;
    last = row;
  }
  for (let row = 0; row < rows; row++) if (!seen[row] && !Number.isNaN(pointOf(channel, row))) lost += 1;
  return { altered, doubled, lost };
}

/** Where the writer goes on: the row after the last one that is stored. */
export function nextRow(queue: Queue): number {
  return Number(queue.positions(SOURCE).get('row') ?? 0);
}

/**
 * Hold a queue against the truth.
 *
 * @param confirmedRows - how many rows the writer was told are stored.
 * @returns what is wrong; zeros when all of those rows, and possibly some more that were stored without the writer having
 *   heard, are there exactly once.
 */
export function judgeQueue(queue: Queue, confirmedRows: number): Verdict {
  const rows = nextRow(queue);
  let [lost, doubled, altered] = [Math.max(0, confirmedRows - rows) * CHANNELS.length, 0, 0];
  const { found, wrongSums, gone } = readAll(queue);
  for (const [c, points] of [...found.values()].entries()) {
    const channel = judgeChannel(c, points, rows);
    lost += channel.lost;
    doubled += channel.doubled;
    altered += channel.altered;
  }
  const repairs = queue.listEvents(100).filter(({ code }) => code.startsWith('store.'));
  return {
    lost: lost - gone,
    doubled,
    altered,
    unexplained: wrongSums + queue.listGaps(100).length + repairs.length,
    rows,
  };
}
