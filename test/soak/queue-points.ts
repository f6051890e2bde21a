// What the agent's own queue holds of a channel, all of it, each point with the unit that it is stored under: the queue gives
// as much at once as a plot needs, and a plot has one unit.
import Database from 'better-sqlite3';
import type { GapRow } from '../../src-main/model/queue.ts';
import { unpack } from '../../src-main/platform/point-block.ts';
import type { Store } from '../../src-main/queue/store/store.ts';

/** Points in stored order. */
export interface QueuePoints {
  readonly timesMs: number[];
  readonly values: number[];
  readonly units: string[];
}

interface ChannelRow {
  readonly id: number;
  readonly stream: number;
  readonly unit: string;
}

interface PackedRow {
  readonly channels: string;
  readonly data: Uint8Array;
}

/**
 * Read a channel from the file of a queue that nobody has open, stream after stream, sealed points before open ones.
 *
 * @param path - the path of the queue.
 * @param sourceId - source and channel.
 * @param channel - since when.
 * @param sinceMs - Unix ms.
 * @returns its points, stamps to the last digit.
 */
export function readQueuePoints(path: string, sourceId: string, channel: string, sinceMs: number): QueuePoints {
  const database = new Database(path, { readonly: true });
  try {
    const all: QueuePoints = { timesMs: [], values: [], units: [] };
    const channels = database.prepare(
      'SELECT c.id, c.stream, c.unit FROM channel c JOIN stream s ON s.id = c.stream WHERE s.source = ? AND c.name = ? ORDER BY s.id',
    );
    const chunks = database.prepare(
      'SELECT channels, data FROM chunk WHERE stream = ? AND resent_in IS NULL ORDER BY coalesce(place, id), id',
    );
    const open = database.prepare(
      'SELECT l.channels, r.data FROM lane l JOIN open_readings r ON r.lane = l.id WHERE l.stream = ? ORDER BY r.id',
    );
    for (const { id, stream, unit } of channels.all(sourceId, channel) as ChannelRow[]) {
      for (const row of [...chunks.all(stream), ...open.all(stream)] as PackedRow[])
        append(all, row, { id, unit, sinceMs });
    }
    return all;
  } finally {
    database.close();
  }
}

interface Wanted extends Pick<ChannelRow, 'id' | 'unit'> {
  readonly sinceMs: number;
}

function append(all: QueuePoints, row: PackedRow, { id, unit, sinceMs }: Wanted): void {
  const column = (JSON.parse(row.channels) as number[]).indexOf(id);
  if (column < 0) return;
  const { rows, timesMs, values } = unpack(row.data);
  for (let at = 0; at < rows; at++) {
    const timeMs = timesMs[at] as number;
    if (timeMs < sinceMs) continue;
    all.timesMs.push(timeMs);
    all.values.push(values[column * rows + at] as number);
    all.units.push(unit);
  }
}

/** What a queue tells of the sources of a soak besides their points. */
export interface QueueLedger {
  readonly gaps: readonly GapRow[];
  /** When readings of a channel were refused with their text, Unix milliseconds. */
  readonly refusedMs: (sourceId: string, channel: string) => number[];
}

/** Read the gaps and refusals of some sources, before the queue is closed and its points are read. */
export async function readLedger(
  store: Pick<Store, 'listGaps' | 'listRefusedCells'>,
  sourceIds: Iterable<string>,
): Promise<QueueLedger> {
  const cells = new Map<string, Awaited<ReturnType<Store['listRefusedCells']>>>();
  for (const sourceId of new Set(sourceIds)) {
    cells.set(sourceId, await store.listRefusedCells(sourceId, 0, Number.MAX_VALUE, 1_000_000));
  }
  return {
    gaps: await store.listGaps(1_000_000),
    refusedMs: (sourceId, channel) =>
      (cells.get(sourceId) ?? []).filter((cell) => cell.channel === channel).map(({ timeMs }) => timeMs),
  };
}
