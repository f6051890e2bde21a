// A file that was cut while its write-ahead log still tells of all its pages.
import { copyFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { readKeyedRows, readRows } from '../../../../../src-main/queue/store/repair/read-damaged.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const ROWS = 40;

test.each([0, 1000])('gives the rows before the cut, %i bytes into a page, and takes the rest for damage', (bytes) => {
  const folder = tempFolder();
  const [path, cut] = [join(folder, 'whole.db'), join(folder, 'cut.db')];
  const whole = new SQLite(path);
  whole.pragma('journal_mode = WAL');
  whole.exec(
    'CREATE TABLE keyed (key TEXT PRIMARY KEY, value TEXT); CREATE TABLE listed (id INTEGER PRIMARY KEY, value TEXT)',
  );
  for (let n = 1; n <= ROWS; n++) {
    const value = 'x'.repeat(20_000);
    whole.prepare('INSERT INTO keyed VALUES (?, ?)').run(`k${String(n).padStart(2, '0')}`, value);
    whole.prepare('INSERT INTO listed VALUES (?, ?)').run(n, value);
  }
  whole.pragma('wal_checkpoint(TRUNCATE)');
  whole.exec("INSERT INTO keyed VALUES ('last', '')");
  for (const end of ['', '-wal']) copyFileSync(path + end, cut + end);
  whole.close();
  truncateSync(cut, Math.floor(statSync(cut).size / 2 / 4096) * 4096 + bytes);
  const database = new SQLite(cut);
  onTestFinished(() => void database.close());
  const keyed = [...readKeyedRows(database, 'keyed', ['key'])].map(({ key }) => key);
  const listed = [...readRows(database, 'listed', ROWS)].map(({ id }) => Number(id));
  expect(keyed).toContain('k01');
  expect(listed).toContain(1);
  expect(Math.max(keyed.length, listed.length)).toBeLessThan(ROWS);
});
