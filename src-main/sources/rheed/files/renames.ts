// Follows a recording to another name. A camera program gives a movie its name when it is done, a logger puts its log aside
// and begins a new one: it is the same file, and what was counted of it is not counted again.
//
// A file is its inode: where the disk gives none it is never taken for another, and one that is shorter than what was
// read of it is another file in its place. At most `max` files are kept whose place was taken.
import { join } from 'node:path';
import { type FileFacts, look } from './walk.ts';

/** A file that is read as it grows. */
export interface FollowedFile {
  /** Where it lies now, below the folder. */
  path: string;
  readonly inode: string;
  /** When it was made, Unix milliseconds; null or absent: not known. */
  readonly bornMs?: number | null | undefined;
  /** When it was last changed, Unix milliseconds, as far as is known. */
  readonly modifiedMs: number;
}

/** Name a file as a run of frames, which it stays whatever it is called later. */
export function runOf({ path, inode, bornMs }: Omit<FollowedFile, 'modifiedMs'>): string {
  return `${path} ${inode}${typeof bornMs === 'number' ? Math.floor(bornMs) : ''}`;
}

/** Disks give the inode of a file that was deleted to the next one at once: that one was made later. */
function isSameFile({ inode, bornMs, modifiedMs }: FollowedFile, facts: FileFacts): boolean {
  const isKnown = bornMs !== null && bornMs !== undefined && facts.bornMs !== null;
  const isSame = !isKnown || bornMs === facts.bornMs || modifiedMs === facts.modifiedMs;
  return inode !== '' && inode === facts.inode && isSame;
}

/**
 * Find a file that is done under a new name: one that nobody wrote to since it was last looked at, and that lies no more
 * where it did. It is known under its new name then. Takes the folder, the path below it that has no file known, what is
 * there, and the files that are known by their paths, which is changed.
 *
 * @returns what was known of it; null when it is another file.
 */
export async function takeRenamed<Known extends { readonly inode: string; readonly modifiedMs: number }>(
  folder: string,
  path: string,
  { inode, modifiedMs }: FileFacts,
  known: Map<string, Known>,
): Promise<Known | null> {
  if (inode === '') return null;
  for (const [formerPath, one] of known) {
    if (one.inode !== inode || one.modifiedMs !== modifiedMs || formerPath === path) continue;
    if ((await look(join(folder, formerPath)))?.inode === inode) return null;
    // Generations that move up: what was known at its new place turns up at another one.
    const displaced = known.get(path);
    if (displaced) known.set(formerPath, displaced);
    else known.delete(formerPath);
    known.set(path, one);
    return one;
  }
  return null;
}

export interface RenamesOptions<File extends FollowedFile> {
  /** Folder that the paths are below, absolute. */
  readonly folder: string;
  readonly max: number;
  /** Bytes of a file that were read: it never holds fewer. */
  readonly readBytes: (file: File) => number;
}

export class Renames<File extends FollowedFile> {
  readonly #options: RenamesOptions<File>;
  /** Files in whose place another one lies now: they may turn up under another name. */
  #displaced: File[] = [];

  constructor(options: RenamesOptions<File>) {
    this.#options = options;
  }

  /** Keep how a file stood before another one took its place. */
  displace(file: File): void {
    this.#displaced = [{ ...file }, ...this.#displaced].slice(0, this.#options.max);
  }

  /**
   * Find the file that lies under this name now and had another one before.
   *
   * @param path - the name.
   * @param facts - what is there.
   * @param followed - the files that are followed.
   * @returns one of these, or one whose place was taken, which is then followed again by the caller alone; its path is the new
   *   one. Null: it is none of them, or it still has its former name as well.
   */
  async find(path: string, facts: FileFacts, followed: readonly File[]): Promise<File | null> {
    const { inode, sizeBytes } = facts;
    const isSame = (file: File) => isSameFile(file, facts) && sizeBytes >= this.#options.readBytes(file);
    const displaced = this.#displaced.find(isSame);
    const former = displaced ?? followed.find(isSame);
    if (!former) return null;
    if (displaced) this.#displaced = this.#displaced.filter((one) => one !== displaced);
    else if ((await look(join(this.#options.folder, former.path)))?.inode === inode) return null;
    former.path = path;
    return former;
  }

  /**
   * Follow a file under the name of another one whose place it took. Takes the file that lay there, what lies there now,
   * and the files that are followed, both among them.
   *
   * @returns the files that are followed from then on, without the one that lay there, which is kept as displaced; null: what
   *   lies there is none of them, as far as the disk can tell.
   */
  async takePlace(file: File, facts: FileFacts, followed: readonly File[]): Promise<File[] | null> {
    // Without the time when it was made it may be another one with the number of one that was deleted.
    if (facts.bornMs === null) return null;
    const others = followed.filter((one) => one !== file);
    const moved = await this.find(file.path, facts, others);
    if (!moved) return null;
    this.displace(file);
    return [...others.filter((one) => one !== moved), moved];
  }
}
