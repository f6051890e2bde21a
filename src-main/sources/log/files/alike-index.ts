// Finds files that begin with the same bytes.
import { HEAD_LENGTHS, hashBytes } from './file-identity.ts';
import type { WatchedFile } from './watched-file.ts';

/** Lengths at which first bytes are compared to find copies, and how many files that begin alike are compared whole. */
export const COMPARED_LENGTHS = HEAD_LENGTHS;
const COMPARED_MAX = 20;

/** Files by length and hash of their first bytes. */
export class AlikeIndex {
  readonly #files = new Map<string, Set<WatchedFile>>();

  get isEmpty(): boolean {
    return this.#files.size === 0;
  }

  /** Add a file at every length that its fingerprint has; cheap to repeat when it has grown. */
  add(file: WatchedFile): void {
    for (const head of file.print.heads) {
      if (!COMPARED_LENGTHS.includes(head[0])) continue;
      const key = head.join(' ');
      const alike = this.#files.get(key) ?? new Set<WatchedFile>();
      this.#files.set(key, alike);
      // The newest last: it is compared first.
      alike.delete(file);
      alike.add(file);
      const [oldest] = alike;
      if (alike.size > COMPARED_MAX && oldest !== undefined) alike.delete(oldest);
    }
  }

  remove(file: WatchedFile): void {
    for (const head of file.print.heads) this.#files.get(head.join(' '))?.delete(file);
  }

  /** Files whose first bytes have the hash of these, the newest first. */
  find(length: number, head: Uint8Array): WatchedFile[] {
    return [...(this.#files.get(`${length} ${hashBytes(head.subarray(0, length))}`) ?? [])].reverse();
  }
}
