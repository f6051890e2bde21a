// The start of a run of which every file tells only seconds. Each file gives a guess, its time of change minus the seconds of
// its last line; the run has one start, so the files of its folder must agree.
//
// A file is never changed before its last line was written, only after: so the earliest guess is the best. Where a program
// touches its files when it closes them, or where only some of them were copied, the others are right. When all were
// copied, no file knows; then the guesses lie far apart, and that is told.
import { folderOf } from './channel-names.ts';
import type { WatchedFile } from './watched-file.ts';

/** A file that appears later belongs to the run whose start is this near to its own guess, milliseconds. */
const SAME_RUN_MS = 60_000;

/** One start for all files of a folder that were opened together. */
export interface AgreedStart {
  readonly files: readonly WatchedFile[];
  readonly startMs: number;
  /** How far the guesses lie apart, milliseconds. */
  readonly spreadMs: number;
}

/** The starts of the runs of this source, by folder. */
export class FolderStarts {
  readonly #known = new Map<string, number>();

  /** Take the start of a file that was read in a former run, or whose folder has agreed. */
  note({ path }: WatchedFile, startMs: number): void {
    this.#known.set(folderOf(path), startMs);
  }

  /**
   * Agree on the starts of files that were opened together.
   * **Takes**: files whose layout has its own guess as start. **Gives**: a start for each folder of theirs.
   */
  agree(files: readonly WatchedFile[]): AgreedStart[] {
    const folders = new Map<string, WatchedFile[]>();
    for (const file of files) folders.set(folderOf(file.path), [...(folders.get(folderOf(file.path)) ?? []), file]);
    return [...folders].map(([folder, own]) => {
      const guesses = own.map(({ layout }) => layout?.startMs ?? Number.NaN).filter(Number.isFinite);
      const known = this.#known.get(folder);
      const isSame = known !== undefined && guesses.some((guess) => Math.abs(guess - known) < SAME_RUN_MS);
      const all = isSame ? [known, ...guesses] : guesses;
      const startMs = isSame ? known : Math.min(...all);
      this.#known.set(folder, startMs);
      return { files: own, startMs, spreadMs: Math.max(...all) - Math.min(...all) };
    });
  }
}

/** True when the guesses lie further apart than programs take to write their files. */
export function isFarApart({ spreadMs }: AgreedStart): boolean {
  return spreadMs > SAME_RUN_MS;
}
