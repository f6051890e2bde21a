// The one way into a file of the folder: open, compare, do something, close. The handle lives for one call, so the tool can
// rename or delete its log at any time, also on Windows.
//
// Invariant: a file that is known is read through its record alone: what opens at its path must be the object that the last
// look found there. Two looks at a path are two moments, and a rename can lie between them.
import { join } from 'node:path';
import { AgentError } from '../../../model/agent-error.ts';
import { fileFaultOf } from '../../../platform/file-fault.ts';
import type { Files, OpenFile } from '../../../platform/files.ts';

/** A watched folder, and how it is reached. */
export interface Folder {
  readonly path: string;
  readonly files: Files;
}

/**
 * The file cannot be read now, or it is not at its path any more. `held`: another program holds it, this user may not read
 * it, or the disk or share fails under it; it is tried again.
 */
export type Unreadable = 'held' | 'gone';

/** True when what failed says that nothing is there. */
export function saysGone(thrown: unknown): boolean {
  return fileFaultOf(thrown) === 'gone';
}

/**
 * Tell what failed because the PC has no handle left for one more open file: neither the folder nor its files have anything
 * to do with it.
 *
 * @param thrown - whatever opening or listing threw.
 * @returns the error that says so (`log.too-many-open-files`, tried again by itself); null for any other.
 */
export function tooManyOpen(thrown: unknown, place: string): AgentError | null {
  if (fileFaultOf(thrown) !== 'too-many-open') return null;
  const { code } = thrown as { code: string };
  return new AgentError({
    code: 'log.too-many-open-files',
    message: `${place} could not be opened: ${code === 'EMFILE' ? 'this program has' : 'this PC has'} as many files open as it may (${code}).`,
    hint: 'The folder and its files are all right, and nothing is lost: Epistream tries again automatically. Close programs, or raise the limit of open files (ulimit -n, LimitNOFILE of the service). If it stays, report it.',
    retry: 'later',
    cause: thrown,
  });
}

function whyUnreadable(thrown: unknown, path: string): Unreadable {
  const fault = fileFaultOf(thrown);
  if (fault === 'gone') return 'gone';
  if (fault === 'closed' || fault === 'held' || fault === 'unreachable') return 'held';
  throw tooManyOpen(thrown, path) ?? thrown;
}

/** False when two numbers of objects differ for certain. */
export function mayBeSame(one: string, other: string): boolean {
  return one === '' || other === '' || one === other;
}

/**
 * Open a file that a look has found, do something, close it.
 *
 * @param file - the file with what the look has seen of it (null: nothing, any object will do).
 * @param use - what to do; it must leave everything as it was when a read fails.
 * @returns what `use` gave, or why the file could not be read: `gone` also when another object is at its path.
 * @throws `log.too-many-open-files` (later); any other is a bug.
 */
export function withFile<T>(
  folder: Folder,
  file: { readonly path: string; readonly seen: { readonly id: string } | null },
  use: (handle: OpenFile) => T,
): T | Unreadable {
  const path = join(folder.path, file.path);
  let handle: OpenFile;
  try {
    handle = folder.files.open(path);
  } catch (thrown) {
    return whyUnreadable(thrown, path);
  }
  try {
    if (file.seen !== null && !mayBeSame(file.seen.id, handle.facts().id)) return 'gone';
    return use(handle);
  } catch (thrown) {
    return whyUnreadable(thrown, path);
  } finally {
    closeQuietly(handle);
  }
}

/** A fault of the disk was met while reading already, and nothing was written: closing has none to report. */
function closeQuietly(handle: OpenFile): void {
  try {
    handle.close();
  } catch {}
}
