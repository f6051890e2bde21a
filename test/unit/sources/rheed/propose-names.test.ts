import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compileNames } from '../../../../src-main/sources/rheed/files/name-pattern.ts';
import { proposeFor, proposeNames } from '../../../../src-main/sources/rheed/files/propose-names.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test.for<[string, string[], string, string | null]>([
  ['a number', ['rheed_000821.bmp', 'rheed_000822.bmp'], 'rheed_{frame}.bmp', null],
  ['one image', ['rheed_000821.bmp'], 'rheed_{frame}.bmp', null],
  ['a camera and a run', ['cam1_r7_001.tif', 'cam1_r7_002.tif', 'cam1_r8_003.tif'], 'cam1_r*_{frame}.tif', null],
  ['folders below', ['a/1.png', 'b/2.png', 'b/3.png'], '**/{frame}.png', null],
  [
    'a time alone',
    ['image_2026-11-23___03-12-13.123.pgm', 'image_2026-11-23___03-12-13.223.pgm'],
    'image_{time}.pgm',
    'yyyy-MM-dd___HH-mm-ss.SSS',
  ],
  [
    'a time and a number',
    ['20261123_031213_01.bmp', '20261123_031214_02.bmp'],
    '{time}_{frame}.bmp',
    'yyyyMMdd_HHmmss',
  ],
  ['images beside other files', ['log_1.txt', 'log_2.txt', 'log_3.txt', 'a_1.bmp'], 'a_{frame}.bmp', null],
])('%s in the names of images becomes the pattern', ([, names, match, timeFormat]) => {
  const proposed = proposeNames(names);
  expect(proposed).toMatchObject({ match, timeFormat });
  const pattern = compileNames(match, timeFormat);
  expect(names.filter((name) => pattern.read(name) !== null)).toHaveLength(proposed?.files ?? 0);
});

test('names without a number or a time are no pattern', () => {
  expect(proposeNames(['live.bmp', 'dark.bmp'])).toBeNull();
  expect(proposeNames([])).toBeNull();
});

test('a folder proposes for the names that a glob lets through, and says what it lacks', async () => {
  const folder = tempFolder('propose');
  mkdirSync(join(folder, 'run'));
  const { signal } = new AbortController();
  await expect(proposeFor(folder, '', signal)).rejects.toMatchObject({ code: 'rheed.no-names' });
  for (const number of [1, 2, 3]) writeFileSync(join(folder, 'run', `b_${number}.png`), '');
  writeFileSync(join(folder, 'run', 'a_17.bmp'), '');
  expect(await proposeFor(folder, '', signal)).toMatchObject({ match: '**/b_{frame}.png', files: 3 });
  expect(await proposeFor(folder, '*.bmp', signal)).toMatchObject({ match: '**/a_{frame}.bmp', files: 1 });
  await expect(proposeFor(folder, '*.tif', signal)).rejects.toMatchObject({
    message: `There are no files *.tif in ${folder} yet.`,
  });
  await expect(proposeFor(join(folder, 'no'), '', signal)).rejects.toMatchObject({ code: 'rheed.folder-missing' });
});
