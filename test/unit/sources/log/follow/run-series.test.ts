// Files that a tool names by run: when they are one log, and when they are not.
import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type LogSourceOptions, openLogSource } from '../../../../../src-main/sources/log/log-source.ts';
import { LogReader } from '../../../../support/logs/log-reader.ts';
import { MemorySink, runToEnd } from '../../../../support/logs/log-sink.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const START_S = 1_790_000_000;
const HEADER = 'time,pressure,T (K)\n';
const rows = (fromS: number, count: number) =>
  Array.from({ length: count }, (_, n) => `${START_S + fromS + n},${fromS + n},300\n`).join('');

function write(folder: string, name: string, text: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

async function drain(folder: string, options: Partial<LogSourceOptions> = {}, sink = new MemorySink()) {
  const log = { id: 'log', path: folder, match: '**/*', dialect: 'auto', timeZone: 'UTC', backfill: 'all' } as const;
  await runToEnd(openLogSource({ ...log, isDrain: true, ...options }), sink);
  return sink;
}

const readers: LogReader[] = [];
afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.kill();
});

describe('files named by run that follow one another', () => {
  test.each([
    ['A1417_GaN.csv', 'A1418_InN.csv'],
    ['A1418_InN.csv', 'A1417_GaN.csv'],
    ['run7.csv', 'run12.csv'],
    ['log_08.csv', 'log_09.csv'],
    ['A1417/pressure.csv', 'A1418/pressure.csv'],
    ['A1417/A1417_GaN.csv', 'A1418/A1418_InN.csv'],
  ])('continue the same channels: %s, %s', async (one, next) => {
    const folder = tempFolder();
    write(folder, one, HEADER + rows(0, 3));
    write(folder, next, HEADER + rows(100, 3));
    const sink = await drain(folder);
    expect(sink.channels).toEqual(['T', 'pressure']);
    expect(sink.values('pressure')).toEqual([0, 1, 2, 100, 101, 102]);
    expect(sink.notes.get('log.run-continues')?.message).toContain(next);
  });

  test.each([
    ['which overlap', 'A1417_GaN.csv', 'A1418_InN.csv', HEADER + rows(2, 3)],
    ['with another unit', 'A1417_GaN.csv', 'A1418_InN.csv', HEADER.replace('K', '°C') + rows(100, 3)],
    ['with other columns', 'A1417_GaN.csv', 'A1418_InN.csv', `time,pressure\n${START_S + 100},1\n`],
    ['named by things', 'TT-4101.csv', 'TT-4102.csv', HEADER + rows(100, 3)],
    ['named by other things', 'Cell1.csv', 'Cell2.csv', HEADER + rows(100, 3)],
    ['named by many things', 'Cell10.csv', 'Cell11.csv', HEADER + rows(100, 3)],
    ['named without a number', 'chamberA.csv', 'chamberB.csv', HEADER + rows(100, 3)],
    ['whose names begin otherwise', 'A1417_GaN.csv', 'B1418_InN.csv', HEADER + rows(100, 3)],
    ['of another kind', 'A1417_GaN.csv', 'A1418_InN.txt', HEADER + rows(100, 3)],
  ])('have channels of their own: %s', async (_, one, next, text) => {
    const folder = tempFolder();
    write(folder, one, HEADER + rows(0, 4));
    write(folder, next, text);
    const sink = await drain(folder);
    expect(sink.channels.filter((name) => name.startsWith('pressure'))).toHaveLength(2);
    expect(sink.notes.has('log.run-continues')).toBe(false);
  });

  test('have channels of their own where the settings say so', async () => {
    const folder = tempFolder();
    write(folder, 'A1417_GaN.csv', HEADER + rows(0, 3));
    write(folder, 'A1418_InN.csv', HEADER + rows(100, 3));
    const sink = await drain(folder, { runs: 'apart' });
    expect(sink.channels.filter((name) => name.startsWith('pressure'))).toHaveLength(2);
  });

  test('go on over a restart, also with a third', async () => {
    const folder = tempFolder();
    write(folder, 'A1417_GaN.csv', HEADER + rows(0, 3));
    const sink = await drain(folder);
    write(folder, 'A1418_InN.csv', HEADER + rows(100, 3));
    await drain(folder, {}, sink);
    write(folder, 'A1419_AlN.csv', HEADER + rows(200, 3));
    await drain(folder, {}, sink);
    await drain(folder, {}, sink);
    expect(sink.channels).toEqual(['T', 'pressure']);
    expect(sink.values('pressure')).toEqual([0, 1, 2, 100, 101, 102, 200, 201, 202]);
  });
});

describe('a run that begins while the one before may still be written', () => {
  function live(): { folder: string; reader: LogReader } {
    const folder = tempFolder();
    write(folder, 'A1417.csv', HEADER + rows(0, 3));
    const reader = new LogReader({ path: folder, match: '**/*.csv' });
    readers.push(reader);
    return { folder, reader };
  }

  test('waits, and continues once it has gone on alone', async () => {
    const { folder, reader } = live();
    await reader.look();
    write(folder, 'A1418.csv', HEADER + rows(5, 2));
    await reader.look();
    expect(reader.sink.values('pressure')).toEqual([0, 1, 2]);
    appendFileSync(join(folder, 'A1418.csv'), rows(7, 10));
    await reader.look();
    expect(reader.sink.channels).toEqual(['T', 'pressure']);
    expect(reader.sink.values('pressure')).toHaveLength(15);
  });

  test('waits no longer than until another one follows it', async () => {
    const { folder, reader } = live();
    await reader.look();
    write(folder, 'A1418.csv', HEADER + rows(5, 2));
    await reader.look();
    write(folder, 'A1419.csv', HEADER + rows(7, 1));
    await reader.look();
    expect(reader.sink.channels).toEqual(['T', 'pressure']);
    expect(reader.sink.values('pressure')).toEqual([0, 1, 2, 5, 6, 7]);
  });

  test('is read at once where one run has followed another before, also by the next start', async () => {
    const { folder, reader } = live();
    await reader.look();
    write(folder, 'A1418.csv', HEADER + rows(5, 20));
    await reader.look();
    write(folder, 'A1419.csv', HEADER + rows(30, 1));
    await reader.look();
    expect(reader.sink.values('pressure').at(-1)).toBe(30);
    await reader.kill();
    write(folder, 'A1420.csv', HEADER + rows(32, 1));
    await reader.look();
    expect(reader.sink.values('pressure').at(-1)).toBe(32);
    expect(reader.sink.channels).toEqual(['T', 'pressure']);
  });

  test('has channels of its own when the one before goes on', async () => {
    const { folder, reader } = live();
    await reader.look();
    write(folder, 'A1418.csv', HEADER + rows(5, 2));
    await reader.look();
    appendFileSync(join(folder, 'A1417.csv'), rows(3, 10));
    await reader.look();
    await reader.look();
    expect(reader.sink.values('pressure')).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(reader.sink.values('pressure (A1418)')).toEqual([5, 6]);
  });

  test('is an error where both turn out to be written at once after all', async () => {
    const { folder, reader } = live();
    const old = Date.now() / 1000 - 3600;
    utimesSync(join(folder, 'A1417.csv'), old, old);
    await reader.look();
    write(folder, 'A1418.csv', HEADER + rows(5, 2));
    await reader.look();
    expect(reader.sink.values('pressure')).toEqual([0, 1, 2, 5, 6]);
    appendFileSync(join(folder, 'A1417.csv'), rows(3, 10));
    await reader.look();
    expect(reader.sink.notes.get('log.runs-overlap')?.level).toBe('error');
  });
});
