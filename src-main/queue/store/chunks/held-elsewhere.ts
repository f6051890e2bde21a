// What the service holds already of a stream that waits, in an entry that this queue does not know or not whole: because
// the queue was lost, salvaged, or is an older copy. Those points leave the stream, and the rest is numbered again.
//
// Invariants: one transaction a call; the bytes of the points that stay are the same. A stream is numbered again where it
// stands as long as it has no entry: nothing of it was sent. Of one that has, what waits goes into a new stream.
import type { Database } from 'better-sqlite3';
import {
  type HeldAnswer,
  type KnownEntries,
  type OwnEntry,
  POINTS_PER_CHUNK_MAX,
  type Recut,
} from '../../../model/queue.ts';
import type { NewIds } from '../../../model/resend.ts';
import { restName } from '../../../model/stream-name.ts';
import { unpack } from '../../../platform/point-block.ts';
import { openAddChunk } from './add-chunk.ts';

/** What is counted as new since never: all of it may stand at the service. */
const NEVER_MS = 9e15;

interface WaitingRow {
  readonly id: number;
  readonly channels: string;
  readonly rows: number;
}

/** Which points of a chunk are held elsewhere, column after column, 1 each; by the chunk's id. A chunk without one: none. */
export type HeldPoints = ReadonlyMap<number, Uint8Array>;

/** The stream that takes what waits of another one. */
export interface RestStream {
  readonly ids: NewIds;
  readonly nonce: string;
}

/** Say that entries of all streams that are not delivered may hold more than is known here. In a transaction of the caller. */
export function noteDoubt(database: Database): void {
  database.exec(`UPDATE meta SET value = (SELECT coalesce(max(id), 0) FROM stream) WHERE key = 'doubt';
    UPDATE stream SET may_hold_more = 1 WHERE delivered_ms IS NULL AND data_id IS NOT NULL;
    UPDATE stream SET new_since_ms = ${NEVER_MS} WHERE delivered_ms IS NULL AND data_id IS NULL;
    UPDATE channel SET acknowledged = 0 WHERE stream IN (SELECT id FROM stream WHERE delivered_ms IS NULL AND data_id IS NULL)`);
}

function prepare(database: Database) {
  return {
    dataIds: database.prepare('SELECT data_id FROM stream WHERE data_id IS NOT NULL').pluck(),
    // Streams of which the damage left no name may be those of any source and of any time.
    doubtful: database.prepare(
      `SELECT o.id AS streamId, o.data_id AS dataId, o.name, o.service FROM stream o JOIN stream s ON s.id = :id
       WHERE o.data_id IS NOT NULL AND (o.source = s.source OR 'recovered' IN (o.source, s.source))
         AND CASE WHEN o.id = :id THEN o.may_hold_more = 1
           ELSE o.id <= (SELECT value FROM meta WHERE key = 'doubt') AND (o.may_hold_more = 1
             OR coalesce(o.first_reading_ms <= s.last_reading_ms + 1 AND o.last_reading_ms >= s.first_reading_ms - 1, 1)) END`,
    ),
    before: database
      .prepare(
        `SELECT o.id FROM stream o JOIN stream s ON s.id = :id
         WHERE o.id < :id AND o.delivered_ms IS NULL AND o.closed_ms IS NOT NULL
           AND (o.source = s.source OR 'recovered' IN (o.source, s.source))
           AND o.id <= (SELECT value FROM meta WHERE key = 'doubt')`,
      )
      .pluck(),
    isInDoubt: database.prepare("SELECT value FROM meta WHERE key = 'doubt'").pluck(),
    stream: database.prepare(
      'SELECT id, name, data_id AS dataId, points_per_chunk AS pointsPerChunk FROM stream WHERE id = ?',
    ),
    waiting: database.prepare(
      `SELECT id, channels, rows FROM chunk WHERE stream = ? AND state = 'sealed' ORDER BY chunk_index, coalesce(place, id), id`,
    ),
    data: database.prepare('SELECT data FROM chunk WHERE id = ?').pluck(),
    remove: database.prepare('DELETE FROM chunk WHERE id = ?'),
    channels: database.prepare('SELECT id, name, unit FROM channel WHERE stream = ? ORDER BY id'),
    addStream: database.prepare(
      `INSERT INTO stream (id, source, period, nonce, name, opened_ms, closed_ms, points_per_chunk, synth_source_id, growth,
           first_reading_ms, last_reading_ms)
         SELECT :id, source, period, :nonce, :name, :atMs, :atMs, points_per_chunk, synth_source_id, growth,
           first_reading_ms, last_reading_ms FROM stream WHERE id = :from`,
    ),
    addChannel: database.prepare('INSERT INTO channel (id, stream, name, unit) VALUES (?, ?, ?, ?)'),
    unsent: database.prepare('UPDATE channel SET acknowledged = 0 WHERE stream = ?'),
    leave: database.prepare(
      `UPDATE stream SET points = points - :left, points_held = points_held + :held, new_since_ms = NULL,
         chunks_waiting = chunks_waiting - :chunks, chunks_sealed = chunks_sealed - :chunks,
         held_in = (SELECT json_group_array(value) FROM (SELECT value FROM json_each(coalesce(held_in, '[]')) UNION SELECT value FROM json_each(:heldIn)))
       WHERE id = :id`,
    ),
    addPoints: database.prepare('UPDATE stream SET points = points + ? WHERE id = ?'),
    finish: database.prepare(
      'UPDATE stream SET delivered_ms = ? WHERE id = ? AND closed_ms IS NOT NULL AND chunks_waiting = 0',
    ),
    heldMore: database.prepare('UPDATE stream SET may_hold_more = ? WHERE id = ?'),
    doubt: database.prepare("UPDATE meta SET value = max(value, ?) WHERE key = 'doubt'"),
    answer: database.prepare('UPDATE stream SET held_answer = ? WHERE id = ? AND delivered_ms IS NULL'),
    settled: database.prepare('UPDATE stream SET new_since_ms = NULL WHERE id = ?'),
  };
}

/**
 * Leaves out of a stream what the service holds of it already.
 */
export class HeldElsewhere {
  readonly #database: Database;
  readonly #sql: ReturnType<typeof prepare>;
  readonly #addChunk: ReturnType<typeof openAddChunk>;

  constructor(database: Database) {
    this.#database = database;
    this.#sql = prepare(database);
    this.#addChunk = openAddChunk(database);
  }

  /** Which entries may hold points of a stream that this queue does not know to be sent. */
  knownEntries(streamId: number): KnownEntries {
    return {
      dataIds: this.#sql.dataIds.all() as string[],
      doubtful: this.#sql.doubtful.all({ id: streamId }) as OwnEntry[],
      before: this.#sql.before.all({ id: streamId }) as number[],
      isInDoubt: (this.#sql.isInDoubt.get() as number) > 0,
    };
  }

  /** Names of the channels of a stream, by id. */
  listChannelNames(streamId: number): ReadonlyMap<number, string> {
    return new Map(
      (this.#sql.channels.all(streamId) as { id: number; name: string }[]).map(({ id, name }) => [id, name]),
    );
  }

  /**
   * Leave points of what waits of a closed stream out, since entries of the service hold them, and number the rest again.
   *
   * @param streamId - the stream.
   * @param held - the points.
   * @param heldIn - names of those entries.
   * @param rest - the stream that takes the rest (null: the same, which has no entry).
   * @param atMs - the wall time.
   * @returns how many are sent and how many not.
   */
  recut(streamId: number, held: HeldPoints, heldIn: readonly string[], rest: RestStream | null, atMs: number): Recut {
    return this.#write(() => {
      const { name, pointsPerChunk } = this.#sql.stream.get(streamId) as {
        name: string;
        pointsPerChunk: number | null;
      };
      const waiting = this.#sql.waiting.all(streamId) as WaitingRow[];
      const targetId = rest?.ids.stream ?? streamId;
      const channelIds = new Map<number, number>();
      if (rest !== null) {
        const { stream: id, firstChannel } = rest.ids;
        this.#sql.addStream.run({ id, nonce: rest.nonce, name: restName(name, rest.nonce), atMs, from: streamId });
        const known = this.#sql.channels.all(streamId) as { id: number; name: string; unit: string }[];
        for (const [at, channel] of known.entries()) {
          this.#sql.addChannel.run(firstChannel + at, id, channel.name, channel.unit);
          channelIds.set(channel.id, firstChannel + at);
        }
      } else this.#sql.unsent.run(streamId);
      const all = waiting.reduce(
        (sum, { rows, channels }) => sum + rows * (JSON.parse(channels) as number[]).length,
        0,
      );
      let kept = 0;
      for (const group of this.#groups(waiting, held)) {
        const ids = group.ids.map((id) => channelIds.get(id) ?? id);
        const to = { streamId: targetId, channelIds: ids, size: pointsPerChunk ?? POINTS_PER_CHUNK_MAX };
        kept += this.#cut(group, held, to) * ids.length;
      }
      for (const { id } of waiting) this.#sql.remove.run(id);
      const left = rest === null ? all - kept : all;
      const own = { id: streamId, left, held: all - kept, chunks: waiting.length, heldIn: JSON.stringify(heldIn) };
      this.#sql.leave.run(own);
      if (rest !== null) this.#sql.addPoints.run(kept, targetId);
      this.#sql.finish.run(atMs, streamId);
      return { kept, held: all - kept };
    });
  }

  /** Whether the entry of the stream holds more than this queue knows; if so, the queue is an older one. */
  noteHoldsMore(streamId: number, holdsMore: boolean): void {
    this.#write(() => {
      this.#sql.heldMore.run(Number(holdsMore), streamId);
      if (holdsMore) this.#sql.doubt.run(streamId);
    });
  }

  /**
   * A person said what values are that stand under another name.
   *
   * @returns false: no such stream waits.
   */
  answerHeld(streamId: number, answer: HeldAnswer): boolean {
    return this.#sql.answer.run(answer, streamId).changes > 0;
  }

  /** It was looked up what the service holds of the stream. */
  settleHeld(streamId: number): void {
    this.#sql.settled.run(streamId);
  }

  /** Channels that stay together: the same chunks, and of each the same rows. */
  #groups(waiting: readonly WaitingRow[], held: HeldPoints): { ids: number[]; chunks: WaitingRow[] }[] {
    const byChannel = new Map<number, { key: string[]; chunks: WaitingRow[] }>();
    for (const chunk of waiting) {
      const mask = held.get(chunk.id);
      for (const [column, id] of (JSON.parse(chunk.channels) as number[]).entries()) {
        const own = byChannel.get(id) ?? { key: [], chunks: [] };
        byChannel.set(id, own);
        const rows = mask?.subarray(column * chunk.rows, (column + 1) * chunk.rows);
        own.key.push(`${chunk.id} ${rows?.includes(1) ? Buffer.from(rows).toString('latin1') : ''}`);
        own.chunks.push(chunk);
      }
    }
    const found = new Map<string, { ids: number[]; chunks: WaitingRow[] }>();
    for (const [id, { key, chunks }] of byChannel) {
      const group = found.get(key.join('\n')) ?? { ids: [], chunks };
      found.set(key.join('\n'), group);
      group.ids.push(id);
    }
    return [...found.values()];
  }

  /**
   * Cut again what stays of some channels, P rows to a chunk, the rest in the last.
   *
   * @returns the rows.
   */
  #cut(
    { ids, chunks }: { ids: readonly number[]; chunks: readonly WaitingRow[] },
    held: HeldPoints,
    to: { readonly streamId: number; readonly channelIds: readonly number[]; readonly size: number },
  ): number {
    const timesMs = new Float64Array(to.size);
    const columns = ids.map(() => new Float64Array(to.size));
    let [filled, index, kept] = [0, 0, 0];
    const seal = () => {
      const values = new Float64Array(filled * ids.length);
      for (const [c, column] of columns.entries()) values.set(column.subarray(0, filled), c * filled);
      const { streamId, channelIds } = to;
      this.#addChunk({ streamId, channelIds, index, rows: filled, timesMs: timesMs.slice(0, filled), values });
      [filled, index] = [0, index + 1];
    };
    for (const { id, channels, rows } of chunks) {
      const block = unpack(this.#sql.data.get(id) as Uint8Array);
      const places = (JSON.parse(channels) as number[]).flatMap((one, at) => (ids.includes(one) ? [[one, at]] : []));
      const at = new Map(places as [number, number][]);
      const first = at.get(ids[0] as number) as number;
      for (let row = 0; row < rows; row++) {
        if (held.get(id)?.[first * rows + row] === 1) continue;
        timesMs[filled] = block.timesMs[row] as number;
        for (const [c, one] of ids.entries()) {
          (columns[c] as Float64Array)[filled] = block.values[(at.get(one) as number) * rows + row] as number;
        }
        [filled, kept] = [filled + 1, kept + 1];
        if (filled === to.size) seal();
      }
    }
    if (filled > 0) seal();
    return kept;
  }

  #write<T>(work: () => T): T {
    return this.#database.transaction(work).immediate();
  }
}
