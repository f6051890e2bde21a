// Files that go away and come back: known for a time, and bounded in number.
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { GONE_DAYS, GONE_MAX, GoneFiles } from '../../../../../src-main/sources/log/files/gone-files.ts';
import { newFile } from '../../../../../src-main/sources/log/files/watched-file.ts';
import { LogReader } from '../../../../support/logs/log-reader.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const DAY_MS = 86_400_000;
const readers: LogReader[] = [];
afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.kill();
});

function begin() {
  const folder = join(tempFolder(), 'logs');
  const away = join(folder, '../away');
  mkdirSync(folder);
  mkdirSync(away);
  const reader = new LogReader({ path: folder, match: '*.csv' });
  readers.push(reader);
  const write = (name: string, channel: string, values: number[]) =>
    writeFileSync(
      join(folder, name),
      `time,${channel}\n${values.map((value) => `${1_790_000_000 + value},${value}\n`).join('')}`,
    );
  return { folder, away, reader, write };
}

const keysOf = (reader: LogReader) => [...reader.sink.kept.keys()].filter((key) => !key.startsWith('@')).sort();

describe('the position of a file that has gone', () => {
  test('is kept as long as the file may come back, over restarts; what comes back goes on where it was', async () => {
    const { folder, away, reader, write } = begin();
    write('stay.csv', 's', [1]);
    write('log.csv', 'v', [1, 2, 3]);
    await reader.look();
    renameSync(join(folder, 'log.csv'), join(away, 'log.csv'));
    await reader.look();
    for (let day = 7; day < GONE_DAYS; day += 7) {
      await reader.look(7 * DAY_MS);
      await reader.kill();
      await reader.look();
    }
    expect(keysOf(reader)).toEqual(['log.csv@1', 'stay.csv@1']);
    renameSync(join(away, 'log.csv'), join(folder, 'log.csv'));
    await reader.look();
    await reader.look();
    expect(reader.sink.values('v')).toEqual([1, 2, 3]);
  });

  test('is dropped after that, with the layout that no file has; what comes later is another file', async () => {
    const { folder, away, reader, write } = begin();
    write('stay.csv', 's', [1]);
    write('log.csv', 'v', [1, 2, 3]);
    await reader.look();
    expect([...reader.sink.kept.keys()].filter((key) => key.startsWith('@layout'))).toHaveLength(2);
    renameSync(join(folder, 'log.csv'), join(away, 'log.csv'));
    await reader.look();
    await reader.kill();
    await reader.look((GONE_DAYS + 1) * DAY_MS);
    await reader.look((GONE_DAYS + 1) * DAY_MS);
    expect(keysOf(reader)).toEqual(['stay.csv@1']);
    expect([...reader.sink.kept.keys()].filter((key) => key.startsWith('@layout'))).toHaveLength(1);
    renameSync(join(away, 'log.csv'), join(folder, 'log.csv'));
    await reader.look();
    // Known under a number of its own, so that no receipt takes it for the first one.
    expect(keysOf(reader)).toEqual(['log.csv@2', 'stay.csv@1']);
    await reader.kill();
    await reader.look();
    expect(reader.sink.values('s')).toEqual([1]);
  });

  test('stays as long as a copy of the file is there, which would else be read', async () => {
    const { folder, reader, write } = begin();
    write('log.csv', 'v', [1, 2, 3]);
    await reader.look();
    cpSync(join(folder, 'log.csv'), join(folder, 'copy of log.csv'));
    await reader.look();
    await reader.kill();
    write('other.csv', 'w', [1]);
    await reader.look();
    rmSync(join(folder, 'log.csv'));
    await reader.look();
    await reader.look((GONE_DAYS + 1) * DAY_MS);
    await reader.kill();
    await reader.look();
    await reader.look();
    expect(reader.sink.values('v')).toEqual([1, 2, 3]);
  });

  test('is one of a bounded number: the longest gone is dropped first', () => {
    const gone = new GoneFiles();
    const nowMs = Date.UTC(2026, 10, 20);
    for (let n = 0; n < GONE_MAX + 10; n++) {
      gone.add({ ...newFile(`f${n}@1`, `f${n}`), skip: { bytes: n, modifiedMs: n }, goneMs: nowMs - 1000 });
    }
    const over = gone.expire(nowMs, ({ key }) => key === 'f3@1');
    expect(over.map(({ key }) => key)).toEqual([
      'f0@1',
      'f1@1',
      'f2@1',
      ...[4, 5, 6, 7, 8, 9, 10].map((n) => `f${n}@1`),
    ]);
    expect(gone.size).toBe(GONE_MAX);
    expect(gone.skippedAt({ path: 'f0', sizeBytes: 0, modifiedMs: 0, id: '' })).toBe(null);
    expect(gone.skippedAt({ path: 'f11', sizeBytes: 11, modifiedMs: 11, id: '' })?.key).toBe('f11@1');
  });

  test('counts no time of a clock that is not set', () => {
    const gone = new GoneFiles();
    const file = { ...newFile('a@1', 'a'), goneMs: Date.UTC(2006, 0, 1) };
    gone.add(file);
    expect(gone.expire(Date.UTC(2026, 10, 20), () => false)).toEqual([]);
    expect(file.goneMs).toBe(Date.UTC(2026, 10, 20));
    expect(gone.expire(Date.UTC(2027, 0, 1), () => false)).toEqual([file]);
  });
});
