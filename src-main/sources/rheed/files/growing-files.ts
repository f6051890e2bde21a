// Follows files that are read as they grow: the movies and logs of a camera.
//
// A file is the object on the disk, told by its number (inode) and the time when it was made; how far it was read belongs to
// the object, whatever name leads to it. So a rename, a rotation, a folder put elsewhere and a link count nothing again, and a
// name that leads to another object is another file. Where this errs:
//   without a number (FAT, some shares) a file is its path and the time when it was made: renamed, it counts again;
//   without the time, a file that got the number of a deleted one counts from where that one had been read, until it is shorter.
//
// Bounds: `max` files are looked at by each look, those that grew last; one entry for every other; a walk as seldom as it takes
// long. Past LOOKED_AT_MAX files a walk looks at new names alone.
import { z } from 'zod';
import { FolderWatch } from './folder-watch.ts';
import type { NamePattern } from './name-pattern.ts';
import { type FileFacts, lookAtAll, WalkPace, walkFolder } from './walk.ts';

/** Files that are looked at by each walk though they are known. */
const LOOKED_AT_MAX = 500;

/** What is kept of a file over a restart. */
export const GrowingState = {
  path: z.string(),
  inode: z.string(),
  run: z.string(),
  bornMs: z.number().nullable(),
};

/** A file that is read as it grows. */
export interface Growing {
  /** Where it lies now: camera programs give a movie its name when it is done. */
  path: string;
  readonly inode: string;
  readonly bornMs: number | null;
  /** Names it as a run of frames, whatever it is called later. */
  readonly run: string;
  /** How it was when it was last looked at. */
  wholeBytes: number;
  modifiedMs: number;
  /** It was there before anybody watched: what it holds is where counting begins. */
  isBaseline: boolean;
  /** More of it is there than was read so far. */
  isBehind: boolean;
}

type Identity = Pick<FileFacts, 'inode' | 'bornMs'>;

function keyOf(path: string, { inode, bornMs }: Identity): string {
  return `${inode === '' ? path : inode} ${bornMs ?? ''}`;
}

/** A file as it is kept over a restart, before it is looked at again. */
export function restored({ path, inode, run, bornMs }: z.infer<z.ZodObject<typeof GrowingState>>): Growing {
  const unseen = { wholeBytes: Number.NaN, modifiedMs: Number.NaN, isBaseline: false, isBehind: false };
  return { path, inode, bornMs, run, ...unseen };
}

export interface GrowingOptions<File extends Growing> {
  /** Folder, absolute. */
  readonly folder: string;
  readonly pattern: NamePattern;
  readonly max: number;
  /** Whether the operating system is asked to report names. */
  readonly isWatched: boolean;
  /** Time between walks at least, while the system tells names and while it does not, milliseconds. */
  readonly walkMs: number;
  readonly walkBlindMs: number;
  readonly monotonicMs: () => number;
  readonly signal?: AbortSignal | undefined;
  /** When the folder was last looked at; null: never. */
  readonly seenMs: number | null;
  readonly files: readonly File[];
  readonly make: (file: Growing) => File;
}

export class GrowingFiles<File extends Growing> {
  readonly #options: GrowingOptions<File>;
  readonly #watch: FolderWatch;
  readonly #pace = new WalkPace();
  readonly #known = new Map<string, File>();
  /** Those that grew last, newest first. */
  #live: File[];
  #isFirst = true;
  #seenMs: number | null;

  constructor(options: GrowingOptions<File>) {
    this.#options = options;
    this.#watch = new FolderWatch(options.folder);
    this.#seenMs = options.seenMs;
    this.#live = [...options.files];
    for (const file of options.files) this.#known.set(keyOf(file.path, file), file);
  }

  get live(): readonly File[] {
    return this.#live;
  }

  get seenMs(): number | null {
    return this.#seenMs;
  }

  close(): void {
    this.#watch.close();
  }

  /**
   * Look at the files that may have grown.
   *
   * @param nowMs - the time of the look by the steady clock.
   * @returns what there is to read, what changed last behind.
   * @throws those of `walkFolder`.
   */
  async look(nowMs: number): Promise<File[]> {
    const { folder, pattern, signal, monotonicMs, max } = this.#options;
    if (this.#options.isWatched) this.#watch.follow('');
    const { names, isOverrun } = this.#watch.take();
    const isWalk = this.#isFirst || isOverrun || this.#pace.isDue(monotonicMs());
    const found = isWalk ? await this.#walk() : [...names].filter((name) => pattern.read(name) !== null);
    const paths = new Set([...found, ...this.#live.map(({ path }) => path)]);
    const seen = new Set<File>();
    const old: File[] = [];
    for (const { path, facts } of await lookAtAll(folder, [...paths], signal)) {
      if (facts.isFolder) continue;
      const known = this.#find(path, facts);
      const file = known ?? this.#meet(path, facts);
      const isNews = known ? known.wholeBytes !== facts.sizeBytes : !file.isBaseline;
      if (isNews && !this.#live.includes(file)) this.#live.unshift(file);
      if (!known && file.isBaseline) old.push(file);
      // Of one that is older than the first look, what it held then is where counting begins, unless it begins again.
      if (facts.sizeBytes < file.wholeBytes) file.isBaseline = false;
      if (!file.isBaseline) file.wholeBytes = facts.sizeBytes;
      Object.assign(file, { path, modifiedMs: facts.modifiedMs });
      seen.add(file);
    }
    // Of those that were there before anybody watched the newest may grow.
    if (this.#seenMs === null) this.#live.push(...old.sort((a, b) => b.modifiedMs - a.modifiedMs).slice(0, max));
    this.#isFirst = false;
    this.#seenMs = nowMs;
    return this.#live.filter((file) => seen.has(file)).sort((a, b) => a.modifiedMs - b.modifiedMs);
  }

  /** Note which files grew. Those beyond the ones that may grow side by side are done, once they are read. */
  settle(grown: ReadonlySet<File>): void {
    const others = this.#live.filter((file) => !grown.has(file));
    this.#live = [...[...grown].reverse(), ...others].filter(({ isBehind }, at) => isBehind || at < this.#options.max);
  }

  async #walk(): Promise<string[]> {
    const { folder, pattern, signal, walkMs, walkBlindMs, monotonicMs } = this.#options;
    const paths: string[] = [];
    let names = 0;
    const onFile = (path: string) => {
      names += 1;
      if (pattern.read(path) !== null) paths.push(path);
    };
    await walkFolder(folder, onFile, (below) => this.#options.isWatched && this.#watch.follow(below), '', signal);
    this.#pace.made(monotonicMs(), names, this.#watch.isWatching ? walkMs : walkBlindMs);
    if (paths.length <= LOOKED_AT_MAX) return paths;
    const known = new Set([...this.#known.values()].map(({ path }) => path));
    return paths.filter((path) => !known.has(path));
  }

  #find(path: string, facts: FileFacts): File | undefined {
    return this.#known.get(keyOf(path, facts));
  }

  #meet(path: string, { inode, bornMs, sizeBytes, modifiedMs }: FileFacts): File {
    const isBaseline = this.#isFirst && (this.#seenMs === null || modifiedMs <= this.#seenMs);
    const run = `${path} ${inode}${bornMs === null ? '' : Math.floor(bornMs)}`;
    const seen = { wholeBytes: sizeBytes, modifiedMs, isBaseline, isBehind: false };
    const file = this.#options.make({ path, inode, bornMs, run, ...seen });
    this.#known.set(keyOf(path, file), file);
    return file;
  }
}
