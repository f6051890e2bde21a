// The queue of sealed chunks: what the uploader takes from and acknowledges to.
//
// Bounds and invariants
//  1. A chunk is sealed -> acknowledged, or sealed -> refused; from there a person sends it again (resend.ts). One that the
//     disk altered is damaged, and stays so. Nothing else changes it: stream, index, channels, span, count, bytes and SHA-256 are fixed when it is sealed. The one exception
//     keeps the points: a chunk of several channels that the service refuses as a whole is replaced, in one transaction,
//     by chunks of one channel each.
//  2. Chunks of a stream go out in the order in which they were sealed (parts of a chunk in its place); per channel that
//     is the order 0, 1, 2, ... of their index. One that is sent again goes out behind the one that waits first then.
//  3. For each stream: points = acknowledged + refused + waiting + not yet sealed. Counted at every change, not derived
//     from a scan: a look at the tally costs the number of unfinished streams, never the number of waiting chunks.
//  4. "In flight" is never stored: after a crash it would be wrong. The uploader asks the service which waiting
//     chunks have arrived.
//  5. Only acknowledged chunks are ever deleted; sweep.ts says which and when.
import type { Database } from 'better-sqlite3';
import { AgentError } from '../../../model/agent-error.ts';
import type { EntryContent, HeldAnswer, SealedChunk, ServiceEntry, UploadStream } from '../../../model/queue.ts';
import { pack, unpack } from '../../../platform/point-block.ts';
import { chunkChecksum } from '../blocks/checksums.ts';
import { soundBlock } from '../blocks/sound-block.ts';
import { askToReread } from './ask-to-reread.ts';
import { recount } from './end-streams.ts';
import { noteDoubt } from './held-elsewhere.ts';

/** Points of the chunks that are read to go out side by side; a single one may have more. */
const BURST_POINTS = 400_000;

interface ChunkRow {
  id: number;
  stream: number;
  chunk_index: number;
  channels: string;
  rows: number;
  last_ms: number;
  sha256: Uint8Array;
  data: Uint8Array;
}

interface UploadRow {
  id: number;
  sourceId: string;
  name: string;
  nonce: string;
  openedMs: number;
  pointsPerChunk: number;
  synthSourceId: number | null;
  growth: string | null;
  sampleId: string | null;
  projectId: string | null;
  dataId: string | null;
  service: string | null;
  isInitializeSent: number;
  isClosed: number;
  chunksWaiting: number;
  mayBeHeld: number;
  mayHoldMore: number;
  isFromLive: number;
  heldAnswer: HeldAnswer | null;
  firstMs: number | null;
  lastMs: number | null;
}

/** A stamp so far ahead of the clock tells nothing of when its row was written, milliseconds. */
const AHEAD_MS = 60_000;
/** Readings that were there before the agent looked, or whose stamps do not tell. */
const MAY_BE_HELD = `new_since_ms IS NOT NULL AND data_id IS NULL AND (period LIKE 'backfill%'
  OR coalesce(first_reading_ms < new_since_ms OR first_reading_ms > opened_ms + ${AHEAD_MS}, 1))`;

const UPLOAD_COLUMNS = `id, source AS sourceId, name, nonce, opened_ms AS openedMs, points_per_chunk AS pointsPerChunk,
    synth_source_id AS synthSourceId, growth, physical_sample_id AS sampleId, project_id AS projectId, data_id AS dataId, service, initialize_sent AS isInitializeSent,
    closed_ms IS NOT NULL AS isClosed, chunks_waiting AS chunksWaiting, ${MAY_BE_HELD} AS mayBeHeld,
    may_hold_more AS mayHoldMore, period LIKE 'live%' AS isFromLive, held_answer AS heldAnswer, first_reading_ms AS firstMs, last_reading_ms AS lastMs`;

function prepare(database: Database) {
  return {
    unfinished: database.prepare(
      `SELECT ${UPLOAD_COLUMNS} FROM stream WHERE delivered_ms IS NULL AND points_per_chunk IS NOT NULL ORDER BY id`,
    ),
    one: database.prepare(`SELECT ${UPLOAD_COLUMNS} FROM stream WHERE id = ? AND points_per_chunk IS NOT NULL`),
    markInitialize: database.prepare(
      `UPDATE stream SET initialize_sent = 1, service = :service, name = :name, physical_sample_id = :sampleId,
         project_id = :projectId WHERE id = :id`,
    ),
    unmarkInitialize: database.prepare(
      `UPDATE stream SET initialize_sent = 0, service = NULL, name = ?, physical_sample_id = NULL, project_id = NULL
       WHERE id = ? AND data_id IS NULL`,
    ),
    setInitialized: database.prepare(
      `UPDATE stream SET data_id = :dataId, processed_data_id = :processedDataId, service = :service, finalize = :finalize
       WHERE id = :id AND (data_id IS NULL OR (service = :service AND points_acknowledged = 0))`,
    ),
    next: database.prepare(
      `SELECT * FROM chunk WHERE stream = ? AND state = 'sealed'
         ORDER BY coalesce(turn, place, id), coalesce(place, id), id LIMIT ?`,
    ),
    chunk: database.prepare("SELECT * FROM chunk WHERE id = ? AND state = 'sealed'"),
    after: database.prepare("SELECT * FROM chunk WHERE stream = ? AND state = 'sealed' AND id > ? ORDER BY id LIMIT 1"),
    acknowledgedAfter: database.prepare(
      "SELECT * FROM chunk WHERE stream = ? AND state = 'acknowledged' AND id > ? ORDER BY id LIMIT 1",
    ),
    takeBack: database.prepare(
      "UPDATE chunk SET state = 'sealed', settled_ms = NULL WHERE id = ? AND state = 'acknowledged'",
    ),
    waitAgain: database.prepare(
      `UPDATE stream SET chunks_waiting = chunks_waiting + 1, points_acknowledged = points_acknowledged - :points,
         delivered_ms = NULL WHERE id = :id`,
    ),
    forgetConfirmation: database.prepare('DELETE FROM confirmation WHERE stream = ?'),
    setAcknowledged: database.prepare('UPDATE channel SET acknowledged = ? WHERE stream = ? AND name = ?'),
    channel: database.prepare('SELECT id, name, unit, acknowledged FROM channel WHERE id = ?'),
    acknowledged: database.prepare('SELECT name, acknowledged FROM channel WHERE stream = ?').raw(),
    settle: database.prepare(
      "UPDATE chunk SET state = ?, settled_ms = ?, refused_words = ? WHERE id = ? AND state = 'sealed'",
    ),
    addAcknowledged: database.prepare('UPDATE channel SET acknowledged = acknowledged + ? WHERE id = ?'),
    acknowledgeStream: database.prepare(
      `UPDATE stream SET chunks_waiting = chunks_waiting - 1, points_acknowledged = points_acknowledged + :points,
         last_acknowledged_ms = max(coalesce(last_acknowledged_ms, :lastMs), :lastMs) WHERE id = :id`,
    ),
    refuseStream: database.prepare(
      'UPDATE stream SET chunks_waiting = chunks_waiting - 1, points_refused = points_refused + ? WHERE id = ?',
    ),
    finish: database.prepare(
      `UPDATE stream SET delivered_ms = ? WHERE id = ? AND delivered_ms IS NULL AND closed_ms IS NOT NULL AND chunks_waiting = 0`,
    ),
    insertPart: database.prepare(
      `INSERT INTO chunk (stream, chunk_index, channels, place, turn, rows, first_ms, last_ms, sha256, data)
         SELECT stream, chunk_index, ?, coalesce(place, id), turn, rows, first_ms, last_ms, ?, ? FROM chunk WHERE id = ?`,
    ),
    setAside: database.prepare(
      `UPDATE chunk SET state = 'damaged', settled_ms = ?, refused_words = ?,
         channels = CASE WHEN json_valid(channels) THEN channels ELSE '[]' END WHERE id = ?`,
    ),
    state: database.prepare('SELECT state FROM chunk WHERE id = ?').pluck(),
    anyChunk: database.prepare('SELECT * FROM chunk WHERE id = ?'),
    setRows: database.prepare('UPDATE chunk SET rows = ? WHERE id = ?'),
    gapOfChunk: database.prepare(
      `INSERT INTO gap (source, from_ms, to_ms, cause)
         SELECT s.source, c.first_ms, c.last_ms, :cause FROM chunk c JOIN stream s ON s.id = c.stream WHERE c.id = :id`,
    ),
    remove: database.prepare('DELETE FROM chunk WHERE id = ?'),
    addWaiting: database.prepare(
      'UPDATE stream SET chunks_sealed = chunks_sealed + :n, chunks_waiting = chunks_waiting + :n WHERE id = :id',
    ),
    addKeptBytes: database.prepare("UPDATE meta SET value = value + ? WHERE key = 'acknowledged_bytes'"),
  };
}

function toUploadStream(row: UploadRow): UploadStream {
  return {
    ...row,
    isInitializeSent: row.isInitializeSent === 1,
    isClosed: row.isClosed === 1,
    mayBeHeld: row.mayBeHeld === 1,
    mayHoldMore: row.mayHoldMore === 1,
    isFromLive: row.isFromLive === 1,
  };
}

/**
 * The uploader's side of the queue. Each call is one short transaction; one about a chunk that does not wait any more changes
 * nothing. Throws `store.chunk-damaged` where a chunk is read, and those of `storeError`.
 */
export class ChunkQueue {
  readonly #database: Database;
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#database = database;
    this.#sql = prepare(database);
  }

  /** Streams that are not delivered and whose points_per_chunk is fixed, oldest first. */
  uploadStreams(): UploadStream[] {
    return (this.#sql.unfinished.all() as UploadRow[]).map(toUploadStream);
  }

  /** One of them; null when it does not exist or its points_per_chunk is not fixed yet. */
  uploadStream(id: number): UploadStream | null {
    const row = this.#sql.one.get(id) as UploadRow | undefined;
    return row ? toUploadStream(row) : null;
  }

  /** Note, before it goes out, that an initialize with this content may reach this service. */
  markInitializeSent(id: number, service: string, content: EntryContent): void {
    this.#sql.markInitialize.run({ id, service, ...content });
  }

  /** Take the note back, and the name that the stream had before: it is certain that nothing reached the service. */
  unmarkInitializeSent(id: number, name: string): void {
    this.#sql.unmarkInitialize.run(name, id);
  }

  /** Note what the service gave. It stands against another service, and once points were acknowledged under it. */
  setInitialized(id: number, { isToFinalize, ...entry }: ServiceEntry): void {
    this.#sql.setInitialized.run({ id, ...entry, finalize: isToFinalize ? 'due' : null });
  }

  /**
   * The stream's first waiting chunk, checked against its checksum; null when none waits.
   *
   * @throws `store.chunk-damaged` with the chunk's id in its context; the chunk stays as it is.
   */
  nextChunk(streamId: number): SealedChunk | null {
    return this.nextChunks(streamId, 1)[0] ?? null;
  }

  /**
   * The stream's first waiting chunks in the order in which they go out: at most so many, and after the first one only as
   * long as all together have no more than BURST_POINTS.
   *
   * @throws as `nextChunk`.
   */
  nextChunks(streamId: number, count: number): SealedChunk[] {
    const rows: ChunkRow[] = [];
    let points = 0;
    for (const row of this.#sql.next.iterate(streamId, count) as Iterable<ChunkRow>) {
      // The ids are counted, not read: whether the disk altered them shows when the chunk is taken.
      points += row.rows * String(row.channels).split(',').length;
      if (rows.length > 0 && points > BURST_POINTS) break;
      rows.push(row);
    }
    return rows.map((row) => this.#readChunk(row));
  }

  /**
   * The waiting chunk with the lowest id above one (0: any); null: there is none.
   *
   * @throws as `nextChunk`.
   */
  chunkAfter(streamId: number, id: number): SealedChunk | null {
    const row = this.#sql.after.get(streamId, id) as ChunkRow | undefined;
    return row ? this.#readChunk(row) : null;
  }

  /** The acknowledged chunk with the lowest id above one (0: any) that is still kept and sound; null: there is none. */
  acknowledgedAfter(streamId: number, id: number): SealedChunk | null {
    for (let after = id; ; ) {
      const row = this.#sql.acknowledgedAfter.get(streamId, after) as ChunkRow | undefined;
      if (!row) return null;
      const block = soundBlock(row);
      if (block?.rows === row.rows) return this.#chunkOf(row, block);
      after = row.id;
    }
  }

  /** The service has lost an acknowledged chunk: it waits again, with the same bytes. Repeating it changes nothing. */
  takeBack(chunkId: number): void {
    this.#write(() => {
      const row = this.#sql.anyChunk.get(chunkId) as ChunkRow | undefined;
      if (!row || this.#sql.takeBack.run(chunkId).changes === 0) return;
      const ids = JSON.parse(row.channels) as number[];
      for (const id of ids) this.#sql.addAcknowledged.run(-row.rows, id);
      this.#sql.waitAgain.run({ points: row.rows * ids.length, id: row.stream });
      this.#sql.addKeptBytes.run(-row.data.length);
      this.#sql.forgetConfirmation.run(row.stream);
    });
  }

  /** So many points of a channel stand at the service, whatever it had acknowledged: those that it lost are not kept here. */
  setAcknowledged(streamId: number, channel: string, points: number): void {
    this.#sql.setAcknowledged.run(points, streamId, channel);
  }

  /** Points of each channel that the service has acknowledged, by its name. */
  acknowledgedPoints(streamId: number): ReadonlyMap<string, number> {
    return new Map(this.#sql.acknowledged.all(streamId) as [string, number][]);
  }

  /** The service has these channels of the chunk: they are acknowledged, the others wait on their own, one chunk each. */
  acknowledgePart(chunkId: number, channelIds: readonly number[], atMs: number): void {
    this.#write(() => {
      const parts = this.#splitRow(chunkId);
      for (const id of channelIds) this.#acknowledgeRow(parts.get(id) ?? 0, atMs);
    });
  }

  /** The service has counted the chunk, or all of these. Repeating it changes nothing. */
  acknowledge(chunks: number | readonly number[], atMs: number): void {
    this.#write(() => {
      for (const id of [chunks].flat()) this.#acknowledgeRow(id, atMs);
    });
  }

  /** The service refuses the chunk for good, in these words. It is kept. */
  refuse(chunkId: number, atMs: number, words: string): void {
    this.#write(() => {
      const row = this.#sql.chunk.get(chunkId) as ChunkRow | undefined;
      if (!row) return;
      this.#sql.settle.run('refused', atMs, words, chunkId);
      this.#sql.refuseStream.run(row.rows * (JSON.parse(row.channels) as number[]).length, row.stream);
      this.#sql.finish.run(atMs, row.stream);
    });
  }

  /** Replace a chunk of several channels by chunks of one channel each. */
  split(chunkId: number): void {
    this.#write(() => this.#splitRow(chunkId));
  }

  /** A closed stream without waiting chunks is delivered. */
  finish(streamId: number, atMs: number): void {
    this.#sql.finish.run(atMs, streamId);
  }

  /**
   * A chunk that the disk altered is kept and counts for nothing, its span is a gap, and the next ones go on. One of which the
   * bytes are sound is none: it gets its count of rows back, or keeps the state that its row tells where an index told another.
   */
  setAside(chunkId: number, atMs: number, words: string): void {
    this.#write(() => {
      const row = this.#sql.anyChunk.get(chunkId) as
        | (ChunkRow & { state: string; settled_ms: number | null })
        | undefined;
      const block = row && soundBlock(row);
      const isSettled = row?.settled_ms !== null && (row?.state === 'acknowledged' || row?.state === 'refused');
      if (block && row.state === 'sealed') this.#sql.setRows.run(block.rows, chunkId);
      else if (!block || !isSettled) {
        this.#sql.gapOfChunk.run({ id: chunkId, cause: words });
        this.#sql.setAside.run(atMs, words, chunkId);
        if (row) askToReread(this.#database, [row.stream]);
      }
      // Where the disk altered its state, an index goes on to name it among those that wait.
      this.#database.exec('REINDEX chunk');
      // Its stream, rows and channels may be what was altered: the sums are made again from what is there.
      recount(this.#database, atMs);
      noteDoubt(this.#database);
    });
  }

  #readChunk(row: ChunkRow): SealedChunk {
    // The index by which it was found says sealed, and SQLite does not look further: where the row does not, nothing that is done
    // to it would count.
    const block = this.#sql.state.get(row.id) === 'sealed' ? soundBlock(row) : null;
    if (block?.rows !== row.rows) {
      const what = block ? 'has another count of rows than it was sealed with' : 'no longer is as it was sealed';
      throw new AgentError({
        code: 'store.chunk-damaged',
        message: `Chunk ${row.chunk_index} of stream ${row.stream} ${what}.`,
        hint: 'The disk altered it. It is kept and not sent; check the disk.',
        retry: 'after-human',
        context: { chunkId: row.id },
      });
    }
    return this.#chunkOf(row, block);
  }

  #chunkOf(
    row: ChunkRow,
    { timesMs, values }: Pick<SealedChunk, 'timesMs'> & { readonly values: Float64Array },
  ): SealedChunk {
    const ids = JSON.parse(row.channels) as number[];
    const channels = ids.map((id, c) => {
      const channel = this.#sql.channel.get(id) as Omit<SealedChunk['channels'][number], 'values'>;
      return { ...channel, values: values.subarray(c * row.rows, (c + 1) * row.rows) };
    });
    const { id, stream: streamId, chunk_index: index, rows } = row;
    return { id, streamId, index, rows, timesMs, channels };
  }

  #acknowledgeRow(chunkId: number, atMs: number): void {
    const row = this.#sql.chunk.get(chunkId) as ChunkRow | undefined;
    if (!row) return;
    const ids = JSON.parse(row.channels) as number[];
    this.#sql.settle.run('acknowledged', atMs, null, chunkId);
    this.#sql.addKeptBytes.run(row.data.length);
    for (const id of ids) this.#sql.addAcknowledged.run(row.rows, id);
    this.#sql.acknowledgeStream.run({ points: row.rows * ids.length, lastMs: row.last_ms, id: row.stream });
    this.#sql.finish.run(atMs, row.stream);
  }

  /**
   * Replace a chunk of several channels by chunks of one each.
   *
   * @returns the new chunk of each channel.
   */
  #splitRow(chunkId: number): Map<number, number> {
    const parts = new Map<number, number>();
    const row = this.#sql.chunk.get(chunkId) as ChunkRow | undefined;
    if (!row) return parts;
    const ids = JSON.parse(row.channels) as number[];
    if (ids.length < 2) return parts;
    const { timesMs, values } = unpack(row.data);
    for (const [c, id] of ids.entries()) {
      const part = pack({ rows: row.rows, timesMs, values: values.slice(c * row.rows, (c + 1) * row.rows) });
      const channels = JSON.stringify([id]);
      const checksum = chunkChecksum(row.stream, row.chunk_index, channels, part);
      parts.set(id, Number(this.#sql.insertPart.run(channels, checksum, part, chunkId).lastInsertRowid));
    }
    this.#sql.remove.run(chunkId);
    this.#sql.addWaiting.run({ n: ids.length - 1, id: row.stream });
    return parts;
  }

  #write<T>(work: () => T): T {
    return this.#database.transaction(work).immediate();
  }
}
