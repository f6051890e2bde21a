import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FolderWatch } from '../../../../../src-main/sources/rheed/files/folder-watch.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

test.each([
  ['one handle a folder', false],
  ['one handle on the root, as on Windows', true],
])('%s tells of new files in the folders that are followed, and of no others', async (_, isOneHandle) => {
  const folder = tempFolder();
  for (const name of ['run 1', '.trash']) mkdirSync(join(folder, name));
  const watch = new FolderWatch(folder, isOneHandle);
  onTestFinished(() => watch.close());
  for (const below of ['', 'run 1']) watch.follow(below);
  expect(watch.isWatching).toBe(true);
  const told = new Set<string>();
  let number = 0;
  // Nothing tells when the system has begun to listen, so files are made until it tells of them.
  const hasBoth = () => {
    number += 1;
    for (const name of ['.trash', 'run 1', '.']) writeFileSync(join(folder, name, `${number}.tif`), 'x');
    for (const name of watch.take().names) told.add(name);
    return [...told].some((name) => name.startsWith('run 1/')) && [...told].some((name) => /^\d+\.tif$/.test(name));
  };
  await expect.poll(hasBoth, { timeout: 60_000, interval: 20 }).toBe(true);
  expect([...told].filter((name) => name.startsWith('.trash/'))).toEqual([]);
});
