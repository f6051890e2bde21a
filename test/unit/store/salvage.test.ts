import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openQueue } from '../../../src-main/store/queue.ts';
import { completeSwap, salvageQueue } from '../../../src-main/store/salvage.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const FIXTURE = join(import.meta.dirname, '../../fixtures/queue/queue-v1.db');
const damage = { why: 'test', hasForeignWal: false };
const NOW = Date.UTC(2026, 10, 21);

function queueFile(): { folder: string; path: string } {
  const folder = tempFolder();
  const path = join(folder, 'queue.db');
  copyFileSync(FIXTURE, path);
  return { folder, path };
}

/** Waiting points of a stream, by index and channel, as they would go out. */
function waiting(path: string): string[] {
  const queue = openQueue(path, { reserveBytes: 0 });
  const out: string[] = [];
  for (const { id } of queue.uploadStreams()) {
    for (let chunk = queue.nextChunk(id); chunk; chunk = queue.nextChunk(id)) {
      out.push(`${id} ${chunk.index} ${chunk.channels.map((c) => `${c.name}:${[...c.values]}`)}`);
      queue.acknowledge(chunk.id, NOW);
    }
  }
  queue.close();
  return out;
}

test('a sound file comes over whole: every waiting point, open ones as the last chunk of a stream that is then closed', () => {
  const { folder, path } = queueFile();
  const before = readFileSync(path);
  expect(salvageQueue(path, damage, null, NOW)).toMatchObject({
    pointsLost: 0,
    aside: 'queue.db.damaged.20261121T000000000Z',
  });
  expect(readFileSync(join(folder, 'queue.db.damaged.20261121T000000000Z')).equals(before)).toBe(true);
  const queue = openQueue(path, { reserveBytes: 0 });
  expect(queue.tally(5)).toMatchObject({ waitingPoints: 634, streamsTotal: 2 });
  expect(queue.tally(5).streams.map(({ isClosed }) => isClosed)).toEqual([true, true]);
  expect(queue.load().streams).toEqual([]);
  expect(queue.positions('chamber-log')).toEqual(new Map([['f', '125']]));
  expect(queue.listEvents(1)).toMatchObject([
    { code: 'store.salvaged', message: expect.stringContaining('634 points') },
  ]);
  queue.close();
});

test('goes out in the order and numbering that it had', () => {
  const { path } = queueFile();
  const sealedBefore = waiting(queueFile().path);
  salvageQueue(path, damage, null, NOW);
  const after = waiting(path);
  expect(after.slice(0, 8)).toEqual(sealedBefore.slice(0, 8));
  expect(after.length).toBeGreaterThan(sealedBefore.length);
});

test('a chunk that is missing leaves a hole in the numbers, and its time is a gap', () => {
  const { path } = queueFile();
  const raw = new SQLite(path);
  const [lost] = raw
    .prepare("SELECT * FROM chunk WHERE state = 'sealed' AND stream = 2 AND chunk_index = 2 ORDER BY id")
    .all() as {
    id: number;
    rows: number;
    channels: string;
    first_ms: number;
    last_ms: number;
  }[];
  raw.prepare('UPDATE chunk SET data = zeroblob(9) WHERE id = ?').run(lost?.id);
  raw.close();
  const points = (lost?.rows ?? 0) * (JSON.parse(lost?.channels ?? '[]') as number[]).length;
  expect(salvageQueue(path, damage, null, NOW)).toMatchObject({ pointsLost: points });
  const queue = openQueue(path, { reserveBytes: 0 });
  const gaps = queue.listGaps(50).filter(({ cause }) => cause.includes('damaged'));
  expect(gaps.some((gap) => gap.fromMs <= (lost?.first_ms ?? 0) && gap.toMs >= (lost?.last_ms ?? 0))).toBe(true);
  expect(queue.tally(5).waitingPoints).toBe(634 - points);
  queue.close();
});

test('points whose stream and channels are lost still go out, under names that say so', () => {
  const { path } = queueFile();
  const raw = new SQLite(path);
  raw.pragma('foreign_keys = OFF');
  raw.exec('DELETE FROM stream WHERE id = 2; DELETE FROM channel WHERE stream = 2');
  raw.close();
  salvageQueue(path, damage, null, NOW);
  const queue = openQueue(path, { reserveBytes: 0 });
  expect(queue.uploadStream(2)).toMatchObject({
    name: 'recovered stream 2',
    sourceId: 'recovered',
    isClosed: true,
    dataId: null,
  });
  expect(queue.nextChunk(2)?.channels.map(({ name }) => name)).toContain('channel 4');
  queue.close();
});

test.each(['before the first rename', 'after the first rename', 'after the last rename'])(
  'a change of places that was cut off %s is completed at the next start',
  (moment) => {
    const { folder, path } = queueFile();
    const old = readFileSync(path);
    const made = join(tempFolder(), 'queue.db');
    copyFileSync(FIXTURE, made);
    salvageQueue(made, damage, null, NOW);
    copyFileSync(made, `${path}.new`);
    writeFileSync(`${path}.swap`, 'queue.db.damaged.x');
    writeFileSync(`${path}-wal`, '');
    if (moment !== 'before the first rename') renameSync(path, join(folder, 'queue.db.damaged.x'));
    if (moment === 'after the last rename') {
      renameSync(`${path}-wal`, join(folder, 'queue.db.damaged.x-wal'));
      renameSync(`${path}.new`, path);
    }
    completeSwap(path);
    completeSwap(path);
    expect(readFileSync(join(folder, 'queue.db.damaged.x')).equals(old)).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(['queue.db', 'queue.db.damaged.x', 'queue.db.damaged.x-wal']);
    const queue = openQueue(path, { reserveBytes: 0 });
    expect(queue.tally(5).waitingPoints).toBe(634);
    queue.close();
  },
);

test('a new file that was not finished is made again', () => {
  const { folder, path } = queueFile();
  writeFileSync(`${path}.new`, 'half of a new queue');
  salvageQueue(path, damage, null, NOW);
  expect(existsSync(`${path}.new`)).toBe(false);
  expect(readdirSync(folder).filter((name) => name.endsWith('.reading'))).toEqual([]);
  rmSync(folder, { recursive: true });
});
