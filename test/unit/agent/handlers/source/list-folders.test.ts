import { mkdirSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { expect, test } from 'vitest';
import { listFolders } from '../../../../../src-main/agent/handlers/source/list-folders.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

test('a path in the middle of a name is completed by the folders that begin so', async () => {
  const root = tempFolder('folders');
  for (const name of ['Logs', 'logs-old', 'RHEED', '.hidden']) mkdirSync(join(root, name));
  writeFileSync(join(root, 'log.txt'), '');
  const settings = join(root, 'epistream.yaml');
  const full = (...names: string[]) => names.map((name) => join(root, name));
  expect(await listFolders(`${root}${sep}lo`, settings)).toEqual(full('Logs', 'logs-old'));
  expect(await listFolders(`${root}${sep}`, settings)).toEqual(full('Logs', 'logs-old', 'RHEED'));
  expect(await listFolders(`${root}${sep}.h`, settings)).toEqual(full('.hidden'));
  expect(await listFolders('RH', settings)).toEqual(['RHEED']);
  expect(await listFolders(`${join(root, 'nowhere')}${sep}`, settings)).toEqual([]);
});

test('of very many folders the first thirty are shown', async () => {
  const root = tempFolder('folders');
  for (let at = 0; at < 40; at++) mkdirSync(join(root, `run-${String(at).padStart(2, '0')}`));
  const shown = await listFolders(`${root}${sep}run`, join(root, 'epistream.yaml'));
  expect([shown.length, shown[0], shown[29]]).toEqual([30, join(root, 'run-00'), join(root, 'run-29')]);
});
