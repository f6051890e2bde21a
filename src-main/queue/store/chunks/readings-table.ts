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

type StreamRow = Omit<RecorderState['streams'][number], 'channels' | 'lanes'>;

interface LaneRow {
  id: number;
  channels: string;
  next_index: number;
}

interface ReadingsRow {
  id: number;
  rows: number;
  data: Uint8Array;
  crc: number;
}

function prepare(database: Database) {
  return {
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
    openStreams: database.prepare(
      `SELECT id, source AS sourceId, period, nonce, name, opened_ms AS openedMs, points_per_chunk AS pointsPerChunk,
         synth_source_id AS synthSourceId, growth, last_reading_ms AS lastReadingMs
       FROM stream WHERE delivered_ms IS NULL AND closed_ms IS NULL ORDER BY id`,
    ),
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
}

/**
 * The recorder's side of the queue.
 */
export class ReadingsTable {
  readonly #database: Database;
  readonly #sql: ReturnType<typeof prepare>;
  readonly #ledger: ReturnType<typeof openReceiptLedger>;
  readonly #marks: ReturnType<typeof openMarksWriter>;
  readonly #growths: ReturnType<typeof openGrowthsWriter>;
  readonly #growthQueries: ReturnType<typeof openGrowthQueries>;
  readonly #addChunk: ReturnType<typeof openAddChunk>;

  constructor(database: Database) {
    this.#database = database;
    this.#sql = prepare(database);
    this.#ledger = openReceiptLedger(database);
    this.#marks = openMarksWriter(database);
    this.#growths = openGrowthsWriter(database);
    this.#growthQueries = openGrowthQueries(database);
    this.#addChunk = openAddChunk(database);
  }

  /**
   * Read what the recorder goes on from: streams that are open, with their rows that are not sealed yet.
   * Rows whose checksum is wrong are taken out here and a gap is written in their place, in one transaction: without their
   * gap they would be lost in silence.
   */
  load(): RecorderState {
    return this.#read(() => {
      const streams = (this.#sql.openStreams.all() as StreamRow[]).map((row) => ({
        ...row,
        channels: this.#sql.channelsOf.all(row.id) as NewChannel[],
        lanes: (this.#sql.lanesOf.all(row.id) as LaneRow[]).map((lane) => this.#readLane(lane, row.id)),
      }));
      return {
        lastSequence: this.#sql.sequence.get() as number,
        lastStreamId: this.#sql.last.stream.get() as number,
        lastChannelId: this.#sql.last.channel.get() as number,
        lastLaneId: this.#sql.last.lane.get() as number,
        growths: this.#growthQueries.growths(null, GROWTHS_LOADED).growths,
        streams,
      };
    });
  }

  /** Apply a commit, whole or not at all; one that was applied already changes nothing. */
  commit(commit: Commit): void {
    this.#write(() => this.#apply(commit));
  }

  /** Positions of a source, by key. */
  positions(sourceId: string): ReadonlyMap<string, string> {
    return new Map(this.#sql.positions.all(sourceId) as [string, string][]);
  }

  #apply(commit: Commit): void {
    if (commit.sequence <= (this.#sql.sequence.get() as number)) return;
    for (const stream of commit.streams) {
      const { growth = null, newSinceMs = null } = stream;
      this.#sql.addStream.run({ ...stream, growth, newSinceMs });
    }
    for (const channel of commit.channels)
      this.#sql.addChannel.run(channel.id, channel.streamId, channel.name, channel.unit);
    for (const id of commit.lanesRemoved) {
      this.#sql.removeLane.run(id);
      this.#sql.clearLane.run(id);
    }
    for (const lane of commit.lanes) {
      this.#sql.putLane.run(lane.id, lane.streamId, JSON.stringify(lane.channelIds), lane.nextIndex);
      this.#sql.setLastLane.run(lane.id);
    }
    for (const id of commit.lanesCleared) this.#clearLane(id);
    for (const readings of commit.openReadings) this.#addReadings(readings);
    for (const chunk of commit.chunks) this.#addChunk(chunk);
    for (const change of commit.changes) {
      this.#sql.changeStream.run(change);
      if (change.closedMs !== null) this.#sql.settleEmpty.run(change.id);
    }
    for (const { sourceId, key, value } of commit.positions) {
      if (value === '') this.#sql.dropPosition.run(sourceId, key);
      else this.#sql.setPosition.run(sourceId, key, value);
    }
    this.#ledger.apply(commit);
    this.#marks.apply(commit);
    this.#growths.apply(commit.growths);
    for (const gap of commit.gaps) this.#sql.addGap.run(gap.sourceId, gap.fromMs, gap.toMs, gap.cause);
    this.#sql.setSequence.run(commit.sequence);
  }

  #addReadings(readings: OpenReadings): void {
    const data = pack(readings);
    this.#sql.addReadings.run(readings.laneId, readings.rows, data, openReadingsChecksum(readings.laneId, data));
    this.#sql.setFirst.run({ id: readings.laneId, firstMs: spanOf(readings).firstMs });
  }

  #clearLane(id: number): void {
    this.#sql.clearLane.run(id);
    this.#sql.clearFirst.run(id);
  }

  /** A block of open readings, checked; null when the disk altered it. How many rows it has is told by its own bytes. */
  #readBlock(laneId: number, columns: number, row: ReadingsRow): Block | null {
    try {
      if (row.crc !== openReadingsChecksum(laneId, row.data)) return null;
      const block = unpack(row.data);
      if (block.values.length !== columns * block.rows) return null;
      if (block.rows !== row.rows) this.#sql.setRows.run(block.rows, row.id);
      return block;
    } catch {
      // What unpack says of it is one more name for the same: it cannot be read.
      return null;
    }
  }

  /** Readings that are not sealed yet have no fixed place: one that cannot be read leaves, as a gap, and the next close up. */
  #dropReadings(streamId: number, points: number, row: ReadingsRow, since: number): void {
    this.#sql.removeReadings.run(row.id);
    this.#sql.lessPoints.run({ id: streamId, points });
    this.#sql.gapOfStream.run({
      id: streamId,
      sinceMs: since,
      cause: `the disk altered ${points} points that were not sent yet`,
    });
  }

  #readLane(lane: LaneRow, streamId: number) {
    const channelIds = JSON.parse(lane.channels) as number[];
    const openReadings: OpenReadings[] = [];
    let hasDropped = false;
    for (const row of this.#sql.readingsOf.all(lane.id) as ReadingsRow[]) {
      const block = this.#readBlock(lane.id, channelIds.length, row);
      if (block) openReadings.push({ laneId: lane.id, ...block });
      else {
        const rows = Number.isSafeInteger(row.rows) ? row.rows : 0;
        this.#dropReadings(streamId, rows * channelIds.length, row, openReadings.at(-1)?.timesMs.at(-1) ?? -9e15);
        hasDropped = true;
      }
    }
    if (hasDropped) {
      askToReread(this.#database, [streamId]);
      noteDoubt(this.#database);
      this.#sql.clearFirst.run(lane.id);
      for (const readings of openReadings) this.#sql.setFirst.run({ id: lane.id, firstMs: spanOf(readings).firstMs });
    }
    return { id: lane.id, streamId, channelIds, nextIndex: lane.next_index, openReadings };
  }

  #write<T>(work: () => T): T {
    return this.#database.transaction(work).immediate();
  }

  /** All that is read in it is as of one moment. */
  #read<T>(work: () => T): T {
    return this.#database.transaction(work)();
  }
}
