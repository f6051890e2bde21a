// Queue files that are damaged, and what has to hold of the queue that is opened in their place.
import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { expect, onTestFinished } from 'vitest';
import { openQueue, type Queue } from '../../../src-main/queue/store/queue.ts';
import { Chance } from '../../simulation/random.ts';
import { judgeQueue, SOURCE } from '../../torture/truth.ts';
import { writeRows } from '../../torture/write-rows.ts';
import { memoryFolder } from '../temp-folder.ts';

const PAGE = 4096;
export const hash = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
export const options = { reserveBytes: 0 };

/** A queue file with rows, closed in order. */
export async function filled(captures = 150): Promise<{ folder: string; path: string; rows: number }> {
  const folder = memoryFolder('damage');
  const path = join(folder, 'queue.db');
  let rows = 0;
  await writeRows(path, { seed: 12, captures, ...options, onStored: (stored) => (rows = stored) });
  return { folder, path, rows };
}

export function overwrite(path: string, offset: number, bytes: Uint8Array): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, offset);
  closeSync(file);
}

export function noise(chance: Chance, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => chance.between(0, 255));
}

export const asides = (folder: string) =>
  readdirSync(folder).filter((name) => /^queue\.db\.damaged\.[0-9TZ]+$/.test(name));

export function open(path: string): Queue {
  const queue = openQueue(path, options);
  onTestFinished(() => queue.close());
  return queue;
}

/** What has to hold after any damage: nothing invented, and a loss is said. */
export function expectHonest(queue: Queue, rows: number): { lost: number } {
  const verdict = judgeQueue(queue, rows);
  const { lost, doubled } = verdict;
  expect(doubled).toBe(0);
  if (lost > 0) {
    expect(queue.listEvents(10).map(({ code }) => code)).toContain('store.salvaged');
    expect(queue.listGaps(10).length).toBeGreaterThan(0);
  }
  return { lost };
}

/**
 * Do something to fresh copies of one queue file.
 *
 * @param count - how often.
 * @param round - what.
 */
export async function rounds(
  count: number,
  round: (path: string, chance: Chance, rows: number) => void,
): Promise<void> {
  const { folder, path, rows } = await filled(60);
  const whole = readFileSync(path);
  for (let seed = 0; seed < count; seed++) {
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    writeFileSync(path, whole);
    round(path, new Chance(seed), rows);
  }
}

const turnBit = (bytes: Buffer, chance: Chance) => {
  const at = chance.between(0, bytes.length - 1);
  bytes[at] = (bytes[at] as number) ^ (1 << chance.between(0, 7));
};

function drain(queue: Queue): void {
  for (const { id } of queue.uploadStreams()) {
    for (let next = queue.nextChunk(id); next; next = queue.nextChunk(id)) queue.acknowledge(next.id, 1);
  }
}

/**
 * Pages are overwritten.
 *
 * @param count - how many files.
 */
export async function overwritePages(count: number): Promise<void> {
  let [all, lost] = [0, 0];
  for (let round = 0; round < count; round++) {
    const { folder, path, rows } = await filled(150);
    const chance = new Chance(1200 + round);
    const pages = statSync(path).size / PAGE;
    for (let i = 0; i < 3; i++) overwrite(path, chance.between(1, pages - 1) * PAGE, noise(chance, PAGE));
    const before = hash(path);
    const queue = open(path);
    all += rows * 3;
    // Where the page was hit that says how far the writer came, nothing is left that the rows could be judged by.
    if (queue.positions(SOURCE).has('row')) lost += expectHonest(queue, rows).lost;
    else expect(queue.listEvents(1)[0]?.code).toBe('store.salvaged');
    const aside = asides(folder);
    if (queue.listEvents(1)[0]?.code === 'store.salvaged') {
      expect(aside).toHaveLength(1);
      expect(hash(join(folder, aside[0] ?? ''))).toBe(before);
    }
    // The new queue is a whole one: it takes and gives.
    queue.close();
    await writeRows(path, { seed: 1, captures: 5, ...options, onStored: () => {} });
  }
  console.log(
    `12: ${all} points, ${lost} in pages that were overwritten, ${(100 * (1 - lost / all)).toFixed(1)} % there`,
  );
  expect(lost).toBeLessThan(all / 2);
}

/**
 * One bit turns over in a point that waits: always found.
 *
 * @param count - how many times.
 */
export async function turnBitsOfPoints(count: number): Promise<void> {
  await rounds(count, (path, chance, rows) => {
    const raw = new SQLite(path);
    const table = chance.happens(0.8) ? 'chunk' : 'open_readings';
    const where = table === 'chunk' ? "state = 'sealed'" : '1';
    const ids = raw.prepare(`SELECT id FROM ${table} WHERE ${where}`).pluck().all() as number[];
    const id = chance.pick(ids);
    const data = raw.prepare(`SELECT data FROM ${table} WHERE id = ?`).pluck().get(id) as Buffer;
    turnBit(data, chance);
    raw.prepare(`UPDATE ${table} SET data = ? WHERE id = ?`).run(data, id);
    raw.close();
    const queue = openQueue(path, options);
    queue.load();
    drain(queue);
    expect(judgeQueue(queue, rows)).toMatchObject({ altered: 0, doubled: 0 });
    expect(queue.listGaps(10)).toHaveLength(1);
    queue.close();
  });
}

/**
 * One bit turns over anywhere in the file.
 *
 * @param count - how many times.
 */
export async function turnBitsAnywhere(count: number): Promise<void> {
  await rounds(count, (path, chance, rows) => {
    const file = readFileSync(path);
    turnBit(file, chance);
    writeFileSync(path, file);
    let queue: Queue;
    try {
      queue = openQueue(path, options);
    } catch (error) {
      expect(error).toMatchObject({ code: expect.stringMatching(/^store\.(foreign|newer)$/) });
      expect(readFileSync(path).equals(file)).toBe(true);
      return;
    }
    queue.load();
    drain(queue);
    expect(judgeQueue(queue, rows).doubled).toBe(0);
    queue.close();
  });
}
