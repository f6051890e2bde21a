// A queue whose path leads elsewhere while it is open: what is captured is kept, and nothing is given away to be sent.
//
// On Windows nobody can remove, rename or replace a database that SQLite has open, its log, or a folder above it: SQLite opens
// them without the share mode that allows it. What remains there is the ledger.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync as readFile,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openQueue, type Queue } from '../../../../src-main/queue/store/queue.ts';
import { posixTest } from '../../../support/posix.ts';
import {
  askFile,
  chunkOf,
  emptyCommit,
  GA,
  IN,
  openSmallQueue,
  standingValues,
} from '../../../support/rigs/small-queue.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const first = [0, 1].map((index) => chunkOf(index, [GA, IN]));
const later = chunkOf(2, [GA, IN]);

/** A queue of two chunks in a folder of its own that can be removed. */
function rig() {
  const path = join(tempFolder('place'), 'data', 'queue.db');
  const made = openSmallQueue(first);
  made.queue.close();
  mkdirSync(dirname(path));
  renameSync(made.path, path);
  const queue = openQueue(path, { reserveBytes: 0 });
  onTestFinished(() => {
    try {
      queue.close();
    } catch {
      // A queue that cannot be saved says so at its end; who tests that closes it himself.
    }
  });
  const counts = { rowsRead: 2, points: 4, refused: 0, lastReadingMs: null, pointsPerChunk: null, closedMs: null };
  const capture = (sequence = 2) =>
    queue.commit({
      ...{ ...emptyCommit, sequence, chunks: [{ ...later, index: sequence }], changes: [{ id: 1, ...counts }] },
    });
  return { queue, path, folder: dirname(path), capture };
}

/** What the file at the path holds, read as the next start reads it. */
function chunksAt(path: string): { chunks: number; events: string[]; gaps: number } {
  const queue = openQueue(path, { reserveBytes: 0 });
  const events = queue.listEvents(9).map(({ code }) => code);
  const gaps = queue.listGaps(9).length;
  queue.close();
  return { chunks: askFile(path, 'SELECT count(*) FROM chunk') as number, events, gaps };
}

const awayCode = (queue: Queue) => queue.look().away?.code ?? null;

test('stays silent while all is in its place', () => {
  const { queue } = rig();
  expect(queue.look()).toEqual({ away: null, notices: [] });
});

posixTest.each(['the whole folder', 'the file alone', 'the file and its log'])(
  '%s is removed: it is put back whole, and told once',
  (what) => {
    const { queue, path, folder, capture } = rig();
    capture(2);
    if (what === 'the whole folder') rmSync(folder, { recursive: true });
    else rmSync(path);
    if (what === 'the file and its log') rmSync(`${path}-wal`);
    capture(3);
    expect(queue.look()).toMatchObject({ away: null, notices: [{ code: 'store.put-back' }] });
    expect(queue.look()).toEqual({ away: null, notices: [] });
    capture(4);
    expect(queue.nextChunk(1)).toMatchObject({ index: 0 });
    queue.close();
    expect(chunksAt(path)).toEqual({ chunks: 5, events: [], gaps: 0 });
    expect(readdirSync(folder).sort()).toEqual(['queue.db', 'queue.db.ledger']);
  },
);

posixTest('what was put back is the queue of a process that is killed afterwards', () => {
  const { queue, path, folder, capture } = rig();
  rmSync(folder, { recursive: true });
  queue.look();
  capture();
  // As a kill leaves it: the files as they are, the handles gone.
  const copy = join(tempFolder('killed'), 'queue.db');
  for (const end of ['', '-wal', '.ledger']) writeFileSync(copy + end, readFile(path + end));
  expect(chunksAt(copy)).toEqual({ chunks: 3, events: ['queue.cut-off'], gaps: 0 });
});

posixTest('nothing is given to be sent from a file that nobody would find again', () => {
  const { queue, path, folder } = rig();
  renameSync(folder, `${folder}.old`);
  expect(() => queue.nextChunk(1)).toThrow(/moved away/);
  mkdirSync(folder);
  writeFileSync(path, '');
  expect(() => queue.nextChunk(1)).toThrow(/taken the place/);
});

posixTest('a file that is moved away goes on to take what is captured, and all goes on when it is back', () => {
  const { queue, path, folder, capture } = rig();
  renameSync(folder, `${folder}.old`);
  expect(awayCode(queue)).toBe('store.moved');
  capture();
  expect(existsSync(folder)).toBe(false);
  renameSync(`${folder}.old`, folder);
  expect(awayCode(queue)).toBeNull();
  expect(queue.nextChunk(1)).toMatchObject({ index: 0 });
  queue.close();
  expect(chunksAt(path)).toEqual({ chunks: 3, events: [], gaps: 0 });
});

posixTest('a file that was moved away when the agent ended is whole where it is', () => {
  const { queue, folder, capture } = rig();
  renameSync(folder, `${folder}.old`);
  capture();
  queue.close();
  expect(existsSync(folder)).toBe(false);
  expect(chunksAt(join(`${folder}.old`, 'queue.db'))).toMatchObject({ chunks: 3, gaps: 0 });
});

posixTest('another file in its place is not touched, and what the former one held is saved beside it', () => {
  const { queue, path, folder, capture } = rig();
  capture(2);
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  const other = openQueue(path, { reserveBytes: 0 });
  expect(awayCode(queue)).toBe('store.replaced');
  capture(3);
  queue.close();
  other.commit({ ...emptyCommit, sequence: 1 });
  other.close();
  expect(chunksAt(path)).toEqual({ chunks: 0, events: [], gaps: 0 });
  const beside = readdirSync(folder).filter((name) => name.startsWith('queue.db.removed.'));
  expect(beside).toHaveLength(1);
  expect(standingValues(join(folder, beside[0] as string))).toHaveLength(16);
});

posixTest('a write-ahead log that is removed costs nothing: it goes into the file', () => {
  const { queue, path, capture } = rig();
  capture(2);
  rmSync(`${path}-wal`);
  capture(3);
  expect(queue.look()).toMatchObject({ away: null, notices: [{ code: 'store.log-removed' }] });
  capture(4);
  const copy = join(tempFolder('killed'), 'queue.db');
  for (const end of ['', '-wal', '.ledger']) writeFileSync(copy + end, readFile(path + end));
  expect(chunksAt(copy)).toEqual({ chunks: 5, events: ['queue.cut-off'], gaps: 0 });
});

test('a ledger that is removed is written again', () => {
  const { queue, path, capture } = rig();
  rmSync(`${path}.ledger`);
  queue.look();
  capture();
  const copy = join(tempFolder('killed'), 'queue.db');
  for (const end of ['', '.ledger']) writeFileSync(copy + end, readFile(path + end));
  // The log with the last commit is missing: only the ledger knows.
  expect(chunksAt(copy).events).toContain('store.rolled-back');
});

posixTest('what cannot be put back is told, kept, and put back later', () => {
  const { queue, path, folder, capture } = rig();
  rmSync(folder, { recursive: true });
  // Something else has its name: no folder can be made there.
  writeFileSync(folder, '');
  expect(awayCode(queue)).toBe('store.removed');
  capture();
  expect(() => queue.nextChunk(1)).toThrow(/cannot be put back/);
  rmSync(folder);
  expect(queue.look()).toMatchObject({ away: null, notices: [{ code: 'store.put-back' }] });
  queue.close();
  expect(chunksAt(path)).toEqual({ chunks: 3, events: [], gaps: 0 });
});

posixTest('an end at which it cannot be put back is a fault', () => {
  const { queue, folder, capture } = rig();
  rmSync(folder, { recursive: true });
  writeFileSync(folder, '');
  capture();
  expect(awayCode(queue)).toBe('store.removed');
  expect(() => queue.close()).toThrow(/cannot be put back/);
});
