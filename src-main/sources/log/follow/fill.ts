// Reads what was skipped before, now that it is asked for: piece by piece, the oldest file of a family first, one
// block at a time, so that news never waits for it. What a piece has given is taken from the file's unread bytes in the
// same commit: a kill in the middle costs nothing and doubles nothing. Bounds: one piece is open at a time; 200 files that
// were only noted are opened before news are looked at again.
import { type ByteRange, rangeBytes, withoutRanges } from '../files/byte-ranges.ts';
import { leaveOriginal, noteFilled, noteUncommitted, setProblem, setUnread } from '../files/file-changes.ts';
import type { FileRegistry } from '../files/file-registry.ts';
import { skipToEnd } from '../files/skip-to-end.ts';
import type { WatchedFile } from '../files/watched-file.ts';
import { beginPart, resumePart, seekByte, seekInstant } from './file-part.ts';
import { type BlockRead, readBlock } from './file-reader.ts';
import type { Openings } from './openings.ts';
import type { FillOptions, RunOptions } from './run-options.ts';

/** Files that were only noted and are opened at once; between two such groups news are looked at. */
const WOKEN_AT_ONCE = 200;
const NEVER_MS = Number.NEGATIVE_INFINITY;

export interface FillRead {
  readonly file: WatchedFile;
  readonly read: BlockRead;
}

/** One pass over what is unread of a folder. */
export class Fill {
  readonly #options: RunOptions;
  readonly #fill: FillOptions;
  readonly #registry: FileRegistry;
  readonly #openings: Openings;
  /** The piece being read, and whose it is. */
  #part: { file: WatchedFile; part: WatchedFile } | null = null;
  /** Files that are done with in this pass: they hold nothing more that is wanted, or cannot be read on. */
  readonly #done = new Set<WatchedFile>();
  /** Of these, those of which the rest is older than what is wanted. */
  readonly #older = new Set<WatchedFile>();

  constructor(options: RunOptions, fill: FillOptions, registry: FileRegistry, openings: Openings) {
    this.#options = options;
    this.#fill = fill;
    this.#registry = registry;
    this.#openings = openings;
  }

  /**
   * Read the next block.
   *
   * @returns the block and its file, whose unread bytes are less by it; `woken` when files were opened whose first lines come
   *   next; null when nothing is left that is wanted and can be read now.
   */
  next(): FillRead | 'woken' | null {
    for (;;) {
      this.#part ??= this.#begin();
      if (this.#part === null) return this.#wake() ? 'woken' : null;
      const { file, part } = this.#part;
      const fromByte = part.byte;
      const read = isReadable(file) ? readBlock(part, this.#options) : null;
      const isOver = read === null || typeof read === 'string' || part.byte >= part.stopAt || part.problem !== null;
      if (isOver) this.#part = null;
      if (read === null || typeof read === 'string') {
        this.#done.add(file);
        continue;
      }
      if (part.problem !== null) {
        // A header that changes in the middle: what follows waits for a person, as in any file.
        setProblem(file, file.problem ?? part.problem);
      }
      const { byte, line, kinds, lastMs, carry } = part;
      noteFilled(file, [fromByte, byte], isOver ? null : { byte, line, kinds, lastMs, carry });
      this.#registry.copies.noteRead(file);
      return { file, read };
    }
  }

  /** What is asked for and not read yet: files, and bytes of them. */
  get left(): { files: number; bytes: number } {
    const left = { files: 0, bytes: 0 };
    for (const file of this.#registry.present) {
      const bytes = file.skip?.bytes ?? rangeBytes(this.#wantedOf(file));
      if (bytes === 0 || this.#older.has(file) || !this.#isAsked(file)) continue;
      left.files += 1;
      left.bytes += bytes;
    }
    return left;
  }

  /** Its unread pieces but those that are left alone. */
  #wantedOf({ path, unread }: WatchedFile): ByteRange[] {
    return withoutRanges(unread, this.#fill.left.get(path) ?? []);
  }

  /**
   * Is the file among those asked for? One that was last changed before the instant holds nothing from after it; one that
   * repeats another is read there, as long as that one is there.
   */
  #isAsked(file: WatchedFile): boolean {
    const { seen, skip } = file;
    if (this.#fill.held.has(file.path) || this.#registry.copies.isCovered(file)) return false;
    const modifiedMs = seen?.modifiedMs ?? skip?.modifiedMs ?? 0;
    return modifiedMs >= this.#fill.sinceMs;
  }

  /** Begin the next piece; null when no opened file has one. */
  #begin(): { file: WatchedFile; part: WatchedFile } | null {
    const waiting = this.#registry.present.filter(
      (file) => isReadable(file) && this.#wantedOf(file).length > 0 && !this.#done.has(file) && this.#isAsked(file),
    );
    waiting.sort((a, b) => startOf(a) - startOf(b) || (a.path < b.path ? -1 : 1));
    for (const file of waiting) {
      const part = this.#beginIn(file);
      if (part !== null) return { file, part };
      this.#done.add(file);
    }
    return null;
  }

  #beginIn(file: WatchedFile): WatchedFile | null {
    if (!this.#leaveOutRepeats(file)) return null;
    for (const [from, to] of this.#wantedOf(file)) {
      const part = beginPart(file, to);
      const { fill } = file;
      const isGoingOn = fill !== null && fill.byte === from;
      const begun = isGoingOn ? resumePart(part, fill, this.#options) : seekByte(part, this.#options, from);
      // Held, gone or changed: another look may help, not this pass.
      if (begun !== 'found') return null;
      if (isGoingOn || this.#fill.sinceMs === NEVER_MS) return part;
      const sought = seekInstant(part, this.#options, this.#fill.sinceMs);
      if (sought === 'found') return part;
      if (sought !== 'end') return null;
    }
    // All of it is older than what is wanted.
    this.#older.add(file);
    return null;
  }

  /** What stands in another file that is read, too, is not read twice. Returns false: nothing is left, or not to be told now. */
  #leaveOutRepeats(file: WatchedFile): boolean {
    const end = file.unread.at(-1)?.[1] ?? 0;
    const mayRepeat = (original: WatchedFile) => this.#openings.mayRepeat(file, original);
    const read = this.#registry.copies.readElsewhere(file, end, mayRepeat);
    if (read === 'held') return false;
    const left = withoutRanges(file.unread, read);
    if (JSON.stringify(left) !== JSON.stringify(file.unread)) setUnread(file, left);
    return this.#wantedOf(file).length > 0;
  }

  /** Open some files that were only noted at the first look. Returns false when there are none. */
  #wake(): boolean {
    const { copies, present } = this.#registry;
    const asleep = present.filter((file) => {
      const isAsleep = file.skip !== null || copies.leftToCopy(file).length > 0;
      return isAsleep && file.seen !== null && !this.#done.has(file) && this.#isAsked(file);
    });
    asleep.sort((a, b) => (a.path < b.path ? -1 : 1));
    const woken = asleep.slice(0, WOKEN_AT_ONCE);
    for (const file of woken) {
      this.#takeUp(file);
    }
    if (woken.length > 0) this.#openings.openNew(present);
    copies.noteTwins(woken, this.#openings.mayRepeat);
    for (const file of woken) copies.noteRead(file);
    return woken.length > 0;
  }

  /** Take a file up at its end: what is before that is unread. One that cannot be opened is left for another pass. */
  #takeUp(file: WatchedFile): void {
    const left = this.#registry.copies.leftToCopy(file);
    const bytes = file.skip?.bytes ?? file.seen?.sizeBytes ?? 0;
    const outcome = skipToEnd(file, this.#options, bytes);
    if (outcome !== 'done') this.#done.add(file);
    else if (left.length > 0) leaveOriginal(file, left);
    noteUncommitted(file);
  }
}

function isReadable({ layout, problem, shrunkSinceMs, seen, isLeftOut }: WatchedFile): boolean {
  return layout !== null && problem === null && !isLeftOut && shrunkSinceMs === null && seen !== null;
}

/** By the first stamp; a file without one comes last. */
function startOf({ firstMs }: WatchedFile): number {
  return Number.isNaN(firstMs) ? Number.MAX_VALUE : firstMs;
}
