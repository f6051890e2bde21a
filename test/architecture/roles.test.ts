// Every folder has its role in one line of the README, and every folder named there exists.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const top = join(import.meta.dirname, '../..');
const readme = readFileSync(join(top, 'README.md'), 'utf8');

/** First cells of the table of a folder: the names in them that end with a slash. */
function namedIn(folder: string): string[] {
  const [, rows = ''] =
    new RegExp(`\\n\\| \`${folder}/\` \\| role \\|\\n\\|---\\|---\\|\\n((?:\\|.*\\n)+)`).exec(readme) ?? [];
  const firstCells = rows.split('\n').map((row) => row.split('|')[1] ?? '');
  return firstCells.flatMap((cell) => [...cell.matchAll(/`([\w-]+)\/`/g)].map(([, name = '']) => name));
}

/** Folders that hold a file, at whatever depth: an empty one is no part of the repository. */
function foldersIn(folder: string): string[] {
  const below = readdirSync(join(top, folder), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const holdsFile = (name: string) =>
    readdirSync(join(top, folder, name), { withFileTypes: true, recursive: true }).some((entry) => entry.isFile());
  return below.map(({ name }) => name).filter(holdsFile);
}

test.each(['src-main', 'src-renderer', 'test', 'resources'])(
  'each folder of %s has one role in the README',
  (folder) => {
    expect(namedIn(folder).sort()).toEqual(foldersIn(folder).sort());
  },
);
