// Replaces a file as a whole: a reader, at whatever moment the power goes, finds the old content or the new one.
//
// The new content goes to a temporary file beside the old one, is forced to disk, takes the old one's name in one step,
// and then the folder is forced to disk, since the step itself is an entry of the folder. A writer that is killed leaves
// its temporary file behind; the next one removes what is older than STALE_MS.
import { randomBytes } from 'node:crypto';
import { open, readdir, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { renameWhenFree } from './rename-when-free.ts';

/** Temporary files older than this belong to nobody, milliseconds. */
const STALE_MS = 60_000;

/** The file itself, where the path is a link to it; a link must go on to be one. */
async function resolveLink(path: string): Promise<string> {
  return realpath(path).catch(() => path); // It does not exist yet: the path is the file.
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder to force it; there the file system keeps its entries by its own journal.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function removeStale(folder: string, prefix: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix) || !name.endsWith('.tmp')) continue;
    const path = join(folder, name);
    // Another writer may remove it first, or it may not be ours to remove: it does no harm where it lies.
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (Date.now() - mtimeMs > STALE_MS) await rm(path, { force: true }).catch(() => undefined);
  }
}

/**
 * Replace a file as a whole, with mode 0600. Takes its path (a symbolic link is followed) and the new content.
 *
 * @returns fulfilled once the content is on disk under that name.
 * @throws those of the file system; the former file is then unchanged and the temporary one removed.
 */
export async function writeFileAtomic(path: string, content: string | Uint8Array): Promise<void> {
  const target = await resolveLink(path);
  const folder = dirname(target);
  const prefix = `.${basename(target)}.`;
  const temporary = join(folder, `${prefix}${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.chmod(0o600); // The process's umask may have narrowed it; the mode is a promise.
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await renameWhenFree(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
  await removeStale(folder, prefix);
}
