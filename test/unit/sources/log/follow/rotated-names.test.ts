// Files that have a name as a rotation gives it beside their log: when they are that log, and when they are things of their own.
import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openLogSource } from '../../../../../src-main/sources/log/log-source.ts';
import { LogReader } from '../../../../support/logs/log-reader.ts';
import { MemorySink, runToEnd } from '../../../../support/logs/log-sink.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const START_S = 1_790_000_000;
const HEADER = 'time,pressure,T (K)\n';
const rows = (fromS: number, count: number) =>
  Array.from({ length: count }, (_, n) => `${START_S + fromS + n},${fromS + n},300\n`).join('');

async function drain(files: Readonly<Record<string, string>>): Promise<MemorySink> {
  const folder = tempFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const sink = new MemorySink();
  const log = { id: 'log', path: folder, match: '*', dialect: 'auto', timeZone: 'UTC', backfill: 'all' } as const;
  await runToEnd(openLogSource({ ...log, isDrain: true }), sink);
  return sink;
}

const readers: LogReader[] = [];
afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.kill();
});

describe('a file that ends before its log begins', () => {
  test.each([
    ...['log.csv-20260921', 'log-20260921.csv', 'log-20260921-17.csv', 'log.1.csv', 'log_2.csv', 'log_old.csv'],
    ...['log.csv-2026092117.backup', 'log.csv.backup', 'log.1.bak.csv'],
  ])('continues its channels: %s', async (rotated) => {
    const sink = await drain({ [rotated]: HEADER + rows(0, 3), 'log.csv': HEADER + rows(100, 3) });
    expect(sink.channels).toEqual(['T', 'pressure']);
    expect(sink.values('pressure')).toEqual([0, 1, 2, 100, 101, 102]);
  });

  test('and so do all of a chain, from the oldest on', async () => {
    const [old, middle, last] = [0, 50, 100].map((fromS) => HEADER + rows(fromS, 2));
    const files = { 'log-20260920.csv': old ?? '', 'log-20260921.csv': middle ?? '', 'log.csv': last ?? '' };
    const sink = await drain(files);
    expect(sink.values('pressure')).toEqual([0, 1, 50, 51, 100, 101]);
  });

  test('and so does each of two rotations between two looks, behind others before', async () => {
    const folder = tempFolder();
    const log = join(folder, 'log.csv');
    const reader = new LogReader({ path: folder, match: '*' });
    readers.push(reader);
    writeFileSync(log, HEADER + rows(0, 3));
    await reader.look();
    renameSync(log, `${log}-20260921-01`);
    writeFileSync(log, HEADER + rows(10, 1));
    await reader.look();
    for (const hour of [2, 3]) {
      renameSync(log, `${log}-20260921-0${hour}`);
      writeFileSync(log, HEADER + rows(hour * 10, 1));
    }
    for (let looks = 0; looks < 4; looks++) await reader.look();
    expect(reader.sink.channels).toEqual(['T', 'pressure']);
    expect(reader.sink.values('pressure')).toEqual([0, 1, 2, 10, 20, 30]);
  });

  test('is read at once where the log was rotated away twice between two looks', async () => {
    const folder = tempFolder();
    const log = join(folder, 'log.csv');
    writeFileSync(log, HEADER + rows(0, 3));
    const reader = new LogReader({ path: folder, match: '*.csv' });
    readers.push(reader);
    await reader.look();
    await reader.kill();
    for (const [fromS, to] of [
      [10, 'log-20260921-17.csv'],
      [20, 'log-20260921-20.csv'],
    ] as const) {
      writeFileSync(log, HEADER + rows(fromS, 1));
      renameSync(log, join(folder, to));
    }
    await reader.look();
    writeFileSync(log, HEADER + rows(30, 3));
    await reader.look();
    appendFileSync(log, rows(33, 1));
    await reader.look();
    expect(reader.sink.channels).toEqual(['T', 'pressure']);
    expect(reader.sink.values('pressure')).toEqual([0, 1, 2, 10, 20, 30, 31, 32, 33]);
  });
});

describe('a file that is no rotation of its neighbour', () => {
  test.each([
    ['it was written beside it', 'Cell1.csv', HEADER + rows(2, 3)],
    ['it began after it', 'Cell_2.csv', HEADER + rows(100, 3)],
    ['it has another unit', 'Cell1.csv', HEADER.replace('K', '°C') + rows(-50, 3)],
    ['it has other columns', 'Cell1.csv', `time,pressure\n${START_S - 50},1\n`],
  ])('has channels of its own: %s', async (_, name, text) => {
    const sink = await drain({ 'Cell.csv': HEADER + rows(0, 4), [name]: text });
    expect(sink.channels.filter((channel) => channel.startsWith('pressure'))).toHaveLength(2);
  });
});
