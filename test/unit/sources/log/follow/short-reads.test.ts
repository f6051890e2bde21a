// A share may give less of a file at a time than stands there, and less than a line.
import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diskFiles, type Files } from '../../../../../src-main/platform/files.ts';
import { LogReader } from '../../../../support/logs/log-reader.ts';

/** The files of this PC, at most so many bytes a read. */
const inPieces = (bytes: number): Files => ({
  ...diskFiles,
  isWatchable: false,
  open: (path) => {
    const file = diskFiles.open(path);
    return {
      ...file,
      read: (into, offset, length, position) => file.read(into, offset, Math.min(length, bytes), position),
    };
  },
});

const lines = (from: number, to: number, width: number) =>
  Array.from(
    { length: to - from + 1 },
    (_, n) => `${1_790_000_000 + from + n}.5${`,${from + n}`.repeat(width)}\n`,
  ).join('');

test.each([
  ['lines of 2 KiB', 400, ''],
  ['lines behind one of more than 1 MiB', 1, `${'x'.repeat(1_200_000)}\n`],
])('%s are all read in pieces of 700 bytes', async (_, width, between) => {
  const folder = mkdtempSync(join(tmpdir(), 'epistream-short-reads-'));
  const path = join(folder, 'a.csv');
  const names = Array.from({ length: width }, (_, n) => `v${n}`).join(',');
  writeFileSync(path, `time,${names}\n${lines(1, 20, width)}`);
  const reader = new LogReader({ path: folder, files: inPieces(700) });
  await reader.look();
  appendFileSync(path, `${between}${lines(21, 25, width)}`);
  await reader.look();
  await reader.look();
  expect(reader.sink.values('v0')).toEqual(Array.from({ length: 25 }, (_, n) => n + 1));
  await reader.kill();
});
