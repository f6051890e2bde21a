// Holds the queue's one connection through the days on which the disk is full, fails, or comes back.
//
// Bounds and invariants
//  1. Nothing is written before the safe mode was proved on this connection. A disk that refuses the proof leaves a queue
//     that can be read; the next write tries the proof again.
//  2. After the disk has failed, the next write gets a fresh connection, and what the old one left behind is written anew
//     and synced before anything is built on it.
//  3. The last RESERVE_BYTES of the disk belong to what empties the queue (acknowledgements, deletions, checkpoints), as
//     the reserve file or as free space. Captures are refused with `store.disk-full` rather than given that room, unless
//     the file itself has FREE_PAGES that it can use again.
//  4. On a full disk acknowledged data gives way, whatever its age. What is not acknowledged is never deleted.
//  5. A damaged file is repaired when it is opened, not while it is in use: the recorder's numbers rest on what it loaded.
import { existsSync, statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { type AgentError, AgentError as Fault } from '../model/agent-error.ts';
import { connectDatabase, proveDatabase } from './database.ts';
import { endStreams } from './end-streams.ts';
import { GrowthRate, hoursToFull } from './forecast.ts';
import { checkOpen, type Damage, damageError, inspectQueue } from './inspect.ts';
import { Ledger, type LedgerEntry, readLedger, readWalSalt } from './ledger.ts';
import { openReserve, type Reserve, readFreeBytes } from './reserve.ts';
import { addEvent, completeSwap, noteLostCommits, salvageQueue } from './salvage.ts';
import { storeError } from './store-error.ts';

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

interface Connection<C> {
  readonly database: Database;
  readonly calls: C;
  isProved: boolean;
}

function isFull(thrown: unknown): boolean {
  return storeError(thrown, '').code === 'store.disk-full';
}

function checkpoint(database: Database): void {
  try {
    database.pragma('wal_checkpoint(PASSIVE)');
  } catch {
    // The commit stands in the log all the same; the next checkpoint takes it along.
  }
}

/** What every set of calls has that a full disk asks for. */
export interface DrainCalls {
  dropAcknowledged(): number;
}

export class QueueFile<C extends DrainCalls> {
  readonly #path: string;
  readonly #makeCalls: (database: Database) => C;
  readonly #reserve: Reserve;
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
  /** Commits that the ledger knows and the file lacks; noted in the file as soon as it can be written. */
  #lost: LedgerEntry | null = null;

  constructor(path: string, makeCalls: (database: Database) => C, options: QueueFileOptions = {}) {
    const { reserveBytes, mayRepair = true, nowMs = Date.now } = options;
    this.#path = path;
    this.#makeCalls = makeCalls;
    this.#nowMs = nowMs;
    this.#isFirstStart = mayRepair;
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
      if (!this.#hasRoom(connection)) throw this.#noRoom();
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

  /** Write a commit of the recorder, and note its sequence in the ledger. */
  capture(sequence: number, work: (calls: C) => void): void {
    this.fill(work);
    this.#guard(() => this.#ledger.note({ sequence, atMs: this.#nowMs() }));
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

  /** Close the file, and note that it was closed in order if its log was copied into it. */
  close(): void {
    this.#connection?.database.close();
    this.#connection = null;
    // A log that is still there was not copied into the file: the next start looks twice.
    const isWhole = !existsSync(`${this.#path}-wal`) && this.#ledger.entry.state === 'open' && !this.#lost;
    if (isWhole) this.#ledger.note({ state: 'closed', walSalt: null });
    this.#ledger.close();
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
    try {
      const database = connectDatabase(this.#path);
      return { database, calls: this.#makeCalls(database), isProved: false };
    } catch (thrown) {
      // A new version of the file needs room as well.
      if (!isFirst || !isFull(thrown) || !this.#reserve.release()) throw thrown;
      return this.#connect();
    }
  }

  #reconnect(): Connection<C> {
    this.#connection?.database.close();
    this.#connection = null;
    this.#connection = this.#connect();
    this.#isStale = false;
    return this.#connection;
  }

  #repair(damage: Damage, entry: LedgerEntry | null, mayRepair: boolean): void {
    if (!mayRepair) throw damageError(this.#path, damage);
    salvageQueue(this.#path, damage, entry, this.#nowMs());
  }

  /** Connect and prove. **Gives**: an error when the file turns out to be damaged; other faults are thrown or may pass. */
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
      connection?.database.close();
      ledger?.close();
      if (error.code === 'store.damaged') return { error };
      throw error;
    }
    return { connection, ledger };
  }

  #openLedger(database: Database, entry: LedgerEntry | null): Ledger {
    const meta = database.prepare('SELECT value FROM meta WHERE key = ?').pluck();
    const found = { queueId: String(meta.get('queue_id')), sequence: Number(meta.get('last_sequence')) };
    this.#lost = entry && entry.sequence > found.sequence ? entry : null;
    this.#cutOff = entry?.state === 'open' && this.#isFirstStart ? entry : null;
    const ledger = new Ledger(this.#path, {
      atMs: this.#nowMs(),
      ...found,
      ...this.#lost,
      state: 'open',
      walSalt: null,
    });
    ledger.note({}, true);
    return ledger;
  }

  #writable(): Connection<C> {
    const connection = this.#isStale || !this.#connection ? this.#reconnect() : this.#connection;
    this.#prove(connection, this.#ledger);
    return connection;
  }

  #prove(connection: Connection<C>, ledger: Ledger): void {
    if (connection.isProved) return;
    this.#drain(connection, () => proveDatabase(connection.database));
    connection.isProved = true;
    if (this.#cutOff) this.#noteCutOff(connection.database, this.#cutOff);
    if (this.#lost) this.#noteLoss(connection.database, this.#lost);
    ledger.note({ walSalt: readWalSalt(this.#path) });
  }

  #noteCutOff(database: Database, { atMs }: LedgerEntry): void {
    const [last, now] = [atMs, this.#nowMs()].map((timeMs) => new Date(timeMs).toISOString());
    addEvent(database, {
      atMs: this.#nowMs(),
      level: 'warning',
      code: 'queue.cut-off',
      message: `Stopped unexpectedly: data was last stored at ${last}; the queue was opened again at ${now}.`,
      hint: 'What was stored is complete. Log files are read from where they stood; what an instrument said meanwhile is not here.',
    });
    this.#cutOff = null;
  }

  #noteLoss(database: Database, { sequence, atMs }: LedgerEntry): void {
    const last = database.prepare("SELECT value FROM meta WHERE key = 'last_sequence'").pluck();
    const commits = sequence - (last.get() as number);
    const why = 'the queue file or its -wal file was removed, exchanged, or replaced by an older copy';
    database.transaction(() => {
      noteLostCommits(database, atMs, why);
      endStreams(database, this.#nowMs());
      database.prepare("UPDATE meta SET value = ? WHERE key = 'last_sequence'").run(sequence);
      const until = new Date(atMs).toISOString();
      const message = `The queue lacks its last ${commits} commits, stored until ${until}: ${why}.`;
      addEvent(database, {
        atMs: this.#nowMs(),
        level: 'error',
        code: 'store.rolled-back',
        message,
        hint: 'The gaps are listed. Log files are read again.',
      });
    })();
    this.#lost = null;
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
    // The log starts anew after a checkpoint, so that the same room serves again and again.
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

  #noRoom(): AgentError {
    const freeBytes = readFreeBytes(this.#path) ?? 0;
    return new Fault({
      code: 'store.disk-full',
      message: `The disk is full: the queue cannot take more (${this.#path}, ${Math.floor(freeBytes / 1024)} KB free).`,
      hint: 'Free space on this disk. What was stored is safe; storing goes on as soon as there is room.',
      retry: 'later',
      context: { path: this.#path, freeBytes },
    });
  }
}
