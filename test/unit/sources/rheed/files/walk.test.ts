import { linkSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { look } from '../../../../../src-main/sources/rheed/files/walk.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

test('a file is known by its number as text, whole, and by its time with fractions', async () => {
  const folder = tempFolder();
  const path = join(folder, 'frame.tif');
  writeFileSync(path, 'x');
  linkSync(path, join(folder, 'again.tif'));
  const facts = await look(path);
  const info = statSync(path, { bigint: true });
  expect(facts).toMatchObject({ inode: info.ino.toString(), sizeBytes: 1, isFolder: false });
  expect(facts?.modifiedMs).toBe(statSync(path).mtimeMs);
  expect(await look(join(folder, 'again.tif'))).toEqual(facts);
});
