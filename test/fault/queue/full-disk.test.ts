// Part A, rows 5 to 7: the disk is full while capturing, at start, or nearly.
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openQueue, type Queue } from '../../../src-main/queue/store/queue.ts';
import { findMountObstacle, SmallDisk } from '../../support/faults/small-disk.ts';
import { expectSound, SOUND, startWriter } from '../../support/rigs/writer-rig.ts';
import { judgeQueue } from '../../torture/truth.ts';

const obstacle = findMountObstacle();
if (obstacle) console.error(`rows 5 to 7 ${obstacle}`);
/** Acknowledge everything that waits; gives how many chunks went. */
function drain(queue: Queue): number {
  let chunks = 0;
  for (const { id } of queue.uploadStreams()) {
    for (let chunk = queue.nextChunk(id); chunk; chunk = queue.nextChunk(id)) {
      queue.acknowledge(chunk.id, 1);
      chunks += 1;
    }
  }
  return chunks;
}

describe.skipIf(obstacle !== null)('a full disk', () => {
  test('5: refuses captures as "disk full", keeps all that was confirmed, and takes them again once there is room', async () => {
    const disk = new SmallDisk(16);
    const path = join(disk.folder, 'queue.db');
    const process = startWriter({ path, seed: 5 });
    await process.more(200);
    disk.fill();
    await process.until(() => process.words.includes('store.disk-full'));
    expect(new Set(process.words)).toEqual(new Set(['store.disk-full']));
    disk.free();
    await process.until(() => process.words.includes('well'));
    await process.more(100);
    await expectSound(process, path);
  });

  test('5: acknowledges, deletes and gives room back on a disk without a free byte', async () => {
    const disk = new SmallDisk(16);
    const path = join(disk.folder, 'queue.db');
    const process = startWriter({ path, seed: 6, captures: 600 });
    expect(await process.ended).toMatchObject({ code: 0 });
    const queue = openQueue(path);
    onTestFinished(() => queue.close());
    expect(statSync(`${path}.reserve`).size).toBeGreaterThan(1_000_000);
    disk.fill();
    expect(disk.freeBytes).toBe(0);
    const waiting = queue.tally(1).waitingChunks;
    expect(waiting).toBeGreaterThan(100);
    expect(drain(queue)).toBe(waiting);
    expect(queue.room().isReserveKept).toBe(false);
    while (queue.sweep(Number.MAX_VALUE) > 0);
    expect(queue.tally(1)).toMatchObject({ waitingPoints: 0, waitingChunks: 0 });
    disk.free();
    expect(queue.room().isReserveKept).toBe(true);
  });

  test('5: what was delivered gives way to what is captured, and what was not delivered never does', async () => {
    const disk = new SmallDisk(24);
    const path = join(disk.folder, 'queue.db');
    const process = startWriter({ path, seed: 7, captures: 20_000 });
    await process.until(
      () => statSync(path, { throwIfNoEntry: false })?.size !== undefined && process.confirmed > 20_000,
    );
    await process.kill();
    const queue = openQueue(path);
    drain(queue);
    queue.close();
    disk.fill();
    const again = startWriter({ path, seed: 8 }, undefined, process);
    await again.more(500);
    await again.kill();
    const found = openQueue(path);
    onTestFinished(() => found.close());
    expect(judgeQueue(found, again.confirmed)).toMatchObject(SOUND);
    const { streams, waitingPoints } = found.tally(1000);
    expect(streams.reduce((sum, { pointsAcknowledged }) => sum + pointsAcknowledged, 0)).toBeGreaterThan(10_000);
    expect(waitingPoints).toBeGreaterThan(500);
  });

  test('6: opens after a kill on a disk without a free byte, never calls it damage, and delivers what waits', async () => {
    const disk = new SmallDisk(16);
    const path = join(disk.folder, 'queue.db');
    const process = startWriter({ path, seed: 9 });
    await process.more(800);
    await process.kill();
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
    // Memory that SQLite shares between connections is a file, and does not outlive every end of a PC.
    rmSync(`${path}-shm`, { force: true });
    disk.fill();
    expect(disk.freeBytes).toBe(0);
    const queue = openQueue(path);
    expect(judgeQueue(queue, process.confirmed)).toMatchObject(SOUND);
    const waiting = queue.tally(1).waitingChunks;
    expect(drain(queue)).toBe(waiting);
    expect(judgeQueue(queue, process.confirmed)).toMatchObject(SOUND);
    queue.close();
  });

  test('6: a queue that cannot write a byte, not even with its reserve, can still be read', async () => {
    const disk = new SmallDisk(8);
    const path = join(disk.folder, 'queue.db');
    const process = startWriter({ path, seed: 10, reserveBytes: 0 });
    await process.more(400);
    await process.kill();
    disk.fill();
    const queue = openQueue(path, { reserveBytes: 0 });
    expect(judgeQueue(queue, process.confirmed)).toMatchObject(SOUND);
    queue.close();
  });

  test('7: the last of the disk is kept for deliveries: captures are refused while there is still room for these', async () => {
    const disk = new SmallDisk(16);
    const path = join(disk.folder, 'queue.db');
    const process = startWriter({ path, seed: 11 });
    await process.more(100);
    disk.fill(1_000_000);
    await process.until(() => process.words.includes('store.disk-full'));
    await process.kill();
    const queue = openQueue(path);
    const { freeBytes, isReserveKept } = queue.room();
    expect((freeBytes ?? 0) + (isReserveKept ? statSync(`${path}.reserve`).size : 0)).toBeGreaterThan(500_000);
    expect(judgeQueue(queue, process.confirmed)).toMatchObject(SOUND);
    queue.close();
  });
});
