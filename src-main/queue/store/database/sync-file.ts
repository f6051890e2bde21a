import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Wait until what was written into a file is on the disk. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Wait until the entries of a folder, new, renamed and removed ones, are on the disk. */
export function syncFolder(path: string): void {
  // Windows cannot open a folder to sync it; there the file system keeps its entries by its own journal.
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
