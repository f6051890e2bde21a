import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diskFiles, type OpenFile } from '../../../src-main/platform/files.ts';
import { readRange } from '../../../src-main/platform/read-range.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test.each([
  [2, 4, '2345'],
  [8, 4, '89'],
  [20, 4, ''],
])('%i, %i bytes: what is there, also of a share that gives less at a time', (at, bytes, text) => {
  const path = join(tempFolder(), 'log.csv');
  writeFileSync(path, '0123456789');
  const file = diskFiles.open(path);
  const slow: Pick<OpenFile, 'read'> = {
    read: (into, offset, length, position) => file.read(into, offset, Math.min(1, length), position),
  };
  expect(Buffer.from(readRange(file, at, bytes)).toString()).toBe(text);
  expect(Buffer.from(readRange(slow, at, bytes)).toString()).toBe(text);
  file.close();
});
