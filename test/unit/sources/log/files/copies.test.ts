// How a file stands to one that was read: only data repeat data.
import { statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diskFiles } from '../../../../../src-main/platform/files.ts';
import { Copies } from '../../../../../src-main/sources/log/files/copies.ts';
import { takeFingerprint } from '../../../../../src-main/sources/log/files/file-identity.ts';
import { newFile, type WatchedFile } from '../../../../../src-main/sources/log/files/watched-file.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const HEADER = 'time,temperature of the cell\n';
const ROWS = '1790000010,1\n1790000011,2\n';

function readFully(folder: string, path: string): WatchedFile {
  const handle = diskFiles.open(join(folder, path));
  const byte = statSync(join(folder, path)).size;
  const print = takeFingerprint(handle, byte, HEADER.length);
  handle.close();
  if (print === null) throw new Error('It was cut.');
  return { ...newFile(`${path}@1`, path), byte, dataByte: HEADER.length, print };
}

test.each([
  [HEADER + ROWS, 'copy'],
  [HEADER + ROWS.slice(0, 13), 'copy'],
  [`${HEADER + ROWS}1790000012,3\n`, 'longer'],
  [`${HEADER}1790000010,3\n`, 'different'],
  [HEADER, 'different'],
  [HEADER.slice(0, 10), 'different'],
])('a file that holds %j is %s of one that was read', (text, relation) => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'log.csv.1'), HEADER + ROWS);
  writeFileSync(join(folder, 'log.csv'), text);
  const original = readFully(folder, 'log.csv.1');
  const known = { all: new Map([[original.key, original]]), isIntact: () => true };
  const copies = new Copies({ path: folder, files: diskFiles }, known, () => undefined);
  expect(copies.relate({ path: 'log.csv', seen: { id: '' } }, original, { id: '' })).toBe(relation);
});

test('one that was read and does not hold it any more tells nothing', () => {
  const folder = tempFolder();
  for (const name of ['log.csv', 'log.csv.1']) writeFileSync(join(folder, name), HEADER + ROWS);
  const original = readFully(folder, 'log.csv.1');
  truncateSync(join(folder, 'log.csv.1'), HEADER.length);
  const copies = new Copies(
    { path: folder, files: diskFiles },
    { all: new Map(), isIntact: () => true },
    () => undefined,
  );
  expect(copies.relate({ path: 'log.csv', seen: { id: '' } }, original, { id: '' })).toBe('held');
});
