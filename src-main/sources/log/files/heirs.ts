// Where a file went on that is no longer at its path: under a name that is new, at a path of which nothing is read yet, or
// beside, under a name that the match leaves out (`log.csv.1`). It is known by its content alone, so a file of which no data
// were read goes on nowhere. Invariant: one entry a file, one file an entry. Bound: 1,000 neighbours a folder, those with a
// like name first.
import { readRange } from '../../../platform/read-range.ts';
import { HEAD_BYTES_MAX, hashBytes, isSameFile } from './file-identity.ts';
import type { Entry } from './folder-scan.ts';
import type { GoneFiles } from './gone-files.ts';
import { isProved, type WatchedFile } from './watched-file.ts';
import { type Folder, type Unreadable, withFile } from './with-file.ts';

/** A file, and the entry in which it goes on. */
export interface Heir {
  readonly file: WatchedFile;
  readonly entry: Entry;
}

export interface Found {
  readonly heirs: readonly Heir[];
  /** Entries that may be files that were searched, and that another program holds: by inode, as a rename keeps it. */
  readonly held: readonly Heir[];
  /** Paths of entries that refused to be opened: what is searched may stand in them. */
  readonly refused: readonly string[];
  /** An entry led to another object than the look had found: nothing of this holds. */
  readonly isTorn: boolean;
}

/**
 * Search the heirs of files that are not where they were. Takes the folder, what is searched, and the entries in question.
 *
 * @returns for each file at most one entry, for each entry at most one file: of files that begin alike the one with the same
 *   inode, as far as inodes tell, then the one read furthest.
 */
export function findHeirs(root: Folder, searched: GoneFiles, candidates: Iterable<Entry>): Found {
  const heirs: Heir[] = [];
  const held: Heir[] = [];
  const byInode = new Map<string, WatchedFile>();
  for (const file of searched) {
    // A number says something of what was there at the look before: since then it is another one's, perhaps.
    const isTold = file.skip !== null || (file.goneMs === null && isProved(file));
    if (isTold && file.seen !== null && file.seen.id !== '') byInode.set(file.seen.id, file);
  }
  // The same inode first: a rename is more likely than a copy. Then the longest: it may hold what was not read yet.
  const isSame = ({ id }: Entry) => Number(byInode.has(id));
  const ordered = [...candidates].sort((a, b) => isSame(b) - isSame(a) || b.sizeBytes - a.sizeBytes);
  const refused: string[] = [];
  const taken = new Set<WatchedFile>();
  for (const entry of ordered) {
    const skipped = searched.skippedAt(entry) ?? skippedAs(entry, byInode.get(entry.id));
    const told = searched.hasRead ? fileIn(root, entry, searched, taken) : null;
    const file = told === null || told === 'held' ? (skipped ?? told) : told;
    if (file === 'gone') return { heirs: [], held: [], refused, isTorn: true };
    if (file === 'held') {
      refused.push(entry.path);
      const renamed = byInode.get(entry.id);
      if (renamed === undefined || taken.has(renamed)) continue;
      held.push({ file: renamed, entry });
      taken.add(renamed);
    } else if (file !== null && !taken.has(file)) {
      taken.add(file);
      heirs.push({ file, entry });
    }
  }
  return { heirs, held, refused, isTorn: false };
}

/** A file that was skipped, under another name: it has the number, the size and the modification time that it had. */
function skippedAs({ sizeBytes, modifiedMs }: Entry, file: WatchedFile | undefined): WatchedFile | null {
  if (file === undefined || file.copyOf !== null) return null;
  return file.skip?.bytes === sizeBytes && file.skip.modifiedMs === modifiedMs ? file : null;
}

function fileIn(
  root: Folder,
  entry: Entry,
  searched: GoneFiles,
  taken: ReadonlySet<WatchedFile>,
): WatchedFile | null | Unreadable {
  return withFile(root, { path: entry.path, seen: entry }, (handle) => {
    const head = readRange(handle, 0, Math.min(entry.sizeBytes, HEAD_BYTES_MAX));
    const alike = searched.alike(head).filter((file) => {
      const longest = file.print.heads.at(-1);
      return (
        !taken.has(file) &&
        file.byte <= entry.sizeBytes &&
        longest !== undefined &&
        longest[0] <= head.length &&
        hashBytes(head.subarray(0, longest[0])) === longest[1]
      );
    });
    const isSame = ({ seen }: WatchedFile) => Number(seen?.id === entry.id);
    alike.sort((a, b) => isSame(b) - isSame(a) || b.byte - a.byte);
    for (const file of alike) if (isSameFile(handle, file.byte, file.print)) return file;
    return null;
  });
}
