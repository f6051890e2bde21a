// Many files at once, and many files from before. What it takes is printed, not asserted.
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { LogSourceOptions } from '../../../src-main/sources/log/log-source.ts';
import { memoryFolder } from '../temp-folder.ts';
import { LogReader } from './log-reader.ts';
import { LogWriter } from './log-writer.ts';

/** A reader of an empty folder with folders below, and who writes there. */
export function begin(options: Partial<LogSourceOptions> = {}): { writer: LogWriter; reader: LogReader } {
  const folder = memoryFolder('many');
  const writer = new LogWriter(folder);
  const reader = new LogReader({ path: folder, match: '**/*.csv', ...options });
  onTestFinished(() => reader.kill());
  return { writer, reader };
}

/** Say what something took; no result depends on it. */
async function told<T>(what: string, work: () => Promise<T>): Promise<T> {
  const beganMs = performance.now();
  const result = await work();
  const megabytes = Math.round(process.memoryUsage().rss / 1e6);
  console.log(`${what}: ${((performance.now() - beganMs) / 1000).toFixed(1)} s, process at ${megabytes} MB`);
  return result;
}

/**
 * Files come in a burst: each is found, and every line comes once, while the burst lasts too.
 *
 * @param files - how many.
 */
export async function readBurst(files: number): Promise<void> {
  const { writer, reader } = begin();
  await reader.look();
  const text = 'time,v\n1790000001,#\n1790000002,#.5\n';
  let isWritten = false;
  const burst = told(`${files} files written`, () => writer.does({ do: 'burst', folder: 'run', files, text })).then(
    () => {
      isWritten = true;
    },
  );
  while (!isWritten) {
    await reader.look();
    await turn();
  }
  await burst;
  await told('last looks', async () => {
    await reader.look();
    await reader.look();
  });
  const values = reader.sink.values('v');
  expect(values).toHaveLength(2 * files);
  expect(new Set(values).size).toBe(2 * files);
  expect(reader.sink.refusedCount).toBe(0);
  await reader.kill();
  await told('first look of the next run', () => reader.look());
  expect(reader.sink.values('v')).toHaveLength(2 * files);
}

/**
 * Files from before are a question and no flood; what is written from then on is read.
 *
 * @param oldFiles - how many.
 */
export async function passOverOld(oldFiles: number): Promise<void> {
  const { writer, reader } = begin({ backfill: 'ask' });
  await told(`${oldFiles} files written`, () =>
    writer.does({ do: 'burst', folder: 'old', files: oldFiles, text: 'time,v\n1590000001,#\n1590000002,#' }),
  );
  const old = (n: number) => join('old', `burst-${String(n).padStart(6, '0')}.csv`);
  const timeOf = (n: number) => new Date(Date.UTC(2020, 0, 1) + n * 60_000);
  for (let n = 0; n < oldFiles; n++) utimesSync(join(writer.folder, old(n)), timeOf(n), timeOf(n));
  await writer.append('today.csv', 'time,w\n1790000001,1\n');
  await told('first look', () => reader.look());
  expect(reader.sink.rowsRead).toBe(0);
  const question = reader.sink.notes.get('log.backfill-question');
  expect(question?.level).toBe('warning');
  expect(question?.message).toContain(`${(oldFiles + 1).toLocaleString('en-US')} files were there before`);
  expect(question?.message).toContain('last changed from 2020-01-01 to 20');
  expect(question?.hint).toContain('from-now');
  const kept = [...reader.sink.kept.values()].reduce((sum, value) => sum + value.length, 0);
  console.log(`${Math.round(kept / (oldFiles + 1))} bytes a position`);
  await told('next look', () => reader.look());
  // An old file goes on, another one is rewritten, a third is only touched, and a new one comes.
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
}
