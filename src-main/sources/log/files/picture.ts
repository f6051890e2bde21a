// One picture of a folder: all names, and what a look at each file that matches shows. What stands beside these, under names that
// the match leaves out, is looked at when it is asked for, each once. Where two pictures show the same, the folder stood still in
// between: only then is what a look concludes true.
//
// Bound: 1,000 neighbours of a file, those with a like name first.
import { basename, dirname, join } from 'node:path';
import { type Entry, isHidden, type Listing, statEntry } from './folder-scan.ts';
import { withoutPacking } from './packed.ts';
import { byFormer, compareRotated, formerPaths, isRotated } from './rotated-names.ts';
import type { WatchedFile } from './watched-file.ts';
import type { Folder } from './with-file.ts';

/** Neighbours looked at for one file. */
const NEIGHBOURS_MAX = 1000;

export class Picture {
  readonly listing: Listing;
  readonly #folder: Folder;
  /** What was looked at beside the files that match; null: no file, or not there. */
  readonly #beside = new Map<string, Entry | null | 'held'>();
  #byFolder: ReadonlyMap<string, readonly string[]> | null = null;
  #rotated: ReadonlyMap<string, readonly string[]> | null = null;
  /** By how a path begins, the names of its folder that are looked at. */
  readonly #nearest = new Map<string, readonly string[]>();

  constructor(folder: Folder, listing: Listing) {
    this.#folder = folder;
    this.listing = listing;
  }

  /** What a path leads to; null: to no file; `held`: nothing can be said. */
  entry(path: string): Entry | null | 'held' {
    const { files, beside } = this.listing;
    const known = files.get(path) ?? this.#beside.get(path);
    if (known !== undefined) return known;
    if (isHidden(this.listing, path)) return 'held';
    if (!beside.has(path)) return null;
    const entry = statEntry(this.#folder.files, join(this.#folder.path, path), path);
    this.#beside.set(path, entry);
    return entry;
  }

  /** What refused to be looked at. */
  get hidden(): string[] {
    const beside = [...this.#beside].filter(([, entry]) => entry === 'held');
    return [...this.listing.hidden, ...beside.map(([path]) => path)];
  }

  /** Entries beside a file that could hold it. Takes which paths are known and so no neighbours. */
  neighboursOf({ path, byte }: Pick<WatchedFile, 'path' | 'byte'>, isKnown: (path: string) => boolean): Entry[] {
    const begin = path.slice(0, path.length - basename(path).length + 3);
    const known = this.#nearest.get(begin);
    const isLike = (one: string) => Number(one.startsWith(begin));
    const names = known ?? [...this.#namesBeside(path)].sort((a, b) => isLike(b) - isLike(a)).slice(0, NEIGHBOURS_MAX);
    this.#nearest.set(begin, names);
    return this.#holding(byte, names, isKnown);
  }

  /** Entries beside a log under names that a rotation of it gives, and that hold something; as `neighboursOf` does. */
  rotatedOf(log: string, isKnown: (path: string) => boolean): Entry[] {
    this.#rotated ??= byFormer(this.listing.beside, (path) => path);
    return this.#holding(1, this.#rotated.get(log) ?? [], isKnown);
  }

  /** The path of the newest file into which a rotated file of this log was compressed; empty: none. */
  newestPacked(log: string): string {
    const packed = this.#namesBeside(log).flatMap((path) => {
      const plain = withoutPacking(path);
      return plain === log || (plain !== null && isRotated(plain, log)) ? [{ path, plain }] : [];
    });
    return packed.sort((a, b) => compareRotated(a.plain, b.plain)).at(-1)?.path ?? '';
  }

  #namesBeside(path: string): readonly string[] {
    this.#byFolder ??= Map.groupBy([...this.listing.files.keys(), ...this.listing.beside], (one) => dirname(one));
    return this.#byFolder.get(dirname(path)) ?? [];
  }

  /** The entries of these paths that hold so many bytes. */
  #holding(bytes: number, paths: readonly string[], isKnown: (path: string) => boolean): Entry[] {
    return paths.flatMap((path) => {
      const entry = isKnown(path) ? null : this.entry(path);
      return entry === null || entry === 'held' || entry.sizeBytes < bytes ? [] : [entry];
    });
  }

  /**
   * True when a later picture shows the same: the same names lead to the same objects, none of them shorter, and no name came up
   * beside them that a rotation gives.
   *
   * @param isLog - true for a path at which a file was ever found.
   * @param isCopyAwaited - a file under a name that a rotation gives has not grown either: it is being copied there, perhaps.
   */
  isSameAs(later: Picture, isLog: (path: string) => boolean, isCopyAwaited: boolean): boolean {
    const { files, beside, identity, hidden } = this.listing;
    const { listing } = later;
    if (files.size !== listing.files.size || identity !== listing.identity) return false;
    if (hidden.join('\n') !== listing.hidden.join('\n')) return false;
    const isRotatedName = (path: string) => formerPaths(path).some((log) => files.has(log) || isLog(log));
    for (const [path, one] of [...files, ...this.#beside]) {
      const again = later.entry(path);
      if (one === null || one === 'held' || again === null || again === 'held') {
        if (one !== again) return false;
      } else {
        if (again.id !== one.id || again.sizeBytes < one.sizeBytes) return false;
        if (isCopyAwaited && again.sizeBytes > one.sizeBytes && isRotatedName(path)) return false;
      }
    }
    return ![...listing.beside].some((path) => !beside.has(path) && isRotatedName(path));
  }
}

/** True when all that two pictures show is the same but the numbers of the objects. */
export function areNumbersNew({ listing: one }: Picture, { listing: other }: Picture): boolean {
  const shown = ({ files }: Listing) => [...files.values()].map(({ id, ...rest }) => JSON.stringify(rest)).join('\n');
  const numbers = ({ files }: Listing) => [...files.values()].map(({ id }) => id).join('\n');
  return numbers(one) !== numbers(other) && shown(one) === shown(other);
}
