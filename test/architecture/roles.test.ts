// Every folder has its role in one line of the page on architecture, and every folder named there exists.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPage } from '../support/docs.ts';
import { mainRooms } from '../support/run/import-graph-rules.ts';

const top = join(import.meta.dirname, '../..');
const page = readPage('resources/docs/architecture.md').text;

/** First cells of the table of a folder: the names in them that end with a slash. */
function namedIn(folder: string): string[] {
  const [, rows = ''] =
    new RegExp(`\\n\\| \`${folder}/\` \\| role \\|\\n\\|---\\|---\\|\\n((?:\\|.*\\n)+)`).exec(page) ?? [];
  const firstCells = rows.split('\n').map((row) => row.split('|')[1] ?? '');
  return firstCells.flatMap((cell) => [...cell.matchAll(/`([\w/-]+)\/`/g)].map(([, name = '']) => name));
}

/** Folders that hold a file, at whatever depth: an empty one is no part of the repository. */
function foldersIn(folder: string): string[] {
  const below = readdirSync(join(top, folder), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const holdsFile = (name: string) =>
    readdirSync(join(top, folder, name), { withFileTypes: true, recursive: true }).some((entry) => entry.isFile());
  return below.map(({ name }) => name).filter(holdsFile);
}

test('each room of src-main has one role in the page on architecture', () => {
  expect(namedIn('src-main').sort()).toEqual([...mainRooms].sort());
});

test.each(['src-renderer', 'test', 'resources'])('each folder of %s has one role there', (folder) => {
  expect(namedIn(folder).sort()).toEqual(foldersIn(folder).sort());
});
