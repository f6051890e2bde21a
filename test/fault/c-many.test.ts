// Fault matrix, rows 58 and 59: many files at once, and many files from before. EPISTREAM_FILES=40000 (row 58) and
// EPISTREAM_OLD_FILES=100000 (row 59) are the sizes of the matrix; the suite takes fewer. Figures are printed, not asserted.
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { LogSourceOptions } from '../../src-main/sources/log/log-source.ts';
import { LogReader } from '../support/log-reader.ts';
import { LogWriter } from '../support/log-writer.ts';
import { tempFolder } from '../support/temp-folder.ts';

const FILES = Number(process.env.EPISTREAM_FILES ?? 4000);
const OLD_FILES = Number(process.env.EPISTREAM_OLD_FILES ?? 5000);

const readers: LogReader[] = [];
afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.kill();
});

function begin(options: Partial<LogSourceOptions> = {}): { writer: LogWriter; reader: LogReader } {
  const folder = tempFolder();
  const reader = new LogReader({ path: folder, match: '**/*.csv', ...options });
  readers.push(reader);
  return { writer: new LogWriter(folder), reader };
}

/** Say what something took; nothing hangs on it. */
async function told<T>(what: string, work: () => Promise<T>): Promise<T> {
  const beganMs = performance.now();
  const result = await work();
  const megabytes = Math.round(process.memoryUsage().rss / 1e6);
  console.log(`${what}: ${((performance.now() - beganMs) / 1000).toFixed(1)} s, process at ${megabytes} MB`);
  return result;
}

describe('row 58', () => {
  test('every file of a burst is found and every line comes once, while the burst lasts and also when no hint comes of it', async () => {
    const { writer, reader } = begin();
    await reader.look();
    const text = 'time,v\n1790000001,#\n1790000002,#.5\n';
    let isWritten = false;
    const burst = told(`${FILES} files written`, () =>
      writer.does({ do: 'burst', folder: 'run', files: FILES, text }),
    ).then(() => {
      isWritten = true;
    });
    while (!isWritten) {
      await reader.look();
      await sleep(500);
    }
    await burst;
    await told('last looks', async () => {
      await reader.look();
      await reader.look();
    });
    const values = reader.sink.values('v');
    expect(values).toHaveLength(2 * FILES);
    expect(new Set(values).size).toBe(2 * FILES);
    expect(reader.sink.refusedCount).toBe(0);
    await reader.kill();
    await told('first look of the next run', () => reader.look());
    expect(reader.sink.values('v')).toHaveLength(2 * FILES);
  });
});

describe('row 59', () => {
  test('old files at the first start are a question and no flood; what is written from then on is read', async () => {
    const { writer, reader } = begin({ backfill: 'ask' });
    await told(`${OLD_FILES} files written`, () =>
      writer.does({ do: 'burst', folder: 'old', files: OLD_FILES, text: 'time,v\n1590000001,#\n1590000002,#' }),
    );
    const old = (n: number) => join('old', `burst-${String(n).padStart(6, '0')}.csv`);
    const timeOf = (n: number) => new Date(Date.UTC(2020, 0, 1) + n * 60_000);
    for (let n = 0; n < OLD_FILES; n++) utimesSync(join(writer.folder, old(n)), timeOf(n), timeOf(n));
    await writer.append('today.csv', 'time,w\n1790000001,1\n');
    await told('first look', () => reader.look());
    expect(reader.sink.rowsRead).toBe(0);
    const question = reader.sink.notes.get('log.backfill-question');
    expect(question?.level).toBe('warning');
    expect(question?.message).toContain(`${(OLD_FILES + 1).toLocaleString('en-US')} files were there before`);
    expect(question?.message).toContain('last changed from 2020-01-01 to 20');
    expect(question?.hint).toContain('from-now');
    const kept = [...reader.sink.kept.values()].reduce((sum, value) => sum + value.length, 0);
    console.log(`${Math.round(kept / (OLD_FILES + 1))} bytes a position`);
    await told('next look', () => reader.look());
    // An old file goes on, another one is begun anew, a third is only touched, and a new one comes.
    await writer.append(old(7), '7\n1790000003,8\n');
    await writer.does({ do: 'rewrite', file: old(8), text: 'time,v\n1790000004,9\n' });
    utimesSync(join(writer.folder, old(9)), new Date(), new Date());
    await writer.append('today.csv', '1790000002,2\n');
    await writer.append('new.csv', 'time,x\n1790000002,3\n');
    await reader.look();
    await reader.look();
    expect(reader.sink.values('w')).toEqual([2]);
    expect(reader.sink.values('x')).toEqual([3]);
    // The line that was half written at the start is whole now.
    expect(reader.sink.values('v')).toEqual(
      [9, 77, 8].sort((a, b) => reader.sink.values('v').indexOf(a) - reader.sink.values('v').indexOf(b)),
    );
    await reader.kill();
    reader.sink.notes.clear();
    await told('first look of the next run', () => reader.look());
    expect(reader.sink.notes.get('log.backfill-question')?.message).toBe(question?.message);
    expect(reader.sink.values('v')).toHaveLength(3);
    await reader.kill();
    reader.use({ backfill: 'from-now' });
    reader.sink.notes.clear();
    await reader.look();
    expect(reader.sink.notes.get('log.backfill-question')?.message).toBe('Settled.');
    await reader.kill();
    reader.use({ backfill: 'ask' });
    reader.sink.notes.clear();
    await reader.look();
    expect(reader.sink.notes.has('log.backfill-question')).toBe(false);
    expect(reader.sink.values('v')).toHaveLength(3);
  });

  test('an old file that was passed over still settles the date order of a new one beside it', async () => {
    const { writer, reader } = begin({ backfill: 'ask' });
    await writer.append('old.csv', 'time,v\n13/06/2025 10:00:00,1\n');
    const old = new Date(Date.UTC(2025, 5, 13));
    utimesSync(join(writer.folder, 'old.csv'), old, old);
    await reader.look();
    await writer.append('new.csv', 'time,v\n11/06/2026 10:00:00,2\n12/06/2026 10:00:00,3\n');
    await reader.look();
    expect(reader.sink.values('v')).toEqual([2, 3]);
  });
});
