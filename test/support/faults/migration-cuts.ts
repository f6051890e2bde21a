// A process brings a queue forward by two steps, and everything that it writes is recorded. Then disks as a kill or a power cut
// may have left them at any moment are opened: each has one of the versions, whole.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import SQLite, { type Database } from 'better-sqlite3';
import { expect } from 'vitest';
import { laterMigrations } from '../rigs/later-queue.ts';
import { queueFile } from '../rigs/sample-queue.ts';
import { memoryFolder } from '../temp-folder.ts';
import { recordScript } from './fault-shim.ts';
import { cutPower, layOut, type Operation, readOperations } from './power-cut.ts';

const MIGRATOR = join(import.meta.dirname, '../processes/migrate-process.ts');
const TABLES = ['meta', 'channel', 'lane', 'open_readings', 'chunk', 'source_position', 'gap', 'event'];

/** What no step may touch, and what the last one makes. */
function contents(database: Database) {
  const rows = TABLES.map((table) => database.prepare(`SELECT * FROM ${table}`).all());
  return [...rows, database.prepare('SELECT id, name, source, points FROM stream').all()];
}

/** The queue as it lies on the disk before, and what the process does to it. */
async function record(): Promise<{ operations: Operation[]; before: unknown[] }> {
  const { folder, path } = queueFile();
  const content = readFileSync(path);
  const first = new SQLite(path, { readonly: true });
  const before = contents(first);
  first.close();
  const recorded = await recordScript({ match: 'queue.db', folder, log: join(folder, 'record.log') }, MIGRATOR, [path]);
  const of = (type: Operation['type'], data: Buffer): Operation => ({ type, file: 'queue.db', offset: 0, data });
  return { operations: [of('W', content), of('S', Buffer.alloc(0)), ...readOperations(recorded)], before };
}

/**
 * Cut a migration off, and judge what is on the disk.
 *
 * @param states - on how many disks.
 * @returns on how many each version was found, from the first to the last.
 */
export async function cutMigration(states: number, seed: number): Promise<number[]> {
  const { operations, before } = await record();
  const parent = memoryFolder('cut-migration');
  const found = [0, 0, 0];
  for (const state of cutPower(operations, seed, states)) {
    // Before these two the queue does not lie there yet.
    if (state.at < 2) continue;
    const folder = mkdtempSync(join(parent, 'state-'));
    layOut(state, folder);
    const database = new SQLite(join(folder, 'queue.db'));
    try {
      const version = laterMigrations.check(database);
      expect(version, `${state.kind} after ${state.at} operations, seed ${seed}`).toBeGreaterThanOrEqual(
        Math.max(1, state.confirmed),
      );
      expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
      expect(contents(database)).toEqual(before);
      found[version - 1] = (found[version - 1] ?? 0) + 1;
      expect(laterMigrations.migrate(database)).toBe(3);
      expect(contents(database)).toEqual(before);
      expect(database.prepare('SELECT count(*) FROM note').pluck().get()).toBe(2);
    } finally {
      database.close();
      rmSync(folder, { recursive: true });
    }
  }
  return found;
}
