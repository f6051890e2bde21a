// A file that is open, and whether its path still leads to it. A folder can be removed, moved or exchanged under a program
// that runs; its handle goes on to work, on a file that nobody will find again.
//
// Device and inode number are compared: as long as the handle is open, no other file can get the same ones. Windows lets no
// open file be removed or replaced; there the answer is always the same.
//
// Trap: POSIX drops all locks of a process on a file when it closes any handle of it. Who locks through another handle
// closes that one first.
import { type BigIntStats, closeSync, fstatSync, openSync, statSync } from 'node:fs';

/** Where the file is, seen from its path: `moved` has another name elsewhere, `removed` has none, `replaced` is another file. */
export type Place = 'here' | 'moved' | 'removed' | 'replaced';

const identityOf = ({ dev, ino }: BigIntStats) => `${dev}:${ino}`;

export class HeldFile {
  /** Tells the file from every other as long as it is open. */
  readonly identity: string;
  readonly #path: string;
  #handle: number | null;

  /**
   * @param path - the path of a file that exists.
   * @throws those of the file system.
   */
  constructor(path: string) {
    this.#path = path;
    this.#handle = openSync(path, 'r');
    this.identity = identityOf(fstatSync(this.#handle, { bigint: true }));
  }

  /** Look where the file is. A path that cannot be looked at now tells nothing: the file counts as being here. */
  get place(): Place {
    let found: BigIntStats | undefined;
    try {
      found = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
    } catch {
      return 'here';
    }
    if (found) return identityOf(found) === this.identity ? 'here' : 'replaced';
    return this.hasName ? 'moved' : 'removed';
  }

  /** False: no path leads to the file any more, and its content goes with its last handle. */
  get hasName(): boolean {
    return this.#handle !== null && fstatSync(this.#handle, { bigint: true }).nlink > 0n;
  }

  /** Cheap to repeat. */
  close(): void {
    if (this.#handle !== null) closeSync(this.#handle);
    this.#handle = null;
  }
}
