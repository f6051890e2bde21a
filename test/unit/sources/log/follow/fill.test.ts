// Old data that was skipped first and read later: every line once, whatever was read of the file before.
import { appendFileSync, cpSync, mkdirSync, renameSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { LogSourceOptions } from '../../../../../src-main/sources/log/log-source.ts';
import { LogReader } from '../../../../support/logs/log-reader.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const readers: LogReader[] = [];
afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.kill();
});

const HEADER = 'time,v\n';
const START_S = 1_790_000_000;
/** Lines of a day that fill more than one block. */
const PER_DAY = 100_000;
const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `${START_S + from + i},${from + i}\n`).join('');
const upTo = (last: number, from = 1) => Array.from({ length: last - from + 1 }, (_, i) => from + i);
const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b);

function begin(options: Partial<LogSourceOptions> = {}) {
  const folder = tempFolder();
  const reader = new LogReader({ path: folder, match: '**/*.csv', backfill: 'ask', ...options });
  readers.push(reader);
  const write = (name: string, text: string, agedDays = 0) => {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    appendFileSync(join(folder, name), text);
    const at = new Date(Date.now() - agedDays * 86_400_000);
    utimesSync(join(folder, name), at, at);
  };
  return { folder, reader, write };
}

/** Restart with other settings and look until nothing more comes. */
async function restart(reader: LogReader, options: Partial<LogSourceOptions>, looks = 4): Promise<void> {
  await reader.kill();
  reader.use(options);
  for (let i = 0; i < looks; i++) await reader.look();
}

describe('old data that is asked for later', () => {
  test('is read from files that were taken up at their end, also while they are written to, each line once', async () => {
    const { reader, write } = begin();
    write('log.csv', HEADER + lines(1, 3000));
    write('old.csv', 'time,w\n1590000001,1\n1590000002,2\n', 900);
    await reader.look();
    write('log.csv', lines(3001, 3002));
    await reader.look();
    expect(reader.sink.values('v')).toEqual([3001, 3002]);
    await reader.kill();
    reader.use({ backfill: 'all' });
    await reader.look();
    write('log.csv', lines(3003, 3004));
    for (let i = 0; i < 4; i++) await reader.look();
    expect(sorted(reader.sink.values('v'))).toEqual(upTo(3004));
    expect(reader.sink.values('w')).toEqual([1, 2]);
    const origins = reader.sink.captures.filter(({ rowsRead }) => rowsRead > 0).map(({ origin }) => origin);
    expect(new Set(origins.slice(1))).toEqual(new Set(['backfill', 'live']));
    expect(reader.sink.notes.get('log.backfill')?.message).toBe('All old data that was asked for is read.');
    expect(reader.sink.notes.get('log.backfill-question')?.message ?? 'Settled.').toBe('Settled.');
    // Asked for again: there is nothing left.
    await restart(reader, { backfill: 'all' });
    await restart(reader, { backfill: 'from-now' });
    await restart(reader, { backfill: 'all' });
    expect(sorted(reader.sink.values('v'))).toEqual(upTo(3004));
    expect(reader.sink.values('w')).toEqual([1, 2]);
  });

  test('resumes where it was killed, in the middle of a file, before or after the commit', async () => {
    const { reader, write } = begin();
    for (let day = 1; day <= 3; day++) {
      const first = (day - 1) * PER_DAY;
      write(`log-2026-09-2${day}.csv`, HEADER + lines(first + 1, first + PER_DAY), 50 - day);
    }
    await reader.look();
    await reader.kill();
    reader.use({ backfill: 'all' });
    for (let i = 0; i < 6; i++) {
      await reader.lookAndDie(i % 2 === 0 ? 'before' : 'after');
      await reader.kill();
    }
    const halfWay = reader.sink.values('v').length;
    expect(halfWay, JSON.stringify([...reader.sink.notes.values()])).toBeGreaterThan(0);
    expect(halfWay).toBeLessThan(3 * PER_DAY);
    await restart(reader, {}, 40);
    expect(reader.sink.values('v')).toEqual(upTo(3 * PER_DAY));
  });

  test('from a date on, then from an earlier one, then all: reads only the missing lines each time', async () => {
    const { reader, write } = begin({ timeZone: 'UTC' });
    const day = (date: string, values: number[]) => values.map((value, i) => `${date} 00:00:0${i},${value}\n`).join('');
    const head = 'time,v\n';
    write('a.csv', head + day('2026-08-01', [1, 2]) + day('2026-08-02', [3, 4]) + day('2026-08-03', [5, 6]), 10);
    await reader.look();
    await restart(reader, { backfill: { fromDate: '2026-08-03' } });
    expect(reader.sink.values('v')).toEqual([5, 6]);
    await restart(reader, { backfill: { fromDate: '2026-08-02' } });
    expect(reader.sink.values('v')).toEqual([5, 6, 3, 4]);
    await restart(reader, { backfill: { fromDate: '2026-08-03' } });
    await restart(reader, { backfill: 'all' });
    expect(reader.sink.values('v')).toEqual([5, 6, 3, 4, 1, 2]);
    await restart(reader, { backfill: 'all' });
    expect(reader.sink.rowsRead).toBe(6);
  });

  test('lines that a first start with a date skipped can be asked for later', async () => {
    const { reader, write } = begin({ backfill: { fromDate: '2026-08-02' }, timeZone: 'UTC' });
    const rows = ['2026-08-01 10:00:00,1', '2026-08-01 11:00:00,2', '2026-08-02 10:00:00,3'];
    write('a.csv', `time,v\n${rows.join('\n')}\n`);
    await reader.look();
    expect(reader.sink.values('v')).toEqual([3]);
    await restart(reader, { backfill: 'all' });
    expect(reader.sink.values('v')).toEqual([3, 1, 2]);
  });

  test('does not read copies of files that are read, or asked for too', async () => {
    const { folder, reader, write } = begin();
    write('log.csv', HEADER + lines(1, 50), 30);
    cpSync(join(folder, 'log.csv'), join(folder, 'copy of log.csv'));
    write('copy of log.csv', '', 30);
    write('log (2).csv', HEADER + lines(1, 20), 30);
    await reader.look();
    await restart(reader, { backfill: 'all' });
    expect(sorted(reader.sink.values('v'))).toEqual(upTo(50));
    expect(reader.sink.channels).toEqual(['v']);
  });

  test('times of day go on with the right day in a file taken up after midnight', async () => {
    const { reader, write } = begin({
      dialect: { time: { format: 'HH:mm:ss', start: { from: 'name', format: 'yyyy-MM-dd' } } },
      timeZone: 'UTC',
    });
    const text = '1;2\n'.replace('1;2', '');
    write('2026-09-01.csv', `clock,v\n23:59:58,1\n23:59:59,2\n00:00:01,3\n${text}`);
    await reader.look();
    write('2026-09-01.csv', '00:00:02,4\n');
    await reader.look();
    expect(reader.sink.points('v')).toEqual([{ timeMs: Date.parse('2026-09-02T00:00:02Z'), value: 4 }]);
    await restart(reader, { backfill: 'all' });
    expect(reader.sink.points('v').map(({ timeMs }) => new Date(timeMs).toISOString())).toEqual([
      '2026-09-02T00:00:02.000Z',
      '2026-09-01T23:59:58.000Z',
      '2026-09-01T23:59:59.000Z',
      '2026-09-02T00:00:01.000Z',
    ]);
  });

  test('columns that changed before the agent came are not taken for those of the header', async () => {
    const { reader, write } = begin();
    write('log.csv', 'time,a,b\n1790000001,1,2\ntime,b,a\n1790000002,2,1\n');
    await reader.look();
    write('log.csv', '1790000003,4,3\n');
    await reader.look();
    expect(reader.sink.rowsRead).toBe(0);
    expect(reader.sink.notes.get('log.columns-changed')?.message).toContain('at line 3');
  });

  test('moves with its file, and is not lost with a restart in between', async () => {
    const { folder, reader, write } = begin();
    write('log.csv', HEADER + lines(1, 10));
    await reader.look();
    renameSync(join(folder, 'log.csv'), join(folder, 'log-1.csv'));
    write('log.csv', HEADER + lines(11, 12));
    await reader.look();
    expect(reader.sink.values('v')).toEqual([11, 12]);
    await restart(reader, { backfill: 'all' });
    expect(sorted(reader.sink.values('v'))).toEqual(upTo(12));
  });
});
