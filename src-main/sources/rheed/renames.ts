// Follows a recording to another name. A camera program gives a movie its name when it is done, a logger puts its log aside
// and begins a new one: it is the same file, and what was counted of it is not counted again.
//
// A file is its inode: where the disk gives none (0) it is never taken for another, and one that is shorter than what was
// read of it is another file in its place. At most `max` files are kept whose place was taken.
import { join } from 'node:path';
import { type FileFacts, look } from './walk.ts';

/** A file that is read as it grows. */
export interface FollowedFile {
  /** Where it lies now, below the folder. */
  path: string;
  readonly inode: number;
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
   * **Takes**: the name, what is there, and the files that are followed. **Gives**: one of these, or one whose place was
   * taken, which is then followed again by the caller alone; its path is the new one. Null: it is none of them, or it still
   * has its former name as well.
   */
  async find(path: string, { inode, sizeBytes }: FileFacts, followed: readonly File[]): Promise<File | null> {
    const isSame = (file: File) => inode !== 0 && file.inode === inode && sizeBytes >= this.#options.readBytes(file);
    const displaced = this.#displaced.find(isSame);
    const former = displaced ?? followed.find(isSame);
    if (!former) return null;
    if (displaced) this.#displaced = this.#displaced.filter((one) => one !== displaced);
    else if ((await look(join(this.#options.folder, former.path)))?.inode === inode) return null;
    former.path = path;
    return former;
  }
}
