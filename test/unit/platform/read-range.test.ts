import { appendFileSync, mkdtempSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { diskFiles } from '../../../src-main/platform/files.ts';
import { readAtOnce, readRange } from '../../../src-main/platform/read-range.ts';

async function openLog(text: string) {
  const path = join(mkdtempSync(join(tmpdir(), 'epistream-at-once-')), 'log.csv');
  writeFileSync(path, text);
  return { path, file: await diskFiles.open(path) };
}

const textAt = async (file: Parameters<typeof readRange>[0], at: number, bytes: number) =>
  Buffer.from(await readRange(file, at, bytes)).toString();

it('a stretch stays as it was when it was read, and the rest of the file is as it is', async () => {
  const { path, file } = await openLog('0123456789');
  const then = await readAtOnce(file, 2, 8);
  truncateSync(path, 0);
  appendFileSync(path, 'abcdefghij');
  expect(await textAt(then, 2, 6)).toBe('234567');
  expect(await textAt(then, 4, 2)).toBe('45');
  expect(await textAt(then, 4, 6)).toBe('efghij');
  expect(await textAt(then, 0, 4)).toBe('abcd');
  await file.close();
});

it('a stretch that the file does not fill ends where the file ended', async () => {
  const { path, file } = await openLog('0123');
  const then = await readAtOnce(file, 2, 8);
  appendFileSync(path, '456789');
  expect(await textAt(then, 2, 6)).toBe('23');
  expect(await textAt(then, 5, 3)).toBe('');
  await file.close();
});

it('a long stretch is read as it is asked for', async () => {
  const { path, file } = await openLog('x'.repeat(100_000));
  const then = await readAtOnce(file, 0, 100_000);
  truncateSync(path, 0);
  appendFileSync(path, 'now');
  expect(await textAt(then, 0, 3)).toBe('now');
  await file.close();
});
