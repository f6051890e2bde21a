import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** List the files below a folder, as paths seen from it with slashes, in the order of their characters. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll('\\', '/'))
    .sort();
