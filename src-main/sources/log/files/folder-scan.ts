// The truth about a folder: a walk through it. Hints of the operating system only say when to walk.
//
// Bounds: 16 folders deep; folders that begin with a dot are left out. Invariants: a file that
// matches and is not listed was not there, or is named with its reason; a folder that was exchanged meanwhile gives no
// listing.
import { join } from 'node:path';
import { AgentError } from '../../../model/agent-error.ts';
import { compileGlob } from '../../../model/glob.ts';
import { fileFaultOf } from '../../../platform/file-fault.ts';
import type { Files } from '../../../platform/files.ts';
import { isInside } from './is-inside.ts';
import { type Folder, mayBeSame, saysGone, tooManyOpen } from './with-file.ts';

/** Deepest folder below the watched one. */
const DEPTH_MAX = 16;
/** What stands for bytes that are no Unicode. */
const REPLACEMENT = '\uFFFD';

export interface Entry {
  /** Path below the watched folder, with `/`. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  /** Which object it is; empty: the file system does not tell. */
  readonly id: string;
}

/** True where a path shows what it showed before. */
export function isUnchanged(one: Entry, other: Entry): boolean {
  return (
    one.path === other.path &&
    mayBeSame(one.id, other.id) &&
    one.sizeBytes === other.sizeBytes &&
    one.modifiedMs === other.modifiedMs
  );
}

/** Why a link is not followed. */
type LinkFault =
  | 'in a circle'
  | 'to nothing'
  | 'out of the folder'
  | 'to a folder'
  | 'to no file'
  | 'to what cannot be told';

interface RefusedLink {
  readonly path: string;
  /** Where it leads. */
  readonly where: LinkFault;
}

export interface Listing {
  /** Files that match, by path. */
  readonly files: ReadonlyMap<string, Entry>;
  /** Links that were not followed. */
  readonly refusedLinks: readonly RefusedLink[];
  /** Files, and folders with a slash at their end, that are there and refuse to be looked at. */
  readonly hidden: readonly string[];
  /** Files whose name is no Unicode, so that their text does not lead to them. */
  readonly unreadableNames: readonly string[];
  /** The paths that do not match: a rotation may have given one of them to a log. */
  readonly beside: ReadonlySet<string>;
  /** Which folder it was: another disk or share mounted at the path is another one. */
  readonly identity: string;
}

/** True when nothing can be said about a path: it, or a folder above it, refused to be looked at. */
export function isHidden({ hidden }: Pick<Listing, 'hidden'>, path: string): boolean {
  return hidden.some((one) => path === one || (one.endsWith('/') && path.startsWith(one)));
}

/**
 * Make a glob ready.
 *
 * @returns whether a path below the folder (with `/`) matches.
 * @throws `log.match-unusable`; it needs a person.
 */
export function compileMatch(match: string): (path: string) => boolean {
  const glob = compileGlob(match, process.platform === 'win32');
  if (glob.isValid) return glob.matches;
  const { message, hint } = glob;
  throw new AgentError({ code: 'log.match-unusable', message: `${match}: ${message}.`, hint, retry: 'after-human' });
}

/**
 * Walk a folder.
 *
 * @param isMatch - what to keep.
 * @param check - what throws where it may not be believed.
 * @returns every file that matches. Links are followed only to places inside the folder. What vanishes during the walk is left
 *   out; what is there and refuses to be looked at is named.
 * @throws `log.folder-missing` when the folder cannot be listed, or went away during the walk (try later: shares come back);
 *   `log.folder-closed` when it may not be read; `log.too-many-open-files` (later).
 */
export function scanFolder(
  { path: root, files: port }: Folder,
  isMatch: (path: string) => boolean,
  check: (found: Listing) => void = () => undefined,
): Listing {
  const files = new Map<string, Entry>();
  const refusedLinks: RefusedLink[] = [];
  const hidden: string[] = [];
  const unreadableNames: string[] = [];
  const beside = new Set<string>();
  let identity: string;
  try {
    identity = identityOf(port, root);
    walk(root, '', 0);
    // Files that seem to be gone may have gone with the share, while it was being walked through.
    if (identityOf(port, root) !== identity) throw Object.assign(new Error('exchanged'), { code: 'ESTALE' });
  } catch (cause) {
    throw tooManyOpen(cause, `The folder ${root}`) ?? folderMissing(root, cause);
  }
  const found = { files, refusedLinks, hidden, unreadableNames, beside, identity };
  check(found);
  return found;

  function walk(folder: string, below: string, depth: number): void {
    const entries = [...port.list(folder)];
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    const folders: string[] = [];
    const plain: { readonly name: string }[] = [];
    for (const entry of entries) {
      const path = below + entry.name;
      if (!isMatch(path)) beside.add(path);
      if (entry.kind === 'folder') folders.push(entry.name);
      else if (entry.kind === 'file' && isMatch(path)) plain.push(entry);
      else if (entry.kind === 'link' && isMatch(path)) {
        const where = faultOfLink(join(folder, entry.name));
        if (where === null) plain.push(entry);
        else refusedLinks.push({ path, where });
      }
    }
    for (const { name } of plain) {
      const path = below + name;
      const entry = statEntry(port, join(folder, name), path);
      if (entry === 'held') hidden.push(path);
      else if (entry !== null) files.set(entry.path, entry);
      else if (path.includes(REPLACEMENT)) unreadableNames.push(path);
    }
    for (const name of folders) {
      if (depth >= DEPTH_MAX || name.startsWith('.')) continue;
      try {
        walk(join(folder, name), `${below}${name}/`, depth + 1);
      } catch (error) {
        // A folder that was removed during the walk, or that does not answer now; the next walk tells again.
        if (tooManyOpen(error, '') !== null) throw error;
        if (!saysGone(error)) hidden.push(`${below}${name}/`);
      }
    }
  }

  function faultOfLink(link: string): LinkFault | null {
    try {
      if (!isInside(port.realPath(root), port.realPath(link))) return 'out of the folder';
      const { kind } = port.facts(link);
      if (kind === 'folder') return 'to a folder';
      return kind === 'file' ? null : 'to no file';
    } catch (error) {
      if ((error as { code?: string }).code === 'ELOOP') return 'in a circle';
      // Or it stands on a drive that resolves no names (RAM disks, some shares), or its target is on a share that is away.
      return saysGone(error) ? 'to nothing' : 'to what cannot be told';
    }
  }
}

/** True when all that two listings show is the same but the numbers of the objects. */
export function areNumbersNew(one: Listing, other: Listing): boolean {
  const shown = ({ files }: Listing) => [...files.values()].map(({ id, ...rest }) => JSON.stringify(rest)).join('\n');
  const numbers = ({ files }: Listing) => [...files.values()].map(({ id }) => id).join('\n');
  return numbers(one) !== numbers(other) && shown(one) === shown(other);
}

function identityOf(files: Files, folder: string): string {
  return files.facts(folder).id;
}

/**
 * Look at one file without opening it.
 *
 * @returns its entry; null when it is not there or not a file; `held` when it is there and refuses, as a file on Windows does
 *   that is about to be deleted.
 * @throws `log.too-many-open-files` (later).
 */
export function statEntry(files: Files, file: string, path: string): Entry | null | 'held' {
  try {
    const { kind, sizeBytes, modifiedMs, id } = files.facts(file);
    return kind === 'file' ? { path, sizeBytes, modifiedMs, id } : null;
  } catch (error) {
    const tooMany = tooManyOpen(error, file);
    if (tooMany !== null) throw tooMany;
    return saysGone(error) ? null : 'held';
  }
}

function folderMissing(root: string, cause: unknown): AgentError {
  const code = (cause as { code?: string }).code ?? '';
  const isClosed = fileFaultOf(cause) === 'closed';
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
