import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  Ledger,
  type LedgerEntry,
  readLedger,
  readWalSalt,
} from '../../../../../src-main/queue/store/database/ledger.ts';
import { openQueue } from '../../../../../src-main/queue/store/queue.ts';
import { expectMode, posixTest } from '../../../../support/posix.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';
import { timeOf } from '../../../../torture/truth.ts';
import { writeRows } from '../../../../torture/write-rows.ts';

const entry: LedgerEntry = {
  state: 'open',
  queueId: '00112233445566778899aabbccddeeff',
  sequence: 123_456_789_012,
  atMs: 1_795_150_000_000.25,
  walSalt: 0xfedc_ba98,
  sinceMs: 1_795_100_000_000.5,
};

function writeLedger(path: string): void {
  const ledger = new Ledger(path, entry);
  ledger.note({});
  ledger.close();
}

test('gives back what was noted last, for this user alone', () => {
  const path = join(tempFolder(), 'q.db');
  const ledger = new Ledger(path, entry);
  ledger.note({ sequence: 5 });
  ledger.note({ state: 'closed', walSalt: null }, true);
  ledger.close();
  ledger.close();
  expect(readLedger(path)).toEqual({ ...entry, sequence: 5, state: 'closed', walSalt: null });
  expectMode(`${path}.ledger`, 0o600);
});

test('a ledger that a cut or the disk altered says nothing rather than something wrong', () => {
  const path = join(tempFolder(), 'q.db');
  expect(readLedger(path)).toBeNull();
  writeLedger(path);
  const whole = readFileSync(`${path}.ledger`);
  for (let at = 0; at < whole.length; at++) {
    for (const bit of [0, 4, 7]) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] as number) ^ (1 << bit);
      writeFileSync(`${path}.ledger`, bytes);
      expect(readLedger(path)).toBeNull();
    }
  }
  writeFileSync(`${path}.ledger`, whole);
  expect(readLedger(path)).toEqual(entry);
  truncateSync(`${path}.ledger`, whole.length - 1);
  expect(readLedger(path)).toBeNull();
});

test('knows the salt of the write-ahead log while the queue is open, and that there is none once it is closed', () => {
  const path = join(tempFolder(), 'q.db');
  const queue = openQueue(path);
  const { state, walSalt } = readLedger(path) ?? {};
  expect(state).toBe('open');
  expect(walSalt).toBe(readWalSalt(path));
  expect(walSalt).toBeTypeOf('number');
  queue.close();
  expect(readLedger(path)).toMatchObject({ state: 'closed', walSalt: null });
  expect(readWalSalt(path)).toBeNull();
});

test('says nothing where another mark or an unknown state stands, though the sum is right', () => {
  const path = join(tempFolder(), 'q.db');
  writeLedger(path);
  const whole = readFileSync(`${path}.ledger`);
  for (const at of [0, 4]) {
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] as number) + 8;
    bytes.writeUInt32LE(crc32(bytes.subarray(0, bytes.length - 4)), bytes.length - 4);
    writeFileSync(`${path}.ledger`, bytes);
    expect(readLedger(path), `byte ${at}`).toBeNull();
  }
});

test('a ledger that was closed is written no more', () => {
  const path = join(tempFolder(), 'q.db');
  const ledger = new Ledger(path, entry);
  ledger.note({});
  ledger.close();
  ledger.note({ sequence: 99 });
  expect(readLedger(path)).toEqual(entry);
});

test('a ledger from before it knew the earliest reading is read without one', () => {
  const path = join(tempFolder(), 'q.db');
  writeLedger(path);
  const bytes = readFileSync(`${path}.ledger`).subarray(0, 48);
  bytes.writeUInt32LE(0x45504c31, 0);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 44)), 44);
  writeFileSync(`${path}.ledger`, bytes);
  expect(readLedger(path)).toEqual({ ...entry, sinceMs: null });
});

test('keeps the earliest reading that the queue took, over later ones and a new start', async () => {
  const path = join(tempFolder(), 'q.db');
  await writeRows(path, { seed: 1, captures: 5, reserveBytes: 0, wallMs: timeOf(0), onStored: () => {} });
  expect(readLedger(path)?.sinceMs).toBe(timeOf(0));
  rmSync(`${path}.ledger`);
  openQueue(path).close();
  expect(readLedger(path)?.sinceMs).toBe(timeOf(0));
});

test('a write-ahead log that is cut within its head has no salt', () => {
  const path = join(tempFolder(), 'q.db');
  for (const bytes of [0, 20, 31]) {
    writeFileSync(`${path}-wal`, Buffer.alloc(bytes, 7));
    expect(readWalSalt(path)).toBeNull();
  }
  writeFileSync(`${path}-wal`, Buffer.alloc(32, 7));
  expect(readWalSalt(path)).toBe(0x07070707);
});

function expectWrittenAgain(harm: (file: string) => void): void {
  const path = join(tempFolder(), 'q.db');
  const ledger = new Ledger(path, entry);
  ledger.note({ sequence: 5 });
  copyFileSync(`${path}.ledger`, `${path}.ledger.old`);
  ledger.note({ sequence: 6 });
  harm(`${path}.ledger`);
  ledger.keep();
  expect(readLedger(path)).toEqual({ ...entry, sequence: 6 });
  ledger.note({ sequence: 7 });
  expect(readLedger(path)?.sequence).toBe(7);
  ledger.close();
}

test('a ledger that was removed is written again with what was noted last, and goes on from there', () => {
  expectWrittenAgain((file) => rmSync(file));
});

// Windows lets no file take the place of one that is open.
posixTest('a ledger that was replaced by an older copy is written again, too', () => {
  expectWrittenAgain((file) => renameSync(`${file}.old`, file));
});

test('a ledger that is in its place is not written again', () => {
  const path = join(tempFolder(), 'q.db');
  const ledger = new Ledger(path, entry);
  ledger.keep();
  expect(readFileSync(`${path}.ledger`)).toHaveLength(0);
  ledger.close();
});

test('a ledger that cannot be made stops nothing, and is written once there is a place for it', () => {
  const path = join(tempFolder(), 'data', 'q.db');
  const ledger = new Ledger(path, entry);
  ledger.note({ sequence: 5 });
  ledger.keep();
  expect(readLedger(path)).toBeNull();
  mkdirSync(join(path, '..'));
  ledger.keep();
  expect(readLedger(path)).toEqual({ ...entry, sequence: 5 });
  ledger.close();
});

posixTest('a ledger that cannot be looked at stops nothing, and is written once it can', () => {
  const path = join(tempFolder(), 'q.db');
  const ledger = new Ledger(path, entry);
  ledger.note({ sequence: 5 });
  rmSync(`${path}.ledger`);
  // A link to itself: looking fails with another fault than "not there".
  symlinkSync('q.db.ledger', `${path}.ledger`);
  ledger.keep();
  rmSync(`${path}.ledger`);
  ledger.keep();
  expect(readLedger(path)).toEqual({ ...entry, sequence: 5 });
  ledger.close();
});

test.skipIf(process.platform !== 'linux')(
  'holds one file open, another one only in its place, and none once it is closed',
  () => {
    const path = join(tempFolder(), 'q.db');
    const open = () =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).startsWith(path);
        } catch {
          // Closed since it was listed: the list itself was one of them.
          return false;
        }
      }).length;
    const ledger = new Ledger(path, entry);
    expect(open()).toBe(1);
    rmSync(`${path}.ledger`);
    ledger.keep();
    expect(open()).toBe(1);
    ledger.close();
    expect(open()).toBe(0);
    writeFileSync(`${path}-wal`, Buffer.alloc(32));
    expect(readWalSalt(path)).toBe(0);
    expect(open()).toBe(0);
  },
);
