// Files that are no longer where they were, and are still known when they come back: on a share that was away, under
// another name, from a backup. Found by their content; what was never read is found by its place, size and modification time.
//
// Bounds: a file is known for GONE_DAYS after it went; at most GONE_MAX are. Then its position is dropped, and what comes
// back later under its name is read as a new file.
import { goneSince } from './file-changes.ts';
import { HEAD_LENGTHS, hashBytes } from './file-identity.ts';
import type { Entry } from './folder-scan.ts';
import { isProved, type WatchedFile } from './watched-file.ts';

export const GONE_DAYS = 30;
export const GONE_MAX = 100_000;
const DAY_MS = 86_400_000;

/** The longest usual length at which the first bytes of a file were hashed; 0 when it is shorter than all of them. */
function keyLength({ print }: WatchedFile): number {
  return print.heads.findLast(([length]) => HEAD_LENGTHS.includes(length))?.[0] ?? 0;
}

function keyOf(file: WatchedFile): string {
  const length = keyLength(file);
  return `${length} ${print(file, length)}`;
}

const print = (file: WatchedFile, length: number) => file.print.heads.find(([one]) => one === length)?.[1] ?? '';

/** Places of a file that was never opened. */
const placeOf = (path: string, bytes: number, modifiedMs: number) => `${path}\n${bytes}\n${modifiedMs}`;

/** Files that have gone, the longest gone first. */
export class GoneFiles {
  readonly #files = new Set<WatchedFile>();
  readonly #keys = new Set<string>();
  readonly #byHead = new Map<string, Set<WatchedFile>>();
  readonly #byPlace = new Map<string, WatchedFile>();
  /** How many have each key length: other lengths need not be hashed. */
  readonly #lengths = new Map<number, number>();

  get size(): number {
    return this.#files.size;
  }

  [Symbol.iterator](): IterableIterator<WatchedFile> {
    return this.#files.values();
  }

  has(file: WatchedFile): boolean {
    return this.#files.has(file);
  }

  /**
   * Take a file in; it is found by its content once data of it were read, or where it was skipped by place, size and time. A
   * shadow is found so only after its original went, too.
   */
  add(file: WatchedFile): void {
    if (this.#files.has(file)) return;
    this.#files.add(file);
    if (file.skip !== null) this.#byPlace.set(placeOf(file.path, file.skip.bytes, file.skip.modifiedMs), file);
    this.#keys.add(file.key);
    if (!isProved(file) || (file.copyOf !== null && !this.#keys.has(file.copyOf))) return;
    const key = keyOf(file);
    this.#byHead.set(key, (this.#byHead.get(key) ?? new Set()).add(file));
    const length = keyLength(file);
    this.#lengths.set(length, (this.#lengths.get(length) ?? 0) + 1);
  }

  /** The file came back, or is forgotten. Its fingerprint must be as it was when it was taken in. */
  delete(file: WatchedFile): void {
    if (!this.#files.delete(file)) return;
    this.#keys.delete(file.key);
    if (file.skip !== null) this.#byPlace.delete(placeOf(file.path, file.skip.bytes, file.skip.modifiedMs));
    const key = keyOf(file);
    const alike = this.#byHead.get(key);
    if (!alike?.delete(file)) return;
    if (alike.size === 0) this.#byHead.delete(key);
    const length = keyLength(file);
    const left = (this.#lengths.get(length) ?? 1) - 1;
    if (left === 0) this.#lengths.delete(length);
    else this.#lengths.set(length, left);
  }

  /** True when a file that was read is among them: only then the content of others says something. */
  get hasRead(): boolean {
    return this.#lengths.size > 0;
  }

  /** Files whose first bytes are these, as far as their longest usual hash tells. */
  alike(head: Uint8Array): WatchedFile[] {
    const found: WatchedFile[] = [];
    for (const length of this.#lengths.keys()) {
      if (length > head.length) continue;
      const key = `${length} ${length === 0 ? '' : hashBytes(head.subarray(0, length))}`;
      found.push(...(this.#byHead.get(key) ?? []));
    }
    return found;
  }

  /** The file that was skipped unread and stood just like this; null: none. */
  skippedAt({ path, sizeBytes, modifiedMs }: Entry): WatchedFile | null {
    return this.#byPlace.get(placeOf(path, sizeBytes, modifiedMs)) ?? null;
  }

  /**
   * Whose time is over. Takes wall clock, and which files must be kept since others hang on them.
   *
   * @returns the files, which are no longer among the gone ones.
   */
  expire(nowMs: number, isNeeded: (file: WatchedFile) => boolean): WatchedFile[] {
    const over: WatchedFile[] = [];
    let left = this.#files.size;
    for (const file of this.#files) {
      const isOver = nowMs - goneSince(file, nowMs) > GONE_DAYS * DAY_MS || left > GONE_MAX;
      if (!isOver || isNeeded(file)) continue;
      over.push(file);
      left -= 1;
    }
    for (const file of over) this.delete(file);
    return over;
  }
}
