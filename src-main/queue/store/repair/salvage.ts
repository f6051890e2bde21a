// Saves what can be read of a damaged queue. The damaged file is read without being altered, what is sound goes into a new
// file, and only then do the two change places, in steps that the next start completes if this one is cut off:
//
//   queue.db.new is built and synced -> queue.db.swap says "change places" -> queue.db becomes queue.db.damaged.<time>
//   (its -wal and -journal too) -> queue.db.new becomes queue.db -> queue.db.swap goes.
//
// What goes over: every chunk whose checksum is right, with its state; streams, channels, positions, gaps, events. Open
// readings become the last chunk of their stream, and all streams are ended: what was lost leaves a hole in the numbering
// of its stream only, never a place that is filled with something else. The hole is a gap row, the whole an event.
import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import SQLite, { type Database } from 'better-sqlite3';
import { renameWhenFreeSync } from '../../../platform/rename-when-free.ts';
import { soundBlock } from '../blocks/sound-block.ts';
import { spanOf } from '../chunks/add-chunk.ts';
import { askToReread, findUnnamedSpans } from '../chunks/ask-to-reread.ts';
import { type EndedStreams, endStreams } from '../chunks/end-streams.ts';
import { noteDoubt } from '../chunks/held-elsewhere.ts';
import type { LedgerEntry } from '../database/ledger.ts';
import { queueMigrations } from '../database/schema.ts';
import { storeError } from '../database/store-error.ts';
import { syncFile, syncFolder } from '../database/sync-file.ts';
import { findHoles, type Hole } from './holes.ts';
import type { Damage } from './inspect.ts';
import { openDamaged, type Row, readKeyedRows, readRows } from './read-damaged.ts';
import { isSequence, repairRows } from './repair-rows.ts';

/** Highest id looked for where a table does not tell its own. */
const ID_FALLBACK = 100_000;

/** Tables that have no id, and their keys. */
const KEYED: readonly (readonly [string, readonly string[]])[] = [
  ['source_position', ['source', 'key']],
  ['source_span', ['stream', 'file', 'from_byte']],
  ['confirmation', ['stream']],
];

/** What was saved. */
export interface Salvage {
  readonly chunks: number;
  readonly points: number;
  /** Points that stood in the sums of the streams and are not there; null when those sums are lost too. */
  readonly pointsLost: number | null;
  /** Name of the file that was set aside; null when there was none. */
  readonly aside: string | null;
}

/** A copier of rows into a table: columns that both have; a row that the table refuses is left out. */
function copier(target: Database, table: string): (row: Row) => void {
  const known = new Set((target.pragma(`table_info('${table}')`) as { name: string }[]).map(({ name }) => name));
  // All rows of a table have the same columns. A value that breaks a rule of the table is what damage left of it, and
  // ignored. A full disk is not, and thrown.
  let insert: SQLite.Statement | undefined;
  return (row) => {
    const columns = Object.keys(row).filter((column) => known.has(column));
    const values = columns.map((column) => `:${column}`).join(', ');
    insert ??= target.prepare(`INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${values})`);
    insert.run(row);
  };
}

/** A chunk as its own bytes tell, whatever stands beside them; null when the disk altered them. */
function soundChunk(row: Row): Row | null {
  const { stream, chunk_index, channels, data, sha256 } = row;
  const block = soundBlock({ stream: Number(stream), chunk_index: Number(chunk_index), channels, data, sha256 });
  if (!block) return null;
  const { firstMs, lastMs } = spanOf(block);
  return { ...row, rows: block.rows, first_ms: firstMs, last_ms: lastMs };
}

function copyAll(source: Database, target: Database): { lastSequence: number | null; queueId: string | null } {
  const meta = new Map<unknown, unknown>();
  for (const { key, value } of readKeyedRows(source, 'meta', ['key'])) meta.set(key, value);
  for (const table of [
    'stream',
    'channel',
    'lane',
    'open_readings',
    'refusal',
    'gap',
    'mark',
    'event',
    'rheed_session',
    'growth',
  ]) {
    const copy = copier(target, table);
    for (const row of readRows(source, table, ID_FALLBACK)) copy(row);
  }
  const sealed = target.prepare('SELECT coalesce(sum(chunks_sealed), 0) FROM stream').pluck().get() as number;
  const copyChunk = copier(target, 'chunk');
  for (const row of readRows(source, 'chunk', sealed + ID_FALLBACK)) {
    const chunk = soundChunk(row);
    if (chunk) copyChunk(chunk);
  }
  for (const [table, key] of KEYED) {
    const copy = copier(target, table);
    for (const row of readKeyedRows(source, table, key)) copy(row);
  }
  const [lastSequence, queueId] = [meta.get('last_sequence'), meta.get('queue_id')];
  return {
    lastSequence: isSequence(lastSequence) ? lastSequence : null,
    queueId: typeof queueId === 'string' && /^[0-9a-f]{32}$/.test(queueId) ? queueId : null,
  };
}

function addGaps(target: Database, { missing, openFrom }: EndedStreams): void {
  const insert = target.prepare(
    'INSERT INTO gap (source, from_ms, to_ms, cause) SELECT source, ?, ?, ? FROM stream WHERE id = ?',
  );
  for (const [streamId, points] of missing) {
    const holes: readonly Hole[] = findHoles(target, streamId, points, openFrom);
    for (const { fromMs, toMs } of holes) {
      insert.run(
        fromMs,
        toMs,
        `queue damaged: ${points} points of stream ${streamId} lost, here among others`,
        streamId,
      );
    }
  }
}

/** Fill the new file. */
function fill(
  target: Database,
  source: Database | null,
  damage: Damage,
  entry: LedgerEntry | null,
  sinceMs: number,
  nowMs: number,
) {
  const { lastSequence, queueId } = source ? copyAll(source, target) : { lastSequence: null, queueId: null };
  noteLostStreams(target, sinceMs, nowMs, damage.why);
  const unnamed = findUnnamedSpans(target);
  repairRows(target, nowMs);
  noteDoubt(target);
  const isBehind = lastSequence === null || (entry !== null && entry.sequence > lastSequence);
  if (isBehind) noteLostCommits(target, sinceMs, entry?.atMs ?? nowMs, damage.why);
  const ended = endStreams(target, nowMs);
  const { missing } = ended;
  addGaps(target, ended);
  askToReread(target, [...missing.keys()], unnamed);
  const setMeta = target.prepare('UPDATE meta SET value = ? WHERE key = ?');
  setMeta.run(Math.max(lastSequence ?? 0, entry?.sequence ?? 0), 'last_sequence');
  const keptBytes = "SELECT coalesce(sum(length(data)), 0) FROM chunk WHERE state = 'acknowledged'";
  setMeta.run(target.prepare(keptBytes).pluck().get(), 'acknowledged_bytes');
  const knownId = queueId ?? entry?.queueId;
  if (knownId !== undefined) setMeta.run(knownId, 'queue_id');
  const saved = target
    .prepare(
      `SELECT count(*) AS chunks, coalesce(sum(rows * json_array_length(channels)), 0) AS points
       FROM chunk WHERE state = 'sealed'`,
    )
    .get() as { chunks: number; points: number };
  const sum = [...missing.values()].reduce((total, points) => total + points, 0);
  return { ...saved, pointsLost: lastSequence === null ? null : sum };
}

/**
 * Note that commits are missing whose content nobody knows: a gap of each stream that took readings then, from its own last
 * reading on (old data is read beside what is new), and of a source that had no such stream. Takes a database in a
 * transaction, before its streams are ended, since when there is a queue, the wall time of the last commit that is missing,
 * and why.
 */
export function noteLostCommits(database: Database, sinceMs: number, untilMs: number, why: string): void {
  const sources = database
    .prepare(
      `SELECT DISTINCT source, coalesce(last_reading_ms, opened_ms) AS fromMs FROM stream WHERE closed_ms IS NULL
       UNION SELECT source, max(coalesce(last_reading_ms, opened_ms)) FROM stream GROUP BY source
         HAVING sum(closed_ms IS NULL) = 0`,
    )
    .all() as { source: string; fromMs: number }[];
  const insert = database.prepare('INSERT INTO gap (source, from_ms, to_ms, cause) VALUES (?, ?, ?, ?)');
  // Without a stream nothing tells when the readings were made; old data may be of any time.
  if (sources.length === 0) insert.run('queue', Math.min(sinceMs, untilMs), untilMs, why);
  for (const { source, fromMs } of sources) insert.run(source, Math.min(fromMs, untilMs), untilMs, why);
}

/** Streams are numbered without a hole: one whose row is missing may have lost more than its name, and nothing tells when. */
function noteLostStreams(target: Database, sinceMs: number, nowMs: number, why: string): void {
  const ids = `SELECT id FROM stream UNION SELECT stream FROM chunk UNION SELECT stream FROM channel UNION SELECT stream FROM lane`;
  const lost = target.prepare(`SELECT coalesce(max(id), 0) - (SELECT count(*) FROM stream) FROM (${ids})`).pluck();
  const count = lost.get() as number;
  if (count === 0) return;
  const cause = `${why}: ${count} ${count === 1 ? 'stream is' : 'streams are'} not known any more; what was found of them is kept`;
  target
    .prepare("INSERT INTO gap (source, from_ms, to_ms, cause) VALUES ('queue', ?, ?, ?)")
    .run(sinceMs, nowMs, cause);
}

/** Write an event that the journal shows at the next start of the agent. */
export function addEvent(
  database: Database,
  event: { atMs: number; level: 'warning' | 'error'; code: string; message: string; hint: string },
): void {
  database
    .prepare('INSERT INTO event (at_ms, level, code, message, hint) VALUES (:atMs, :level, :code, :message, :hint)')
    .run(event);
}

/** The new file, made without a log of its own: it counts only once it has been synced whole. */
function openTarget(file: string): Database {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(file + end, { force: true });
  closeSync(openSync(file, 'w', 0o600));
  const target = new SQLite(file);
  target.pragma('journal_mode = OFF');
  target.pragma('synchronous = OFF');
  target.pragma('foreign_keys = OFF');
  queueMigrations.migrate(target);
  return target;
}

function build(path: string, damage: Damage, entry: LedgerEntry | null, nowMs: number, aside: string | null): Salvage {
  const file = `${path}.new`;
  const sinceMs = beganMs(path, entry, nowMs);
  const target = openTarget(file);
  let salvage: Salvage;
  try {
    const source = openDamaged(path, damage.hasForeignWal, readFileSync(file));
    try {
      salvage = target.transaction(() => {
        const saved = { ...fill(target, source?.database ?? null, damage, entry, sinceMs, nowMs), aside };
        addEvent(target, {
          atMs: nowMs,
          level: 'error',
          code: 'store.salvaged',
          message: describe(damage, saved),
          hint: 'The gaps are listed. Check the disk.',
        });
        return saved;
      })();
    } finally {
      source?.close();
    }
    target.close();
  } catch (thrown) {
    target.close();
    // The data folder may be gone: what was thrown is what counts.
    rmSync(file, { force: true });
    throw thrown;
  }
  syncFile(file);
  return salvage;
}

/**
 * Earliest time that the queue may have lost data from, Unix milliseconds: by its ledger, else when its files were made, else the
 * wall time that is given.
 */
export function beganMs(path: string, entry: LedgerEntry | null, nowMs: number): number {
  if (typeof entry?.sinceMs === 'number') return entry.sinceMs;
  const born = [path, `${path}.ledger`].map((file) => statSync(file, { throwIfNoEntry: false })?.birthtimeMs ?? 0);
  return Math.min(entry?.atMs ?? nowMs, ...born.filter((bornMs) => bornMs > 0));
}

function describe({ why }: Damage, { chunks, points, pointsLost, aside }: Salvage): string {
  const kept = aside === null ? 'there was no file to keep' : `the damaged file is kept as ${aside}`;
  const lost = pointsLost === null ? 'how many are lost is not known' : `${pointsLost} are lost`;
  return `The queue was damaged (${why}). ${points} points in ${chunks} waiting chunks were recovered, ${lost}; ${kept}.`;
}

/** Say on the disk that `<path>.new` is whole and is to take the queue's place; the old file gets the name `aside`. */
export function markSwap(path: string, aside: string): void {
  writeFileSync(`${path}.swap`, aside, { mode: 0o600, flush: true });
  syncFolder(dirname(path));
}

/**
 * Complete a change of places that was cut off.
 *
 * @param path - the queue's path. Cheap when there is nothing to complete.
 */
export function completeSwap(path: string): void {
  const marker = `${path}.swap`;
  if (!existsSync(marker)) return;
  const aside = join(dirname(path), basename(readFileSync(marker, 'utf8')));
  if (existsSync(`${path}.new`)) {
    if (existsSync(path)) renameWhenFreeSync(path, aside);
    for (const end of ['-wal', '-journal']) if (existsSync(path + end)) renameWhenFreeSync(path + end, aside + end);
    renameWhenFreeSync(`${path}.new`, path);
    syncFolder(dirname(path));
  }
  rmSync(marker);
}

/**
 * Set a damaged queue aside whole and put in its place what can be read of it.
 *
 * @param path - the queue's path (nobody has it open).
 * @param entry - what the ledger says.
 * @param nowMs - the wall time.
 * @returns what was saved.
 * @throws those of `storeError`; the damaged file is then where it was, as it was.
 */
export function salvageQueue(path: string, damage: Damage, entry: LedgerEntry | null, nowMs: number): Salvage {
  try {
    const stamp = new Date(nowMs).toISOString().replaceAll(/[-:.]/g, '');
    const aside = `${path}.damaged.${stamp}`;
    const hasFile = existsSync(path) || existsSync(`${path}-wal`);
    const salvage = build(path, damage, entry, nowMs, hasFile ? basename(aside) : null);
    markSwap(path, basename(aside));
    completeSwap(path);
    return salvage;
  } catch (thrown) {
    throw storeError(thrown, path);
  }
}
