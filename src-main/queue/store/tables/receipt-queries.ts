// What receipts and exports ask of the queue. Reading only, except for the one row that says what a read-back found.
//
// Pages go by place: a chunk and the parts that it was split into have the same one, so a page holds either the chunk or
// all of its parts, and what is split between two pages is not given twice. What is not sealed comes with the last page,
// in the same transaction that finds no further chunk: nothing can slip through between the two.
import type { Database } from 'better-sqlite3';
import type { SourceSpan, StreamTally } from '../../../model/queue.ts';
import type {
  ChannelFacts,
  Confirmation,
  RefusedCell,
  RefusedChunk,
  StoredBlock,
  StoredPage,
  StreamFacts,
} from '../../../model/receipt.ts';
import { unpack } from '../../../platform/point-block.ts';
import { chunkChecksum, openReadingsChecksum } from '../blocks/checksums.ts';
import { openMarkSpans } from './marks-table.ts';
import { REFUSALS_A_STREAM } from './receipt-ledger.ts';
import { STREAM_COLUMNS, type StreamTallyRow, toStreamTally } from './stream-tally.ts';

/** Refused chunks and gaps that one receipt lists at most. */
const LISTED_MAX = 1000;
/** Places that one page looks at, at most. */
const PLACES_MAX = 1000;

type StreamRow = StreamTallyRow &
  Pick<
    StreamFacts,
    'nonce' | 'period' | 'openedMs' | 'closedMs' | 'deliveredMs' | 'firstReadingMs' | 'service' | 'pointsHeld'
  > & {
    readonly processedDataId: string | null;
    readonly heldIn: string;
  };

interface ChunkRow {
  readonly id: number;
  readonly place: number;
  readonly chunk_index: number;
  readonly channels: string;
  readonly rows: number;
  readonly state: 'sealed' | 'acknowledged' | 'refused';
  readonly refused_words: string | null;
  readonly sha256: Uint8Array;
  readonly data: Uint8Array;
}

type OpenRow = Pick<ChunkRow, 'channels' | 'chunk_index' | 'rows' | 'data'> & {
  readonly lane: number;
  readonly crc: number;
};

const idsOf = (channels: string) => JSON.parse(channels) as number[];

const COLUMNS = `s.nonce, s.period, s.opened_ms AS openedMs, s.closed_ms AS closedMs, s.delivered_ms AS deliveredMs,
    s.first_reading_ms AS firstReadingMs, s.service, s.processed_data_id AS processedDataId,
    s.points_held AS pointsHeld, coalesce(s.held_in, '[]') AS heldIn, ${STREAM_COLUMNS}`;

function prepare(database: Database) {
  return {
    find: database
      .prepare(`SELECT id FROM stream WHERE name = :text OR nonce = :text OR data_id = :text LIMIT 2`)
      .pluck(),
    page: database.prepare(`SELECT ${COLUMNS} FROM stream s WHERE s.id < ? ORDER BY s.id DESC LIMIT ?`),
    one: database.prepare(`SELECT ${COLUMNS} FROM stream s WHERE s.id = ?`),
    channels: database.prepare('SELECT id, name, unit, acknowledged FROM channel WHERE stream = ? ORDER BY id'),
    chunkCounts: database.prepare(
      `SELECT channels, state, sum(rows) AS rows FROM chunk WHERE stream = ? AND state <> 'acknowledged' GROUP BY channels, state`,
    ),
    openCounts: database.prepare(
      `SELECT l.channels, sum(r.rows) AS rows FROM lane l JOIN open_readings r ON r.lane = l.id WHERE l.stream = ? GROUP BY l.id`,
    ),
    spans: database.prepare(
      `SELECT file, place, from_byte AS fromByte, to_byte AS toByte, sha256 FROM source_span WHERE stream = ? ORDER BY file, from_byte`,
    ),
    cells: database.prepare(
      `SELECT place, line, byte, channel, text, reason FROM refusal WHERE stream = ? ORDER BY id LIMIT ${REFUSALS_A_STREAM}`,
    ),
    refused: database.prepare(
      `SELECT channels, chunk_index, rows, first_ms AS firstMs, last_ms AS lastMs, refused_words AS words, resent_in AS resentIn
       FROM chunk INDEXED BY chunk_refused WHERE stream = ? AND state = 'refused' ORDER BY coalesce(place, id), id LIMIT ${LISTED_MAX}`,
    ),
    // Of the chunks that were refused alone: they have an index of their own.
    correctionOf: database
      .prepare(
        `SELECT DISTINCT stream FROM chunk INDEXED BY chunk_refused WHERE state = 'refused' AND resent_in = ? ORDER BY stream`,
      )
      .pluck(),
    corrections: database.prepare(
      `SELECT id AS stream, name, points, points_acknowledged AS acknowledged, points_refused - points_resent AS refused
       FROM stream WHERE id IN (SELECT resent_in FROM chunk INDEXED BY chunk_refused WHERE stream = ? AND state = 'refused')
       ORDER BY id LIMIT ${LISTED_MAX}`,
    ),
    gaps: database.prepare(
      `SELECT from_ms AS fromMs, to_ms AS toMs, cause FROM gap WHERE source = ? AND to_ms >= ? AND from_ms <= ? ORDER BY id LIMIT ${LISTED_MAX}`,
    ),
    confirmation: database.prepare(
      `SELECT at_ms AS atMs, outcome, points_compared AS pointsCompared, points_expected AS pointsExpected, notes
       FROM confirmation WHERE stream = ?`,
    ),
    putConfirmation: database.prepare(
      `INSERT INTO confirmation (stream, at_ms, outcome, points_compared, points_expected, notes)
         SELECT id, ?, ?, ?, ?, ? FROM stream WHERE id = ? AND delivered_ms IS NOT NULL AND points_acknowledged = ?
       ON CONFLICT (stream) DO UPDATE SET at_ms = excluded.at_ms, outcome = excluded.outcome,
         points_compared = excluded.points_compared, points_expected = excluded.points_expected, notes = excluded.notes`,
    ),
    unconfirmed: database
      .prepare(
        `SELECT id FROM stream s WHERE delivered_ms IS NOT NULL AND data_id IS NOT NULL AND points_acknowledged > 0
           AND NOT EXISTS (SELECT 1 FROM confirmation WHERE stream = s.id) ORDER BY id LIMIT ?`,
      )
      .pluck(),
    places: database.prepare(
      `SELECT coalesce(place, id) AS place, sum(rows * json_array_length(channels)) AS points FROM chunk
       WHERE stream = ? AND state <> 'damaged' AND coalesce(place, id) > ? GROUP BY coalesce(place, id) ORDER BY coalesce(place, id) LIMIT ${PLACES_MAX}`,
    ),
    chunks: database.prepare(
      `SELECT id, coalesce(place, id) AS place, chunk_index, channels, rows, state, refused_words, sha256, data FROM chunk
       WHERE stream = ? AND state <> 'damaged' AND coalesce(place, id) > ? AND coalesce(place, id) <= ? ORDER BY coalesce(place, id), id`,
    ),
    open: database.prepare(
      `SELECT l.channels, l.next_index AS chunk_index, r.rows, r.data, r.lane, r.crc FROM lane l JOIN open_readings r ON r.lane = l.id
       WHERE l.stream = ? ORDER BY r.id`,
    ),
  };
}

/**
 * The receipt side of the queue.
 */
export class ReceiptQueries {
  readonly #database: Database;
  readonly #sql: ReturnType<typeof prepare>;
  readonly #marksIn: ReturnType<typeof openMarkSpans>;

  constructor(database: Database) {
    this.#database = database;
    this.#sql = prepare(database);
    this.#marksIn = openMarkSpans(database);
  }

  /** Streams of this name, nonce or entry id; or of this id when the text is one. At most two. */
  findStreams(text: string): number[] {
    const found = this.#sql.find.all({ text }) as number[];
    if (found.length > 0 || !/^\d{1,15}$/.test(text)) return found;
    return this.#sql.one.get(Number(text)) ? [Number(text)] : [];
  }

  /** Streams with an id below `before`, newest first. */
  listStreams(before: number, limit: number): StreamTally[] {
    return (this.#sql.page.all(before, limit) as StreamRow[]).map(toStreamTally);
  }

  /** Everything that a receipt says of a stream, as of one moment; null when there is none of this id. */
  streamFacts(streamId: number): StreamFacts | null {
    return this.#read(() => {
      const row = this.#sql.one.get(streamId) as StreamRow | undefined;
      if (!row) return null;
      const { nonce, period, openedMs, closedMs, deliveredMs, firstReadingMs, service, processedDataId } = row;
      const channels = this.#channelFacts(streamId);
      const endMs = Math.max(closedMs ?? Number.MAX_VALUE, row.lastStoredMs ?? 0);
      return {
        tally: toStreamTally(row),
        nonce,
        period,
        openedMs,
        closedMs,
        deliveredMs,
        firstReadingMs,
        service,
        processedDataId,
        pointsHeld: row.pointsHeld,
        heldIn: JSON.parse(row.heldIn) as string[],
        channels,
        spans: this.#sql.spans.all(streamId) as Omit<SourceSpan, 'streamId'>[],
        refusedCells: this.#sql.cells.all(streamId) as RefusedCell[],
        refusedChunks: this.#refusedChunks(streamId, channels),
        correctionOf: this.#sql.correctionOf.all(streamId) as number[],
        corrections: this.#sql.corrections.all(streamId) as StreamFacts['corrections'],
        gaps: this.#sql.gaps.all(
          row.sourceId,
          Math.min(firstReadingMs ?? openedMs, openedMs),
          endMs,
        ) as StreamFacts['gaps'],
        marks: this.#marksIn(row.sourceId, firstReadingMs ?? openedMs, row.lastStoredMs ?? endMs),
        confirmation: this.#confirmationOf(streamId),
      };
    });
  }

  /** The stream's stored points after a place (0: from the beginning), about `maxPoints` of them. */
  storedPage(streamId: number, after: number, maxPoints: number): StoredPage {
    return this.#read(() => {
      const blocks: StoredBlock[] = [];
      const end = this.#endOfPage(streamId, after, maxPoints);
      const damaged: { index: number; channelIds: number[]; rows: number }[] = [];
      if (end === null) {
        for (const row of this.#sql.open.all(streamId) as OpenRow[]) {
          const channelIds = idsOf(row.channels);
          try {
            if (row.crc !== openReadingsChecksum(row.lane, row.data)) throw new Error('altered');
            blocks.push({ state: 'open', words: '', channelIds, ...unpack(row.data) });
          } catch {
            // The disk altered it: told like a sealed chunk whose checksum does not fit.
            damaged.push({ index: row.chunk_index, channelIds, rows: row.rows });
          }
        }
        return { blocks, next: null, damaged };
      }
      for (const row of this.#sql.chunks.all(streamId, after, end) as ChunkRow[]) {
        const channelIds = idsOf(row.channels);
        const checksum = chunkChecksum(streamId, row.chunk_index, row.channels, row.data);
        if (!checksum.equals(row.sha256)) damaged.push({ index: row.chunk_index, channelIds, rows: row.rows });
        else {
          const state = row.state === 'sealed' ? 'waiting' : row.state;
          blocks.push({ state, words: row.refused_words ?? '', channelIds, ...unpack(row.data) });
        }
      }
      return { blocks, next: end, damaged };
    });
  }

  /** Delivered streams that were not read back yet, oldest first. */
  unconfirmedStreams(limit: number): number[] {
    return this.#sql.unconfirmed.all(limit) as number[];
  }

  /** Note what a full read-back found; the last one stands. Nothing is noted when the stream has moved on since then. */
  putConfirmation(streamId: number, { atMs, outcome, pointsCompared, pointsExpected, notes }: Confirmation): void {
    const found = [atMs, outcome, pointsCompared, pointsExpected, JSON.stringify(notes)];
    this.#sql.putConfirmation.run(...found, streamId, pointsExpected);
  }

  #channelFacts(streamId: number): ChannelFacts[] {
    const facts = new Map<number, { refused: number; waiting: number; open: number }>();
    const add = (channels: string, key: 'refused' | 'waiting' | 'open', rows: number) => {
      for (const id of idsOf(channels)) {
        const own = facts.get(id) ?? { refused: 0, waiting: 0, open: 0 };
        own[key] += rows;
        facts.set(id, own);
      }
    };
    for (const { channels, state, rows } of this.#sql.chunkCounts.all(streamId) as ChunkRow[]) {
      add(channels, state === 'refused' ? 'refused' : 'waiting', rows);
    }
    for (const { channels, rows } of this.#sql.openCounts.all(streamId) as ChunkRow[]) add(channels, 'open', rows);
    const rows = this.#sql.channels.all(streamId) as Pick<ChannelFacts, 'id' | 'name' | 'unit' | 'acknowledged'>[];
    return rows.map((row) => ({ ...row, ...(facts.get(row.id) ?? { refused: 0, waiting: 0, open: 0 }) }));
  }

  #refusedChunks(streamId: number, channels: readonly ChannelFacts[]): RefusedChunk[] {
    const names = new Map(channels.map(({ id, name }) => [id, name]));
    const rows = this.#sql.refused.all(streamId) as (ChunkRow & {
      firstMs: number;
      lastMs: number;
      words: string | null;
      resentIn: number | null;
    })[];
    return rows.flatMap(({ channels, chunk_index: index, rows: points, firstMs, lastMs, words, resentIn }) =>
      idsOf(channels).map((id) => ({
        channel: names.get(id) ?? '',
        index,
        points,
        firstMs,
        lastMs,
        words: words ?? '',
        resentIn,
      })),
    );
  }

  #confirmationOf(streamId: number): Confirmation | null {
    const row = this.#sql.confirmation.get(streamId) as (Omit<Confirmation, 'notes'> & { notes: string }) | undefined;
    return row ? { ...row, notes: JSON.parse(row.notes) as string[] } : null;
  }

  /** The place up to which a page goes: about `maxPoints`, at least one place; null when there is none. */
  #endOfPage(streamId: number, after: number, maxPoints: number): number | null {
    let end: number | null = null;
    let sum = 0;
    for (const { place, points } of this.#sql.places.iterate(streamId, after) as Iterable<{
      place: number;
      points: number;
    }>) {
      if (end !== null && sum + points > maxPoints) break;
      end = place;
      sum += points;
    }
    return end;
  }

  /** All that is read in it is as of one moment. */
  #read<T>(work: () => T): T {
    return this.#database.transaction(work)();
  }
}
