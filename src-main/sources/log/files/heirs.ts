// Where a file went on that is no longer at its path: under a name that is new, at a path of which nothing is read yet, or
// beside, under a name that the match leaves out (`log.csv.1`). It is known by its content alone, so a file of which no data
// were read goes on nowhere. Invariant: one entry a file, one file an entry. Bound: 1,000 neighbours a folder, those with a
// like name first.
import { basename, dirname, join } from 'node:path';
import { readRange } from '../../../platform/read-range.ts';
import { HEAD_BYTES_MAX, hashBytes, isSameFile } from './file-identity.ts';
import { type Entry, statEntry } from './folder-scan.ts';
import type { GoneFiles } from './gone-files.ts';
import { withoutPacking } from './packed.ts';
import { byFormer, formerPaths, pathIn } from './rotated-names.ts';
import { isCoarse } from './same-tick.ts';
import { birthPath, isProved, type WatchedFile } from './watched-file.ts';
import { type Folder, saysGone, type Unreadable, withFile } from './with-file.ts';

/** Neighbours looked at for one orphan. */
const NEIGHBOURS_MAX = 1000;

/** A file, and the entry in which it goes on. */
export interface Heir {
  readonly file: WatchedFile;
  readonly entry: Entry;
}

export interface Found {
  readonly heirs: readonly Heir[];
  /** Entries that may be files that were searched, and that another program holds: by inode, as a rename keeps it. */
  readonly held: readonly Heir[];
  /** An entry refused to be opened: what is searched may stand in it. */
  readonly isBlind: boolean;
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
  // Of two that hold the same the one that a rotation named.
  const isSame = ({ id }: Entry) => Number(byInode.has(id));
  const born = new Set([...searched].map(birthPath));
  const all = [...candidates];
  const named = new Set(all.filter(({ path }) => formerPaths(path).some((one) => born.has(one))));
  const isNamed = (entry: Entry) => Number(named.has(entry));
  const ordered = all.sort((a, b) => isSame(b) - isSame(a) || b.sizeBytes - a.sizeBytes || isNamed(b) - isNamed(a));
  const taken = new Set<WatchedFile>();
  let isBlind = false;
  for (const entry of ordered) {
    const skipped = searched.skippedAt(entry) ?? skippedAs(entry, byInode.get(entry.id));
    const told = searched.hasRead ? fileIn(root, entry, searched, taken) : null;
    const file = told === null || told === 'held' ? (skipped ?? told) : told;
    if (file === 'gone') return { heirs: [], held: [], isBlind, isTorn: true };
    if (file === 'held') {
      isBlind = true;
      const renamed = byInode.get(entry.id);
      if (renamed === undefined || taken.has(renamed)) continue;
      held.push({ file: renamed, entry });
      taken.add(renamed);
    } else if (file !== null && !taken.has(file)) {
      taken.add(file);
      heirs.push({ file, entry });
    }
  }
  return { heirs, held, isBlind, isTorn: false };
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
    // Where times are whole seconds a number that was given again looks like the one before.
    const isSame = ({ seen }: WatchedFile) => Number(seen?.id === entry.id && !isCoarse(entry));
    alike.sort((a, b) => isSame(b) - isSame(a) || b.byte - a.byte);
    for (const file of alike) if (isSameFile(handle, file.byte, file.print)) return file;
    return null;
  });
}

/** A compressed file, and the path that it had before. */
export interface Packed {
  readonly path: string;
  readonly plain: string;
}

/** The entries beside files, each folder listed once. */
export class Neighbours {
  readonly #root: Folder;
  readonly #folders = new Map<string, readonly string[]>();
  /** By folder and how a name begins, the names that are looked at first. */
  readonly #nearest = new Map<string, readonly string[]>();
  /** By folder, its compressed files and the paths that they had. */
  readonly #packed = new Map<string, readonly Packed[]>();
  /** By folder and by the path that it had, what a rotation may have made of it. */
  readonly #rotated = new Map<string, ReadonlyMap<string, readonly string[]>>();
  readonly #entries = new Map<string, Entry | null>();
  /** Files that are there and refuse to be looked at: what may stand in them is not told. */
  readonly hidden = new Set<string>();
  /** A folder could not be listed: that nothing was found in it says nothing. */
  isTorn = false;

  constructor(root: Folder) {
    this.#root = root;
  }

  /**
   * List what stands beside a file. Takes the file, and which paths are known and so no neighbours.
   *
   * @returns entries that could hold it.
   */
  of({ path, byte }: Pick<WatchedFile, 'path' | 'byte'>, isKnown: (path: string) => boolean): Entry[] {
    const [folder, stem] = [dirname(path), basename(path).slice(0, 3)];
    const known = this.#nearest.get(pathIn(folder, stem));
    const isLike = (name: string) => Number(name.startsWith(stem));
    const names = known ?? [...this.#list(folder)].sort((a, b) => isLike(b) - isLike(a)).slice(0, NEIGHBOURS_MAX);
    this.#nearest.set(pathIn(folder, stem), names);
    const paths = names.map((name) => pathIn(folder, name));
    return this.#holding(byte, paths, isKnown);
  }

  /** List what stands beside a path under names that a rotation of it gives, and holds something; as `of` does. */
  rotatedOf(path: string, isKnown: (path: string) => boolean): Entry[] {
    const folder = dirname(path);
    const known = this.#rotated.get(folder);
    const rotated =
      known ??
      byFormer(
        this.#list(folder).map((name) => pathIn(folder, name)),
        (one) => one,
      );
    this.#rotated.set(folder, rotated);
    return this.#holding(1, rotated.get(path) ?? [], isKnown);
  }

  /** The entries of these paths that hold so many bytes. */
  #holding(bytes: number, paths: readonly string[], isKnown: (path: string) => boolean): Entry[] {
    const found: Entry[] = [];
    for (const path of paths) {
      if (isKnown(path)) continue;
      const entry = this.#entry(path);
      if (entry !== null && entry.sizeBytes >= bytes) found.push(entry);
    }
    return found;
  }

  /** What was looked at. */
  get entries(): Entry[] {
    return [...this.#entries.values()].filter((entry) => entry !== null);
  }

  /** What was listed beside a path, by paths. */
  namesBeside(path: string): readonly string[] {
    const folder = dirname(path);
    return (this.#folders.get(folder) ?? []).map((name) => pathIn(folder, name));
  }

  /** What was compressed beside a path, as far as it was listed. */
  packedBeside(path: string): readonly Packed[] {
    const known = this.#packed.get(dirname(path));
    if (known !== undefined) return known;
    const packed = this.namesBeside(path).flatMap((one) => {
      const plain = withoutPacking(one);
      return plain === null ? [] : [{ path: one, plain }];
    });
    if (this.#folders.has(dirname(path))) this.#packed.set(dirname(path), packed);
    return packed;
  }

  #list(folder: string): readonly string[] {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    // A folder that went with the file has nothing beside it left to look at.
    const names = this.#names(join(this.#root.path, folder));
    this.#folders.set(folder, names);
    return names;
  }

  #names(folder: string): string[] {
    try {
      return this.#root.files.list(folder).map(({ name }) => name);
    } catch (thrown) {
      if (!saysGone(thrown)) this.isTorn = true;
      return [];
    }
  }

  #entry(path: string): Entry | null {
    const known = this.#entries.get(path);
    if (known !== undefined) return known;
    const looked = statEntry(this.#root.files, join(this.#root.path, path), path);
    if (looked === 'held') this.hidden.add(path);
    const entry = looked === 'held' ? null : looked;
    this.#entries.set(path, entry);
    return entry;
  }
}
