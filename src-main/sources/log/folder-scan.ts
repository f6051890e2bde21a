// The truth about a folder: a walk through it. Hints of the operating system only say when to walk.
import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import picomatch from 'picomatch';
import { AgentError } from '../../model/agent-error.ts';

/** Deepest folder below the watched one. */
const DEPTH_MAX = 16;

export interface Entry {
  /** Path below the watched folder, with `/`. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly inode: number;
}

export interface Listing {
  /** Files that match, by path. */
  readonly files: ReadonlyMap<string, Entry>;
  /** Links that lead out of the folder and were not followed. */
  readonly refusedLinks: readonly string[];
}

/** Compile a glob. **Gives**: whether a path below the folder (with `/`) matches. */
export function compileMatch(match: string): (path: string) => boolean {
  const isMatch = picomatch(match, { dot: false, nocase: process.platform === 'win32' });
  return (path) => isMatch(path);
}

/**
 * Walk a folder.
 *
 * **Takes**: an absolute path and what to keep. **Gives**: every file that matches. Links are followed only to places
 * inside the folder. What vanishes during the walk is left out.
 * **Errors**: `log.folder-missing` when the folder cannot be listed (try later: shares come back).
 */
export async function scanFolder(root: string, isMatch: (path: string) => boolean): Promise<Listing> {
  const files = new Map<string, Entry>();
  const refusedLinks: string[] = [];
  let realRoot: string;
  try {
    realRoot = await realpath(root);
    await walk(root, '', 0);
  } catch (cause) {
    throw folderMissing(root, cause);
  }
  return { files, refusedLinks };

  async function walk(folder: string, below: string, depth: number): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    const folders: string[] = [];
    const plain: Dirent[] = [];
    for (const entry of entries) {
      const path = below + entry.name;
      if (entry.isDirectory()) folders.push(entry.name);
      else if (entry.isFile() && isMatch(path)) plain.push(entry);
      else if (entry.isSymbolicLink() && isMatch(path)) {
        if (await isInside(join(folder, entry.name))) plain.push(entry);
        else refusedLinks.push(path);
      }
    }
    for (let at = 0; at < plain.length; at += 64) {
      const some = plain.slice(at, at + 64);
      const found = await Promise.all(some.map((entry) => statEntry(join(folder, entry.name), below + entry.name)));
      for (const entry of found) if (entry !== null) files.set(entry.path, entry);
    }
    for (const name of folders) {
      if (depth >= DEPTH_MAX || name.startsWith('.')) continue;
      try {
        await walk(join(folder, name), `${below}${name}/`, depth + 1);
      } catch (error) {
        // A folder that was removed or closed to us during the walk; the next walk tells again.
        if (!isGone(error)) throw error;
      }
    }
  }

  async function isInside(link: string): Promise<boolean> {
    try {
      const target = relative(realRoot, await realpath(link));
      return target !== '..' && !target.startsWith(`..${sep}`) && (await stat(link)).isFile();
    } catch {
      // A link to nothing is as good as none.
      return false;
    }
  }
}

/**
 * Look at one file without opening it.
 * **Gives**: its entry; null when it is not there or not a file.
 */
export async function statEntry(file: string, path: string): Promise<Entry | null> {
  try {
    const { size, mtimeMs, ino } = await stat(file).then((info) => {
      if (!info.isFile()) throw Object.assign(new Error('not a file'), { code: 'ENOENT' });
      return info;
    });
    return { path, sizeBytes: size, modifiedMs: mtimeMs, inode: ino };
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

function isGone(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? '';
  return ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EBUSY', 'ELOOP'].includes(code);
}

function folderMissing(root: string, cause: unknown): AgentError {
  const code = (cause as { code?: string }).code ?? '';
  const isClosed = code === 'EACCES' || code === 'EPERM';
  return new AgentError({
    code: isClosed ? 'log.folder-closed' : 'log.folder-missing',
    message: isClosed
      ? `The folder ${root} may not be read.`
      : `The folder ${root} cannot be reached (${code || 'unknown'}).`,
    hint: isClosed
      ? 'Give this user the right to read the folder.'
      : 'Check the path in the settings, and that the drive or network share is there. Reading goes on when it is back.',
    retry: 'later',
    cause,
  });
}
