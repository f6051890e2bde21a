// What is read a second time: pieces of files whose readings the queue has lost. The queue says which; from then on they are
// unread bytes like those that were skipped, and a pass of their own reads them whatever the settings say of old data.
//
// Invariant: that pieces are unread is noted behind the files, and none is read before that. A kill in between notes them
// once more; after it, what has been read again is no longer unread.
import { z } from 'zod';
import type { Position } from '../../source.ts';
import { type ByteRange, joinRanges, withoutRanges } from '../files/byte-ranges.ts';
import { setUnread, takePosition } from '../files/file-changes.ts';
import { REREAD_KEY, type WatchedFile } from '../files/watched-file.ts';
import type { FillOptions } from './run-options.ts';

const Stored = z.object({
  /** The pieces are among the unread bytes of their files. */
  isNoted: z.boolean(),
  /** Key of the file, first byte and the byte after the last. */
  pieces: z.array(z.tuple([z.string(), z.int().nonnegative(), z.int().nonnegative()])),
});

export class Reread {
  readonly #pieces = new Map<string, readonly ByteRange[]>();
  #isNoted: boolean;

  private constructor({ isNoted, pieces }: z.infer<typeof Stored>) {
    this.#isNoted = isNoted;
    for (const [file, from, to] of pieces) {
      this.#pieces.set(file, joinRanges([...(this.#pieces.get(file) ?? []), [from, to]]));
    }
  }

  /** Read what is to be read again among the positions of a source; null: nothing. */
  static read(positions: ReadonlyMap<string, string>): Reread | null {
    const text = positions.get(REREAD_KEY);
    return text === undefined ? null : new Reread(Stored.parse(JSON.parse(text)));
  }

  /**
   * Note the pieces as unread in their files.
   *
   * @returns positions, in the order in which they are to be committed; none when that was done before.
   */
  note(files: readonly WatchedFile[]): Position[] {
    if (this.#isNoted) return [];
    this.#isNoted = true;
    const changed = files.filter(({ key }) => this.#pieces.has(key));
    for (const file of changed) {
      const read = (this.#pieces.get(file.key) ?? []).map(
        ([from, to]): ByteRange => [Math.min(Math.max(from, file.dataByte), file.byte), Math.min(to, file.byte)],
      );
      setUnread(file, joinRanges([...file.unread, ...read]));
    }
    return [...changed.map(takePosition), { key: REREAD_KEY, value: this.#text }];
  }

  /** The pass that reads them, and nothing else that is unread. */
  wanted(files: readonly WatchedFile[]): FillOptions {
    const left = files.map(
      ({ key, path, unread }) => [path, withoutRanges(unread, this.#pieces.get(key) ?? [])] as const,
    );
    const others = files.filter(({ key }) => !this.#pieces.has(key)).map(({ path }) => path);
    return { sinceMs: Number.NEGATIVE_INFINITY, left: new Map(left), held: new Set(others) };
  }

  /**
   * How many of the files are gone and cannot be read again. A file whose position was lost, too, counts as a new one where it
   * is there, and is read from its first line.
   */
  countGone(known: Iterable<WatchedFile>, present: readonly WatchedFile[]): number {
    const there = new Set(present.map(({ key }) => key));
    const isKnown = new Set([...known].map(({ key }) => key));
    const mayBeNew = (key: string) => !isKnown.has(key) && present.length > 0;
    return [...this.#pieces.keys()].filter((key) => !there.has(key) && !mayBeNew(key)).length;
  }

  get #text(): string {
    const pieces = [...this.#pieces].flatMap(([file, ranges]) => ranges.map(([from, to]) => [file, from, to] as const));
    const stored: z.input<typeof Stored> = { isNoted: this.#isNoted, pieces: pieces.map((piece) => [...piece]) };
    return JSON.stringify(stored);
  }
}

/** Nothing is left to be read again. What cannot be read now stays for the next run. */
export const REREAD_DONE: Position = { key: REREAD_KEY, value: '' };
