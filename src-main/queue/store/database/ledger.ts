// The sequence ledger: a small file beside the queue that remembers what the queue had taken when it was last written.
// SQLite cannot notice that its write-ahead log was deleted, exchanged for another one, or that an older copy of the file
// was put in its place: each gives a sound database that lacks commits. The ledger does.
//
// It is written after each commit and not synced, so after a power cut it may be behind the queue, never before it.
// What says that the log is not known (`walSalt` null) is synced before the log is made: a ledger on disk never names the
// salt of a log of an earlier run.
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import { crc32 } from 'node:zlib';

const MAGIC = 0x45504c32;
const SIZE_BYTES = 56;
/** Format 1, without the earliest reading. */
const BEFORE = { magic: 0x45504c31, sizeBytes: 48 };
const STATES = ['closed', 'open', 'suspect'] as const;

export interface LedgerEntry {
  /** `closed` in order; `open`: it ended without being closed; `suspect`: SQLite found damage while it was open. */
  readonly state: (typeof STATES)[number];
  /** 32 hexadecimal digits that name the queue; zeros for one that has no name yet. */
  readonly queueId: string;
  /** Sequence of the last commit. */
  readonly sequence: number;
  /** Wall time of the last commit, Unix milliseconds. */
  readonly atMs: number;
  /** First salt of the write-ahead log, which SQLite raises by one each time it restarts the log; null: not known. */
  readonly walSalt: number | null;
  /** Stamp of the earliest reading that may not be delivered yet, Unix milliseconds; null: none, or not known. */
  readonly sinceMs: number | null;
}

function toBytes(entry: LedgerEntry): Buffer {
  const bytes = Buffer.alloc(SIZE_BYTES);
  bytes.writeUInt32LE(MAGIC, 0);
  bytes.writeUInt8(STATES.indexOf(entry.state), 4);
  bytes.writeUInt8(entry.walSalt === null ? 0 : 1, 5);
  bytes.writeUInt32LE(entry.walSalt ?? 0, 8);
  bytes.writeDoubleLE(entry.sequence, 12);
  bytes.writeDoubleLE(entry.atMs, 20);
  bytes.write(entry.queueId, 28, 'hex');
  bytes.writeDoubleLE(entry.sinceMs ?? Number.NaN, 44);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, SIZE_BYTES - 4)), SIZE_BYTES - 4);
  return bytes;
}

function ledgerFile(path: string): string {
  return `${path}.ledger`;
}

/**
 * Read what the ledger says.
 *
 * @param path - the queue's path.
 * @returns its entry; null where there is none or a cut left half of one.
 */
export function readLedger(path: string): LedgerEntry | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(ledgerFile(path));
  } catch {
    // Not there, or not readable now: the queue is then opened as one that was not closed, which checks more.
    return null;
  }
  const isBefore = bytes.length === BEFORE.sizeBytes;
  if (!isBefore && bytes.length !== SIZE_BYTES) return null;
  if (bytes.readUInt32LE(0) !== (isBefore ? BEFORE.magic : MAGIC)) return null;
  if (bytes.readUInt32LE(bytes.length - 4) !== crc32(bytes.subarray(0, -4))) return null;
  const sinceMs = isBefore ? Number.NaN : bytes.readDoubleLE(44);
  const state = STATES[bytes.readUInt8(4)];
  if (!state) return null;
  return {
    state,
    queueId: bytes.toString('hex', 28, 44),
    sequence: bytes.readDoubleLE(12),
    atMs: bytes.readDoubleLE(20),
    walSalt: bytes.readUInt8(5) === 1 ? bytes.readUInt32LE(8) : null,
    sinceMs: Number.isNaN(sinceMs) ? null : sinceMs,
  };
}

/**
 * Read the first salt of the queue's write-ahead log.
 * Source: SQLite, "WAL-mode File Format", section 2.
 *
 * @param path - the queue's path.
 * @returns the salt; null when there is no log or it is empty.
 */
export function readWalSalt(path: string): number | null {
  let file: number;
  try {
    file = openSync(`${path}-wal`, 'r');
  } catch {
    // No log, or none that can be read: SQLite itself will say so.
    return null;
  }
  try {
    const header = Buffer.alloc(32);
    return readSync(file, header, 0, 32, 0) === 32 ? header.readUInt32BE(16) : null;
  } finally {
    closeSync(file);
  }
}

export class Ledger {
  readonly #path: string;
  #file: number | null;
  #entry: LedgerEntry;

  /**
   * @param path - the queue's path and what holds now.
   * @param entry - nothing is written yet.
   */
  constructor(path: string, entry: LedgerEntry) {
    this.#path = path;
    this.#entry = entry;
    this.#file = this.#open();
  }

  #open(): number | null {
    try {
      // Neither emptied nor appended to: the old entry stands until it is written over.
      return openSync(ledgerFile(this.#path), constants.O_RDWR | constants.O_CREAT, 0o600);
    } catch {
      // A full disk may refuse even this. A ledger that is behind can fail to notice a loss; it never invents one.
      return null;
    }
  }

  get entry(): LedgerEntry {
    return this.#entry;
  }

  /** Write the entry with these changes; `isSynced`: and wait until it is on the disk. */
  note(change: Partial<LedgerEntry>, isSynced = false): void {
    this.#entry = { ...this.#entry, ...change };
    if (this.#file === null) return;
    try {
      writeSync(this.#file, toBytes(this.#entry), 0, SIZE_BYTES, 0);
      if (isSynced) fsyncSync(this.#file);
    } catch {
      // As above: the queue's own commits tell of a disk that fails.
    }
  }

  /** Write the entry again where the file was removed, or could not be made before. */
  keep(): void {
    // The same folder, so the same disk: the number alone tells the file.
    if (this.#file !== null && this.#findNumber() === fstatSync(this.#file, { bigint: true }).ino) return;
    this.close();
    this.#file = this.#open();
    this.note({}, true);
  }

  #findNumber(): bigint | null {
    try {
      return statSync(ledgerFile(this.#path), { bigint: true }).ino;
    } catch {
      // Gone, or not to be reached: opening it tells whether another one can be made. On Windows a file that was removed while
      // it is open is still there, and refuses to be looked at, until it is closed.
      return null;
    }
  }

  /** Cheap to repeat. */
  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}
