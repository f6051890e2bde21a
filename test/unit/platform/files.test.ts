import { appendFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diskFiles } from '../../../src-main/platform/files.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test('a file keeps its id when it grows and when its name changes, and another one in its place has another', async () => {
  const folder = tempFolder();
  const [log, rotated] = [join(folder, 'log.csv'), join(folder, 'log.csv.1')];
  writeFileSync(log, 'a');
  const { id } = diskFiles.facts(log);
  appendFileSync(log, 'b');
  expect(diskFiles.facts(log).id).toBe(id);
  renameSync(log, rotated);
  expect(diskFiles.facts(rotated).id).toBe(id);
  writeFileSync(log, 'a');
  expect(diskFiles.facts(log).id).not.toBe(id);
});

test('the id tells when the file was made, since a number is given again at once', async () => {
  const path = join(tempFolder(), 'log.csv');
  writeFileSync(path, 'a');
  const { dev, ino, birthtimeNs } = statSync(path, { bigint: true });
  expect(diskFiles.facts(path).id).toBe(`${dev}:${ino}:${birthtimeNs}`);
});
