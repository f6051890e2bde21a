// The start of a run of which every file tells only seconds. Each file gives a guess, its modification time minus the seconds of
// its last line; the run has one start, so the files of its folder must agree.
//
// A file is never changed before its last line was written, only after: so the earliest guess is the best where a program
// touches all its files when it closes them. Files that were changed at other times and whose guesses lie far apart are of
// several runs, or some were copied: nobody knows which, so they are not read before a person has said.
import { folderOf } from '../columns/channel-names.ts';
import type { WatchedFile } from '../files/watched-file.ts';
import { type Undecided, undecided } from '../recognise/header-line.ts';

/** A file that appears later belongs to the run whose start is this near to its own guess, milliseconds. */
const SAME_RUN_MS = 60_000;

/** Code of the question. */
export const STARTS_CONTRADICT = 'log.starts-contradict';

/** One start for all files of a folder that were opened together. */
export interface AgreedStart {
  readonly files: readonly WatchedFile[];
  readonly startMs: number;
  /** How far the guesses lie apart, milliseconds. */
  readonly spreadMs: number;
  /** The files were last changed together, as when a program closes them. */
  readonly isClosedTogether: boolean;
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
   *
   * @param files - files whose layout has its own guess as start.
   * @returns a start for each folder of theirs.
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
      const changed = own.flatMap(({ seen }) => (seen === null ? [] : [seen.modifiedMs]));
      const isClosedTogether = Math.max(...changed) - Math.min(...changed) < SAME_RUN_MS;
      return { files: own, startMs, spreadMs: Math.max(...all) - Math.min(...all), isClosedTogether };
    });
  }
}

/**
 * What keeps a file from being read of which nobody knows when its run began.
 *
 * @param watchedFile - it, with its own guess as start.
 */
export function contradictingStart({ path, layout }: WatchedFile): Undecided {
  const start = new Date(layout?.startMs ?? Number.NaN);
  const said = Number.isNaN(start.getTime())
    ? ''
    : ` By its own time it began at ${start.toISOString().slice(0, 19)} UTC.`;
  return undecided(
    STARTS_CONTRADICT,
    `${path} tells only seconds, and the modification times of its folder contradict each other: several runs, or files that were copied.${said}`,
    'Read it as a run of its own if that is right. Else leave it out, or set dialect: time: start from the header or the name, which tell it for certain.',
  );
}

/** True for two files of which a person has said that they are runs of their own, and that began at different times. */
export function areOwnRuns({ layout: one }: WatchedFile, { layout: other }: WatchedFile): boolean {
  if (one?.isOwnRun !== true && other?.isOwnRun !== true) return false;
  return Math.abs((one?.startMs ?? 0) - (other?.startMs ?? 0)) >= SAME_RUN_MS;
}

/** True when the guesses lie further apart than programs take to write their files. */
export function isFarApart({ spreadMs }: AgreedStart): boolean {
  return spreadMs > SAME_RUN_MS;
}
