// Applies what the recorder commits: streams, channels, lanes, readings that are not yet sealed, sealed chunks, positions.
// One transaction a commit. What it costs depends on what is committed, never on how much is waiting.
//
// Invariants
//  1. Readings, the positions they moved, chunk edges, marks, refusals and growths of a commit stand together or not at all.
//  2. A commit whose sequence is not above the last one applied is skipped, so offering it twice changes nothing.
//  3. Open readings carry a checksum. A block of them whose checksum is wrong at the start goes, and a gap takes its time.
import type { Database } from 'better-sqlite3';
import type { Commit, NewChannel, OpenReadings, RecorderState } from '../../../model/queue.ts';
import { type Block, pack, unpack } from '../../../platform/point-block.ts';
import { openReadingsChecksum } from '../blocks/checksums.ts';
import { openGrowthQueries, openGrowthsWriter } from '../tables/growths.ts';
import { openMarksWriter } from '../tables/marks-table.ts';
import { openReceiptLedger } from '../tables/receipt-ledger.ts';
import { openAddChunk, spanOf } from './add-chunk.ts';
import { askToReread } from './ask-to-reread.ts';
import { noteDoubt } from './held-elsewhere.ts';

/** Growths that the recorder knows: what is stamped before them all counts as before the first. */
const GROWTHS_LOADED = 1000;

interface StreamRow {
  id: number;
  source: string;
  period: string;
  nonce: string;
  name: string;
  opened_ms: number;
  points_per_chunk: number | null;
  synth_source_id: number | null;
  growth: string | null;
  last_reading_ms: number | null;
}

interface ReadingsRow {
  id: number;
  rows: number;
  data: Uint8Array;
  crc: number | null;
}

/**
 * Prepare the recorder's side of the queue.
 *
 * @param database - the open queue.
 * @returns `load` (state at start), `commit` (whole or not at all; one whose sequence was already applied is skipped) and
 *   `positions` of a source.
 */
export function openReadingsTable(database: Database) {
  const ledger = openReceiptLedger(database);
  const marks = openMarksWriter(database);
  const growths = openGrowthsWriter(database);
  const growthQueries = openGrowthQueries(database);
  const addChunk = openAddChunk(database);
  const sql = {
    sequence: database.prepare("SELECT value FROM meta WHERE key = 'last_sequence'").pluck(),
    setSequence: database.prepare("UPDATE meta SET value = ? WHERE key = 'last_sequence'"),
    addStream: database.prepare(
      `INSERT INTO stream (id, source, period, nonce, name, opened_ms, points_per_chunk, synth_source_id, growth, new_since_ms)
         VALUES (:id, :sourceId, :period, :nonce, :name, :openedMs, :pointsPerChunk, :synthSourceId, :growth, :newSinceMs)`,
    ),
    changeStream: database.prepare(
      `UPDATE stream SET rows_read = rows_read + :rowsRead, points = points + :points, cells_refused = cells_refused + :refused,
         last_reading_ms = max(coalesce(last_reading_ms, :lastReadingMs), coalesce(:lastReadingMs, last_reading_ms)),
         points_per_chunk = coalesce(points_per_chunk, :pointsPerChunk), closed_ms = coalesce(closed_ms, :closedMs)
       WHERE id = :id`,
    ),
    settleEmpty: database.prepare(
      'UPDATE stream SET delivered_ms = closed_ms WHERE id = ? AND closed_ms IS NOT NULL AND chunks_waiting = 0',
    ),
    addChannel: database.prepare('INSERT INTO channel (id, stream, name, unit) VALUES (?, ?, ?, ?)'),
    putLane: database.prepare(
      `INSERT INTO lane (id, stream, channels, next_index) VALUES (?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET next_index = excluded.next_index`,
    ),
    removeLane: database.prepare('DELETE FROM lane WHERE id = ?'),
    clearLane: database.prepare('DELETE FROM open_readings WHERE lane = ?'),
    clearFirst: database.prepare('UPDATE lane SET first_ms = NULL WHERE id = ?'),
    setFirst: database.prepare(
      'UPDATE lane SET first_ms = :firstMs WHERE id = :id AND (first_ms IS NULL OR first_ms > :firstMs)',
    ),
    addReadings: database.prepare('INSERT INTO open_readings (lane, rows, data, crc) VALUES (?, ?, ?, ?)'),
    setPosition: database.prepare(
      'INSERT INTO source_position (source, key, value) VALUES (?, ?, ?) ON CONFLICT (source, key) DO UPDATE SET value = excluded.value',
    ),
    dropPosition: database.prepare('DELETE FROM source_position WHERE source = ? AND key = ?'),
    positions: database.prepare('SELECT key, value FROM source_position WHERE source = ?').raw(),
    addGap: database.prepare('INSERT INTO gap (source, from_ms, to_ms, cause) VALUES (?, ?, ?, ?)'),
    openStreams: database.prepare('SELECT * FROM stream WHERE delivered_ms IS NULL AND closed_ms IS NULL ORDER BY id'),
    channelsOf: database.prepare('SELECT id, stream AS streamId, name, unit FROM channel WHERE stream = ? ORDER BY id'),
    lanesOf: database.prepare('SELECT id, channels, next_index FROM lane WHERE stream = ? ORDER BY id'),
    readingsOf: database.prepare('SELECT id, rows, data, crc FROM open_readings WHERE lane = ? ORDER BY id'),
    setRows: database.prepare('UPDATE open_readings SET rows = ? WHERE id = ?'),
    removeReadings: database.prepare('DELETE FROM open_readings WHERE id = ?'),
    lessPoints: database.prepare('UPDATE stream SET points = points - :points WHERE id = :id'),
    gapOfStream: database.prepare(
      `INSERT INTO gap (source, from_ms, to_ms, cause)
         SELECT source, max(:sinceMs, coalesce(first_reading_ms, min(opened_ms, coalesce(last_reading_ms, opened_ms)))),
             coalesce(last_reading_ms, opened_ms), :cause
           FROM stream WHERE id = :id`,
    ),
    last: {
      stream: database.prepare('SELECT coalesce(max(id), 0) FROM stream').pluck(),
      channel: database.prepare('SELECT coalesce(max(id), 0) FROM channel').pluck(),
      lane: database.prepare("SELECT value FROM meta WHERE key = 'last_lane'").pluck(),
    },
    setLastLane: database.prepare("UPDATE meta SET value = max(value, ?) WHERE key = 'last_lane'"),
  };

  function addReadings(readings: OpenReadings): void {
    const data = pack(readings);
    sql.addReadings.run(readings.laneId, readings.rows, data, openReadingsChecksum(readings.laneId, data));
    sql.setFirst.run({ id: readings.laneId, firstMs: spanOf(readings).firstMs });
  }

  function clearLane(id: number): void {
    sql.clearLane.run(id);
    sql.clearFirst.run(id);
  }

  const apply = database.transaction((commit: Commit): void => {
    if (commit.sequence <= (sql.sequence.get() as number)) return;
    for (const stream of commit.streams) {
      const { growth = null, newSinceMs = null } = stream;
      sql.addStream.run({ ...stream, growth, newSinceMs });
    }
    for (const channel of commit.channels) sql.addChannel.run(channel.id, channel.streamId, channel.name, channel.unit);
    for (const id of commit.lanesRemoved) {
      sql.removeLane.run(id);
      sql.clearLane.run(id);
    }
    for (const lane of commit.lanes) {
      sql.putLane.run(lane.id, lane.streamId, JSON.stringify(lane.channelIds), lane.nextIndex);
      sql.setLastLane.run(lane.id);
    }
    for (const id of commit.lanesCleared) clearLane(id);
    for (const readings of commit.openReadings) addReadings(readings);
    for (const chunk of commit.chunks) addChunk(chunk);
    for (const change of commit.changes) {
      sql.changeStream.run(change);
      if (change.closedMs !== null) sql.settleEmpty.run(change.id);
    }
    for (const { sourceId, key, value } of commit.positions) {
      if (value === '') sql.dropPosition.run(sourceId, key);
      else sql.setPosition.run(sourceId, key, value);
    }
    ledger.apply(commit);
    marks.apply(commit);
    growths.apply(commit.growths);
    for (const gap of commit.gaps) sql.addGap.run(gap.sourceId, gap.fromMs, gap.toMs, gap.cause);
    sql.setSequence.run(commit.sequence);
  });

  /** A block of open readings, checked; null when the disk altered it. How many rows it has is told by its own bytes. */
  function readBlock(laneId: number, columns: number, row: ReadingsRow): Block | null {
    try {
      if (row.crc !== null && row.crc !== openReadingsChecksum(laneId, row.data)) return null;
      const block = unpack(row.data);
      if (block.values.length !== columns * block.rows) return null;
      if (block.rows !== row.rows) sql.setRows.run(block.rows, row.id);
      return block;
    } catch {
      // What unpack says of it is one more name for the same: it cannot be read.
      return null;
    }
  }

  /** Readings that are not sealed yet have no fixed place: one that cannot be read leaves, as a gap, and the next close up. */
  function dropReadings(streamId: number, points: number, row: ReadingsRow, since: number): void {
    sql.removeReadings.run(row.id);
    sql.lessPoints.run({ id: streamId, points });
    sql.gapOfStream.run({
      id: streamId,
      sinceMs: since,
      cause: `the disk altered ${points} points that were not sent yet`,
    });
  }

  function readLane(lane: { id: number; channels: string; next_index: number }, streamId: number) {
    const channelIds = JSON.parse(lane.channels) as number[];
    const openReadings: OpenReadings[] = [];
    let hasDropped = false;
    for (const row of sql.readingsOf.all(lane.id) as ReadingsRow[]) {
      const block = readBlock(lane.id, channelIds.length, row);
      if (block) openReadings.push({ laneId: lane.id, ...block });
      else {
        const rows = Number.isSafeInteger(row.rows) ? row.rows : 0;
        dropReadings(streamId, rows * channelIds.length, row, openReadings.at(-1)?.timesMs.at(-1) ?? -9e15);
        hasDropped = true;
      }
    }
    if (hasDropped) {
      askToReread(database, [streamId]);
      noteDoubt(database);
      sql.clearFirst.run(lane.id);
      for (const readings of openReadings) sql.setFirst.run({ id: lane.id, firstMs: spanOf(readings).firstMs });
    }
    return { id: lane.id, streamId, channelIds, nextIndex: lane.next_index, openReadings };
  }

  // In one transaction: readings that are taken out without their gap would be lost in silence.
  const load = database.transaction((): RecorderState => {
    const streams = (sql.openStreams.all() as StreamRow[]).map((row) => ({
      id: row.id,
      sourceId: row.source,
      period: row.period,
      nonce: row.nonce,
      name: row.name,
      openedMs: row.opened_ms,
      pointsPerChunk: row.points_per_chunk,
      synthSourceId: row.synth_source_id,
      growth: row.growth,
      lastReadingMs: row.last_reading_ms,
      channels: sql.channelsOf.all(row.id) as NewChannel[],
      lanes: (sql.lanesOf.all(row.id) as { id: number; channels: string; next_index: number }[]).map((lane) =>
        readLane(lane, row.id),
      ),
    }));
    return {
      lastSequence: sql.sequence.get() as number,
      lastStreamId: sql.last.stream.get() as number,
      lastChannelId: sql.last.channel.get() as number,
      lastLaneId: sql.last.lane.get() as number,
      growths: growthQueries.growths(null, GROWTHS_LOADED).growths,
      streams,
    };
  });

  return {
    /**
     * Read what the recorder goes on from: streams that are open, with their rows that are not sealed yet.
     * Rows whose checksum is wrong are taken out here and a gap is written in their place.
     */
    load: (): RecorderState => load(),

    /** Apply a commit, whole or not at all; one that was applied already changes nothing. */
    commit(commit: Commit): void {
      apply.immediate(commit);
    },

    /** Positions of a source, by key. */
    positions(sourceId: string): ReadonlyMap<string, string> {
      return new Map(sql.positions.all(sourceId) as [string, string][]);
    },
  };
}
