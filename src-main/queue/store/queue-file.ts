// Holds the queue's one connection through the days on which the disk is full, fails, or comes back.
//
// Bounds and invariants
//  1. Nothing is written before the safe mode was proved on this connection. A disk that refuses the proof leaves a queue
//     that can be read; the next write tries the proof again.
//  2. After the disk has failed, the next write gets a fresh connection, and what the old one left behind is written again
//     and synced before anything is built on it.
//  3. The last RESERVE_BYTES of the disk belong to what empties the queue (acknowledgements, deletions, checkpoints), as
//     the reserve file or as free space. Captures are refused with `store.disk-full` rather than given that room, unless
//     the file itself has FREE_PAGES that it can use again.
//  4. On a full disk acknowledged data gives way, whatever its age. What is not acknowledged is never deleted.
//  5. A damaged file is repaired when it is opened, not while it is in use: the recorder's numbers rest on what it loaded.
//  6. A file that is removed while in use is put back whole, a write-ahead log by copying it into the file. Where that is not
//     possible, and where the file is moved or replaced, it goes on to take what is captured, and gives nothing to be sent;
//     content that no path leads to is saved before the file is closed.

import { existsSync, statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import type { AgentError } from '../../model/agent-error.ts';
import type { Commit } from '../../model/queue.ts';
import { type Connection, checkpoint, connect, disconnect, holdLog } from './database/connection.ts';
import { proveDatabase } from './database/database.ts';
import { Ledger, type LedgerEntry, readLedger, readWalSalt } from './database/ledger.ts';
import { refuseOutdated } from './database/migrations.ts';
import { placeError, type StoreLook } from './database/place-error.ts';
import { storeError } from './database/store-error.ts';
import { noteCutOff, noteLoss } from './opening-notes.ts';
import { checkOpen, type Damage, damageError, inspectQueue } from './repair/inspect.ts';
import { putBack, saveBeside } from './repair/put-back.ts';
import { completeSwap, salvageQueue } from './repair/salvage.ts';
import { GrowthRate, hoursToFull } from './space/forecast.ts';
import { noRoomError, openReserve, type Reserve, readFreeBytes } from './space/reserve.ts';

/** Free pages inside the file (256 KB) that let captures go on although the disk is full. */
const FREE_PAGES = 64;
/** Times that acknowledged chunks are deleted for the sake of one commit. */
const GIVE_WAY_TIMES = 5;
/** Faults that may pass, and that must not keep a queue from being opened and read. */
const PASSING = ['store.disk-full', 'store.disk-fault', 'store.cannot-open'];

/** Room on the disk and how long it lasts. */
export interface StoreRoom {
  /** Null when the system does not tell. */
  readonly freeBytes: number | null;
  /** What the queue really occupies inside its file, bytes. */
  readonly usedBytes: number;
  readonly walBytes: number;
  /** False while the disk is so full that the reserve was given up. */
  readonly isReserveKept: boolean;
  /** Growth over the last hours; null while it is not known. */
  readonly bytesPerHour: number | null;
  /** At the present rate; null when the disk does not fill or the rate is not known. */
  readonly hoursToFull: number | null;
}

export interface QueueFileOptions {
  /** Size of the reserve; 0: none. */
  readonly reserveBytes?: number;
  /** False: a damaged file is reported as `store.damaged` and left as it is. */
  readonly mayRepair?: boolean;
  readonly nowMs?: () => number;
}

function isFull(thrown: unknown): boolean {
  return storeError(thrown, '').code === 'store.disk-full';
}

/** What every set of calls has that a full disk asks for. */
export interface DrainCalls {
  dropAcknowledged(): number;
}

export class QueueFile<C extends DrainCalls> {
  readonly #path: string;
  readonly #makeCalls: (database: Database) => C;
  readonly #reserveBytes: number | undefined;
  #reserve: Reserve;
  readonly #ledger: Ledger;
  readonly #nowMs: () => number;
  readonly #growth = new GrowthRate();
  /** False for a thread that is started again within the same run of the agent. */
  readonly #isFirstStart: boolean;
  #connection: Connection<C> | null;
  /** The disk has failed under this connection. */
  #isStale = false;
  /** The former run was not ended in order; noted as soon as the file can be written. */
  #cutOff: LedgerEntry | null = null;
  #notices: StoreLook['notices'] = [];
  /** Commits that the ledger knows and the file lacks; noted in the file as soon as it can be written. */
  #lost: LedgerEntry | null = null;

  constructor(path: string, makeCalls: (database: Database) => C, options: QueueFileOptions = {}) {
    const { reserveBytes, mayRepair = true, nowMs = Date.now } = options;
    this.#path = path;
    this.#makeCalls = makeCalls;
    this.#nowMs = nowMs;
    this.#isFirstStart = mayRepair;
    this.#reserveBytes = reserveBytes;
    refuseOutdated(path);
    if (!existsSync(path)) refuseOutdated(`${path}.new`);
    this.#reserve = openReserve(path, reserveBytes);
    completeSwap(path);
    const entry = readLedger(path);
    const found = inspectQueue(path, entry);
    const damage = found === 'unseen' ? null : found;
    if (damage) this.#repair(damage, entry, mayRepair);
    const opened = this.#tryOpen(damage ? null : entry, found === 'unseen');
    if ('ledger' in opened) [this.#connection, this.#ledger] = [opened.connection, opened.ledger];
    else {
      // Damage that could not be seen from outside, for example behind the journal of a write that was cut off.
      if (damage) throw opened.error;
      this.#repair({ why: opened.error.message, hasForeignWal: false }, entry, mayRepair);
      const again = this.#tryOpen(null, false);
      if ('error' in again) throw again.error;
      [this.#connection, this.#ledger] = [again.connection, again.ledger];
    }
    this.#reserve.ensure();
  }

  /** Look: allowed also while the disk refuses to be written. */
  read<T>(work: (calls: C) => T): T {
    return this.#guard(() => work((this.#connection ?? this.#reconnect()).calls));
  }

  /** Write something that may be refused when there is no room. */
  write<T>(work: (calls: C) => T): T {
    return this.#guard(() => work(this.#writable().calls));
  }

  /** Write what empties the queue: it may use the reserve. */
  drain<T>(work: (calls: C) => T): T {
    return this.#guard(() => this.#drain(this.#writable(), work));
  }

  /** Write what fills the queue. */
  fill<T>(work: (calls: C) => T): T {
    return this.#guard(() => {
      const connection = this.#writable();
      if (!this.#hasRoom(connection)) throw noRoomError(this.#path);
      let result: T;
      try {
        result = work(connection.calls);
      } catch (thrown) {
        if (!isFull(thrown) || !this.#giveWay(connection)) throw thrown;
        result = work(connection.calls);
      }
      if (!this.#reserve.isKept) checkpoint(connection.database);
      return result;
    });
  }

  /** Write a commit of the recorder, and note its sequence and its earliest reading in the ledger. */
  capture({ sequence, changes }: Pick<Commit, 'sequence' | 'changes'>, work: (calls: C) => void): void {
    this.fill(work);
    const sinceMs = earliest(
      this.#ledger.entry.sinceMs,
      ...changes.map(({ firstReadingMs }) => firstReadingMs ?? null),
    );
    this.#guard(() => this.#ledger.note({ sequence, atMs: this.#nowMs(), sinceMs }));
  }

  /** How much room there is and how long it lasts; makes the reserve again where it can. */
  room(): StoreRoom {
    return this.#guard(() => {
      const { database } = this.#connection ?? this.#reconnect();
      const pragma = (name: string) => database.pragma(name, { simple: true }) as number;
      const usedBytes = (pragma('page_count') - pragma('freelist_count')) * pragma('page_size');
      this.#reserve.ensure();
      this.#growth.note(this.#nowMs(), usedBytes);
      const freeBytes = readFreeBytes(this.#path);
      const { bytesPerHour } = this.#growth;
      return {
        freeBytes,
        usedBytes,
        walBytes: statSync(`${this.#path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
        isReserveKept: this.#reserve.isKept,
        bytesPerHour,
        hoursToFull: hoursToFull(freeBytes, bytesPerHour),
      };
    });
  }

  /** Look whether the path still leads to the file, and repair what can be repaired. About once a second. */
  look(): StoreLook {
    return this.#guard(() => {
      const away = this.#keepPlace();
      const notices = this.#notices;
      this.#notices = [];
      return { away: away && { code: away.code, message: away.message, hint: away.hint }, notices };
    });
  }

  /** Throw as `placeError` while what would be read now must not be sent. */
  assertHere(): void {
    const away = this.#guard(() => this.#keepPlace());
    if (away) throw away;
  }

  /**
   * Close the file, and note that it was closed in order if its log was copied into it.
   * @throws `store.removed` when no path led to it, and its content could not be saved.
   */
  close(): void {
    try {
      const away = this.#guard(() => this.#keepPlace());
      const connection = this.#connection;
      if (away && connection && !connection.held.hasName) this.#save(connection);
      if (connection) disconnect(connection);
      // A log that is still there was not copied into the file: the next start looks twice.
      const isWhole = !existsSync(`${this.#path}-wal`) && this.#ledger.entry.state === 'open' && !this.#lost;
      if (isWhole && !away) this.#ledger.note({ state: 'closed', walSalt: null });
    } finally {
      if (this.#connection?.database.open) disconnect(this.#connection);
      this.#connection = null;
      this.#ledger.close();
    }
  }

  #save({ database }: Connection<C>): void {
    try {
      saveBeside(database, this.#path, this.#nowMs());
    } catch (thrown) {
      throw placeError(this.#path, 'removed', storeError(thrown, this.#path).message);
    }
  }

  /**
   * Check that the file still lies where it was opened.
   * @returns null when the file is where it was opened, or is there again; else why nothing may be sent.
   */
  #keepPlace(): AgentError | null {
    const connection = this.#connection;
    if (!connection) return null;
    const { place } = connection.held;
    if (place === 'removed') return this.#putBack(connection);
    if (place !== 'here') return placeError(this.#path, place);
    if (connection.wal && connection.wal.place !== 'here') this.#leaveLog(connection);
    this.#ledger.keep();
    return null;
  }

  #putBack(connection: Connection<C>): AgentError | null {
    try {
      if (!putBack(connection.database, this.#path)) return placeError(this.#path, 'replaced');
    } catch (thrown) {
      return placeError(this.#path, 'removed', storeError(thrown, this.#path).message);
    }
    this.#ledger.keep();
    this.#renew();
    this.#reserve = openReserve(this.#path, this.#reserveBytes);
    this.#reserve.ensure();
    this.#noticeKept('put-back', `The queue ${this.#path} was removed while in use and was put back whole.`);
    return null;
  }

  /** The log was removed or exchanged: what it holds goes into the file before its handle is closed. */
  #leaveLog({ database }: Connection<C>): void {
    database.pragma('wal_checkpoint(TRUNCATE)');
    this.#renew();
    this.#noticeKept('log-removed', `The log of the queue ${this.#path} was removed while in use; nothing is lost.`);
  }

  #renew(): void {
    // The ledger must not hold the next log against the salt of this one.
    this.#ledger.note({ walSalt: null }, true);
    this.#reconnect();
    this.#writable();
  }

  #noticeKept(code: string, message: string): void {
    const hint = 'Look what removed it: the data folder is for Epistream alone while it runs.';
    this.#notices = [...this.#notices, { code: `store.${code}`, message, hint }];
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (thrown) {
      const error = storeError(thrown, this.#path);
      if (error.code === 'store.disk-fault') this.#isStale = true;
      if (error.code === 'store.damaged') this.#ledger.note({ state: 'suspect' }, true);
      throw error;
    }
  }

  #connect(isFirst = false): Connection<C> {
    // The recorder goes on from what it loaded: a new, empty file is none for it.
    if (!(isFirst && this.#isFirstStart) && !existsSync(this.#path)) throw placeError(this.#path, 'removed');
    try {
      return connect(this.#path, this.#makeCalls);
    } catch (thrown) {
      // A new version of the file needs room as well.
      if (!isFirst || !isFull(thrown) || !this.#reserve.release()) throw thrown;
      return this.#connect();
    }
  }

  #reconnect(): Connection<C> {
    if (this.#connection) disconnect(this.#connection);
    this.#connection = null;
    this.#connection = this.#connect();
    this.#isStale = false;
    return this.#connection;
  }

  #repair(damage: Damage, entry: LedgerEntry | null, mayRepair: boolean): void {
    if (!mayRepair) throw damageError(this.#path, damage);
    salvageQueue(this.#path, damage, entry, this.#nowMs());
  }

  /** Connect and prove. Returns an error when the file turns out to be damaged; other faults are thrown or may pass. */
  #tryOpen(
    entry: LedgerEntry | null,
    isUnseen: boolean,
  ): { connection: Connection<C>; ledger: Ledger } | { error: AgentError } {
    let connection: Connection<C> | undefined;
    let ledger: Ledger | undefined;
    try {
      connection = this.#connect(true);
      if (isUnseen) checkOpen(connection.database, entry?.state === 'closed');
      ledger = this.#openLedger(connection.database, entry);
      this.#prove(connection, ledger);
    } catch (thrown) {
      const error = storeError(thrown, this.#path);
      if (connection && ledger && PASSING.includes(error.code)) return { connection, ledger };
      if (connection) disconnect(connection);
      ledger?.close();
      if (error.code === 'store.damaged') return { error };
      throw error;
    }
    return { connection, ledger };
  }

  #openLedger(database: Database, entry: LedgerEntry | null): Ledger {
    const meta = database.prepare('SELECT value FROM meta WHERE key = ?').pluck();
    const found = { queueId: String(meta.get('queue_id')), sequence: Number(meta.get('last_sequence')) };
    // Delivered readings are no loss.
    const undelivered = database.prepare('SELECT min(first_reading_ms) FROM stream WHERE delivered_ms IS NULL').pluck();
    const first = undelivered.get() as number | null;
    this.#lost = entry && entry.sequence > found.sequence ? entry : null;
    this.#cutOff = entry?.state === 'open' && this.#isFirstStart ? entry : null;
    const ledger = new Ledger(this.#path, {
      atMs: this.#nowMs(),
      ...found,
      ...this.#lost,
      state: 'open',
      walSalt: null,
      sinceMs: earliest(this.#lost?.sinceMs ?? null, first),
    });
    ledger.note({}, true);
    return ledger;
  }

  #writable(): Connection<C> {
    // A file that its path does not lead to has one handle: it is not let go for a fresh one.
    if (this.#isStale) this.assertHere();
    const connection = this.#isStale || !this.#connection ? this.#reconnect() : this.#connection;
    this.#prove(connection, this.#ledger);
    return connection;
  }

  #prove(connection: Connection<C>, ledger: Ledger): void {
    if (connection.isProved) return;
    this.#drain(connection, () => proveDatabase(connection.database));
    connection.isProved = true;
    holdLog(connection, this.#path);
    if (this.#cutOff) noteCutOff(connection.database, this.#cutOff, this.#nowMs());
    this.#cutOff = null;
    if (this.#lost) noteLoss(connection.database, this.#lost, this.#nowMs());
    this.#lost = null;
    ledger.note({ walSalt: readWalSalt(this.#path) });
  }

  #drain<T>({ database, calls }: Connection<C>, work: (calls: C) => T): T {
    let result: T;
    try {
      result = work(calls);
    } catch (thrown) {
      if (!isFull(thrown) || !this.#reserve.release()) throw thrown;
      checkpoint(database);
      result = work(calls);
    }
    // The log restarts after a checkpoint, so that the same room serves again and again.
    if (!this.#reserve.isKept) checkpoint(database);
    return result;
  }

  #hasRoom(connection: Connection<C>): boolean {
    if (this.#reserve.ensure()) return true;
    const freeBytes = readFreeBytes(this.#path);
    return freeBytes === null || freeBytes >= this.#reserve.sizeBytes || this.#giveWay(connection);
  }

  /** Delete acknowledged chunks until the file has room inside. */
  #giveWay(connection: Connection<C>): boolean {
    const freePages = () => connection.database.pragma('freelist_count', { simple: true }) as number;
    for (let times = 0; times < GIVE_WAY_TIMES && freePages() < FREE_PAGES; times++) {
      if (this.#drain(connection, (calls) => calls.dropAcknowledged()) === 0) break;
    }
    return freePages() >= FREE_PAGES;
  }
}

/** The least of these; null: there is none. */
function earliest(...timesMs: readonly (number | null)[]): number | null {
  const known = timesMs.filter((timeMs) => timeMs !== null);
  return known.length === 0 ? null : Math.min(...known);
}
