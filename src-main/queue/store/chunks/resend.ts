// Sends again what the service refused: in its place, or as a copy in a corrected stream.
//
// Bounds and invariants
//  1. A refused chunk leaves this state in one way only: sent again as it is, with the same bytes. One whose points were
//     copied stays refused and names the stream that took them, so it is never sent a second time.
//  2. "The first waiting chunk may have been sent" stays true: a chunk that is sent again gets its turn behind the one
//     that waits first now. In receipts and exports it keeps its place.
//  3. points = acknowledged + refused + waiting + open holds in both streams after each call; `points_resent` counts those
//     of the refused that were copied.
//  4. A call is one transaction; it takes at most CHUNKS_A_CALL chunks and makes about CHUNKS_MADE, so that no commit waits
//     long behind it (about a second for a million points).
//  5. A chunk that the disk altered is refused here, not by the service: it is left as it is.
import type { Database } from 'better-sqlite3';
import { AgentError } from '../../../model/agent-error.ts';
import { type NewChannel, POINTS_PER_CHUNK_MAX } from '../../../model/queue.ts';
import type { Correction, NewIds, RefusedPart, RefusedSelection, Resent } from '../../../model/resend.ts';
import { correctedName } from '../../../model/stream-name.ts';
import { unpack } from '../../../platform/point-block.ts';
import { type SealedRow, soundBlock } from '../blocks/sound-block.ts';
import { openAddChunk } from './add-chunk.ts';

/** Chunks that one call sends again. */
const CHUNKS_A_CALL = 1000;
/** Chunks that one call makes of them, a few more at most. */
const CHUNKS_MADE = 5000;
/** Refused chunks that are listed. */
const LISTED_MAX = 1000;
/** Of the name of the stream that is corrected, so much goes into the name of the copy. */
const NAME_MAX = 200;

interface StreamRow {
  readonly id: number;
  readonly name: string;
  readonly pointsPerChunk: number | null;
  readonly finalize: string | null;
}

interface ChannelRow {
  readonly id: number;
  readonly name: string;
  readonly unit: string;
}

interface RefusedRow {
  readonly id: number;
  readonly channels: string;
  readonly index: number;
  readonly rows: number;
  readonly resentIn: number | null;
}

/** Refused chunks that a selection means. */
interface Selected {
  readonly taken: readonly RefusedRow[];
  readonly rest: Pick<Resent, 'left' | 'damaged' | 'settled' | 'resentIn'>;
}

const idsOf = (channels: string) => JSON.parse(channels) as number[];
const pointsOf = (rows: readonly RefusedRow[]) =>
  rows.reduce((sum, row) => sum + row.rows * idsOf(row.channels).length, 0);

function unknown(what: string, message: string): AgentError {
  return new AgentError({
    code: `resend.unknown-${what}`,
    message,
    hint: 'The receipt of the stream lists what the service refused.',
  });
}

function ended({ id, pointsPerChunk }: StreamRow): AgentError {
  return new AgentError({
    code: 'resend.ended',
    message: `Stream ${id} has ended on the service, which takes nothing more for it.`,
    hint: `Send the refused points as a new stream: epistream resend --stream ${id} --points-per-chunk ${pointsPerChunk ?? POINTS_PER_CHUNK_MAX}`,
    retry: 'never',
  });
}

function prepare(database: Database) {
  return {
    stream: database.prepare('SELECT id, name, points_per_chunk AS pointsPerChunk, finalize FROM stream WHERE id = ?'),
    channels: database.prepare('SELECT id, name, unit FROM channel WHERE stream = ? ORDER BY id'),
    refused: database.prepare(
      `SELECT id, channels, chunk_index AS "index", rows, resent_in AS resentIn FROM chunk INDEXED BY chunk_refused
       WHERE stream = ? AND state = 'refused' ORDER BY coalesce(place, id), id`,
    ),
    listed: database.prepare(
      `SELECT id, channels, chunk_index AS "index", rows, first_ms AS firstMs, last_ms AS lastMs, refused_words AS words,
         resent_in AS resentIn FROM chunk INDEXED BY chunk_refused
       WHERE stream = ? AND state = 'refused' ORDER BY coalesce(place, id), id LIMIT ${LISTED_MAX}`,
    ),
    chunk: database.prepare('SELECT stream, chunk_index, channels, sha256, data FROM chunk WHERE id = ?'),
    state: database.prepare('SELECT state FROM chunk WHERE id = ? AND stream = ?').pluck(),
    head: database
      .prepare(
        `SELECT coalesce(turn, place, id) FROM chunk WHERE stream = ? AND state = 'sealed'
         ORDER BY coalesce(turn, place, id), coalesce(place, id), id LIMIT 1`,
      )
      .pluck(),
    reseal: database.prepare(
      `UPDATE chunk SET state = 'sealed', settled_ms = NULL, refused_words = NULL,
         turn = max(coalesce(place, id), :head + 0.5)
       WHERE id = :id AND state = 'refused' AND resent_in IS NULL`,
    ),
    reopen: database.prepare(
      `UPDATE stream SET chunks_waiting = chunks_waiting + :chunks, points_refused = points_refused - :points,
         delivered_ms = NULL WHERE id = :id`,
    ),
    forgetConfirmation: database.prepare('DELETE FROM confirmation WHERE stream = ?'),
    addStream: database.prepare(
      `INSERT INTO stream (id, source, period, nonce, name, opened_ms, closed_ms, points_per_chunk, synth_source_id, growth)
         SELECT :id, source, period, :nonce, :name, :atMs, :atMs, :pointsPerChunk, synth_source_id, growth FROM stream WHERE id = :from`,
    ),
    addChannel: database.prepare('INSERT INTO channel (id, stream, name, unit) VALUES (:id, :streamId, :name, :unit)'),
    fillStream: database.prepare(
      `UPDATE stream SET points = :points, (first_reading_ms, last_reading_ms) =
         (SELECT min(first_ms), max(last_ms) FROM chunk WHERE stream = :id) WHERE id = :id`,
    ),
    setResent: database.prepare('UPDATE chunk SET resent_in = ? WHERE id = ?'),
    countResent: database.prepare('UPDATE stream SET points_resent = points_resent + ? WHERE id = ?'),
    lastStream: database.prepare('SELECT coalesce(max(id), 0) FROM stream').pluck(),
    lastChannel: database.prepare('SELECT coalesce(max(id), 0) FROM channel').pluck(),
  };
}

/**
 * Sends refused chunks again.
 */
export class Resend {
  readonly #database: Database;
  readonly #sql: ReturnType<typeof prepare>;
  readonly #addChunk: ReturnType<typeof openAddChunk>;

  constructor(database: Database) {
    this.#database = database;
    this.#sql = prepare(database);
    this.#addChunk = openAddChunk(database);
  }

  /**
   * What the service refused of a stream, the first 1000 chunks in the order of sealing.
   *
   * @throws `resend.unknown-stream`.
   */
  refusedChunks(streamId: number): RefusedPart[] {
    this.#findStream(streamId);
    const names = new Map(this.#channelsOf(streamId).map(({ id, name }) => [id, name]));
    const rows = this.#sql.listed.all(streamId) as (Omit<RefusedPart, 'words'> & {
      channels: string;
      words: string | null;
    })[];
    return rows.map(({ channels, words, ...row }) => ({
      ...row,
      channel: idsOf(channels)
        .map((id) => names.get(id) ?? '')
        .join(', '),
      words: words ?? '',
    }));
  }

  /**
   * Put refused chunks back into their place: they wait again, with the same bytes, and their stream is no longer
   * delivered. Repeating it changes nothing.
   *
   * @throws `resend.unknown-stream`, `resend.unknown-chunk`, `resend.unknown-channel`; `resend.ended` when the service takes
   *   nothing more for the stream.
   */
  sendAgain(selection: RefusedSelection): Resent {
    return this.#write(() => {
      const stream = this.#findStream(selection.streamId);
      const { taken, rest } = this.#select(selection);
      const [chunks, points] = [taken.length, pointsOf(taken)];
      if (chunks > 0) {
        if (stream.finalize === 'done') throw ended(stream);
        const head = (this.#sql.head.get(stream.id) as number | undefined) ?? 0;
        for (const { id } of taken) this.#sql.reseal.run({ id, head });
        this.#sql.reopen.run({ id: stream.id, chunks, points });
        this.#sql.forgetConfirmation.run(stream.id);
      }
      return { chunks, points, stream: null, ...rest };
    });
  }

  /**
   * Copy the points of refused chunks into a new stream of the same source, which is closed. The chunks stay refused
   * and name the new stream; those that name one already are skipped. Takes which, how the copy differs (unit and name
   * only with a channel), ids and nonce that nobody else uses, the wall time.
   *
   * @throws those of `sendAgain` for the selection.
   */
  sendAsNew(selection: RefusedSelection, correction: Correction, ids: NewIds, nonce: string, atMs: number): Resent {
    return this.#write(() => {
      const stream = this.#findStream(selection.streamId);
      const pointsPerChunk = correction.pointsPerChunk ?? stream.pointsPerChunk ?? POINTS_PER_CHUNK_MAX;
      const { taken, rest } = this.#select(selection, CHUNKS_MADE * pointsPerChunk);
      const groups = this.#byChannel(taken);
      if (groups.length === 0) return { chunks: 0, points: 0, stream: null, ...rest };
      if (groups.length > ids.channels) throw new RangeError(`${groups.length} channels, ${ids.channels} ids`);
      const name = correctedName(stream.name.slice(0, NAME_MAX).toWellFormed(), nonce);
      this.#sql.addStream.run({ id: ids.stream, nonce, name, atMs, pointsPerChunk, from: stream.id });
      const known = new Map(this.#channelsOf(stream.id).map((channel) => [channel.id, channel]));
      for (const [at, [from, rows]] of groups.entries()) {
        const { name, unit } = known.get(from) ?? { name: `channel ${from}`, unit: '' };
        const channel = {
          id: ids.firstChannel + at,
          streamId: ids.stream,
          name: correction.rename ?? name,
          unit: correction.unit ?? unit,
        };
        this.#sql.addChannel.run(channel);
        this.#copyPoints(rows, from, channel, pointsPerChunk);
      }
      const points = pointsOf(taken);
      this.#sql.fillStream.run({ id: ids.stream, points });
      for (const { id } of taken) this.#sql.setResent.run(ids.stream, id);
      this.#sql.countResent.run(points, stream.id);
      return { chunks: taken.length, points, stream: { id: ids.stream, name }, ...rest };
    });
  }

  /** The largest ids in use, for a caller that makes a stream while no recorder runs. */
  lastIds() {
    return { stream: this.#sql.lastStream.get() as number, channel: this.#sql.lastChannel.get() as number };
  }

  #findStream(id: number): StreamRow {
    const row = this.#sql.stream.get(id) as StreamRow | undefined;
    if (!row) throw unknown('stream', `There is no stream ${id} in this queue.`);
    return row;
  }

  #channelsOf(streamId: number): ChannelRow[] {
    return this.#sql.channels.all(streamId) as ChannelRow[];
  }

  /** Whether a chunk is as it was sealed. */
  #isSound({ id, rows }: RefusedRow): boolean {
    return soundBlock(this.#sql.chunk.get(id) as SealedRow)?.rows === rows;
  }

  #checkIds(streamId: number, chunkIds: readonly number[]): number {
    let settled = 0;
    for (const id of new Set(chunkIds)) {
      const state = this.#sql.state.get(id, streamId);
      if (state === undefined) throw unknown('chunk', `Stream ${streamId} has no chunk with the id ${id}.`);
      if (state !== 'refused') settled += 1;
    }
    return settled;
  }

  #select({ streamId, chunkIds, channel }: RefusedSelection, maxPoints = Number.POSITIVE_INFINITY): Selected {
    const settled = this.#checkIds(streamId, chunkIds ?? []);
    const named = chunkIds && new Set(chunkIds);
    const channelId = this.#channelsOf(streamId).find(({ name }) => name === channel)?.id;
    if (channel !== null && channelId === undefined) {
      throw unknown('channel', `Stream ${streamId} has no channel "${channel}".`);
    }
    const taken: RefusedRow[] = [];
    const resentIn = new Set<number>();
    let [points, left, damaged] = [0, 0, 0];
    for (const row of this.#sql.refused.all(streamId) as RefusedRow[]) {
      if (named && !named.has(row.id)) continue;
      if (channel !== null && row.channels !== `[${channelId}]`) continue;
      if (row.resentIn !== null) resentIn.add(row.resentIn);
      else if (taken.length === CHUNKS_A_CALL || points >= maxPoints) left += 1;
      else if (this.#isSound(row)) {
        taken.push(row);
        points += pointsOf([row]);
      } else damaged += 1;
    }
    return { taken, rest: { left, damaged, settled, resentIn: [...resentIn] } };
  }

  /** Cut again the points that one channel has in some chunks, P to a chunk, the rest in the last. */
  #copyPoints(rows: readonly RefusedRow[], from: number, to: NewChannel, pointsPerChunk: number): void {
    const timesMs = new Float64Array(pointsPerChunk);
    const values = new Float64Array(pointsPerChunk);
    let [filled, index] = [0, 0];
    const seal = () => {
      const block = { rows: filled, timesMs: timesMs.slice(0, filled), values: values.slice(0, filled) };
      this.#addChunk({ streamId: to.streamId, channelIds: [to.id], index, ...block });
      filled = 0;
      index += 1;
    };
    for (const { id, channels } of rows.toSorted((p, q) => p.index - q.index)) {
      const block = unpack((this.#sql.chunk.get(id) as { data: Uint8Array }).data);
      const column = block.values.subarray(idsOf(channels).indexOf(from) * block.rows);
      for (let row = 0; row < block.rows; ) {
        const end = Math.min(block.rows, row + pointsPerChunk - filled);
        timesMs.set(block.timesMs.subarray(row, end), filled);
        values.set(column.subarray(row, end), filled);
        filled += end - row;
        row = end;
        if (filled === pointsPerChunk) seal();
      }
    }
    if (filled > 0) seal();
  }

  /** Chunks by the id of each channel that they hold, channels in the order of their ids. */
  #byChannel(rows: readonly RefusedRow[]): [number, RefusedRow[]][] {
    const groups = new Map<number, RefusedRow[]>();
    for (const row of rows) {
      for (const id of idsOf(row.channels)) {
        const group = groups.get(id);
        if (group) group.push(row);
        else groups.set(id, [row]);
      }
    }
    return [...groups].sort(([p], [q]) => p - q);
  }

  #write<T>(work: () => T): T {
    return this.#database.transaction(work).immediate();
  }
}
