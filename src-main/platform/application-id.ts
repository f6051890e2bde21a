// Which program's file an SQLite database is, read from its first bytes: a connection might change what it opens.
import { closeSync, openSync, readSync } from 'node:fs';

/** Where the header holds it, big-endian. Source: sqlite.org/fileformat.html, 1.3. */
const OFFSET = 68;

/**
 * Read the application id of an SQLite file.
 *
 * @returns the id; 0 where no program has set one; null for a file that is not there, ends before it, or cannot be read now.
 */
export function readApplicationId(path: string): number | null {
  let file: number | null = null;
  try {
    file = openSync(path, 'r');
    const bytes = Buffer.alloc(4);
    return readSync(file, bytes, 0, 4, OFFSET) === 4 ? bytes.readUInt32BE() : null;
  } catch {
    // The one who opens the file next meets the same fault, and reports it.
    return null;
  } finally {
    if (file !== null) closeSync(file);
  }
}
