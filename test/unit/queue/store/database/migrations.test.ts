import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { checkSchema, migrate } from '../../../../../src-main/queue/store/database/migrations.ts';
import { openQueue } from '../../../../../src-main/queue/store/queue.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const FIXTURES = join(import.meta.dirname, '../../../../fixtures/queue');

/** A copy of a queue that an earlier version of the program left behind. */
function copyOf(fixture: string): string {
  const path = join(tempFolder(), 'queue.db');
  copyFileSync(join(FIXTURES, fixture), path);
  return path;
}

test.each(readdirSync(FIXTURES))('%s of an earlier version comes up with all that it held, and goes on', (fixture) => {
  const path = copyOf(fixture);
  const queue = openQueue(path, { reserveBytes: 0 });
  expect(queue.tally(10)).toMatchObject({ waitingPoints: 634, waitingChunks: 20, streamsTotal: 2 });
  expect(queue.positions('pyrometer')).toEqual(new Map([['f', '250']]));
  expect(queue.listGaps(5)).toMatchObject([{ sourceId: 'pyrometer', cause: 'unplugged' }]);
  expect(queue.readPoints('chamber-log', 'Ga', 0, Number.MAX_VALUE).values).toEqual(
    Float64Array.from({ length: 125 }, (_, i) => i),
  );
  let points = 0;
  for (const { id } of queue.uploadStreams()) {
    for (let chunk = queue.nextChunk(id); chunk; chunk = queue.nextChunk(id)) {
      points += chunk.rows * chunk.channels.length;
      queue.acknowledge(chunk.id, 1);
    }
  }
  const open = queue.load().streams.flatMap(({ lanes }) => lanes.flatMap(({ openReadings }) => openReadings));
  expect(points + open.reduce((sum, { values }) => sum + values.length, 0)).toBe(634);
  queue.close();
});

test('a step is taken once: the second opening changes nothing of the schema', () => {
  const path = copyOf('queue-v1.db');
  openQueue(path, { reserveBytes: 0 }).close();
  const database = new SQLite(path);
  const version = checkSchema(database);
  const before = database.prepare('SELECT * FROM sqlite_schema').all();
  expect(migrate(database)).toBe(version);
  expect(database.prepare('SELECT * FROM sqlite_schema').all()).toEqual(before);
  database.close();
});

test.each([
  ['a table is missing', 'DROP TABLE refusal'],
  ['a table was altered', 'ALTER TABLE gap ADD COLUMN more'],
  ['a trigger was added', 'CREATE TRIGGER t AFTER DELETE ON gap BEGIN SELECT 1; END'],
])('refuses a file in which %s, and does not touch it', (_, sql) => {
  const path = copyOf('queue-v1.db');
  const raw = new SQLite(path);
  raw.exec(sql);
  raw.close();
  const before = readFileSync(path);
  const database = new SQLite(path);
  expect(() => migrate(database)).toThrow(expect.objectContaining({ code: 'store.foreign' }));
  database.close();
  expect(readFileSync(path).equals(before)).toBe(true);
});
