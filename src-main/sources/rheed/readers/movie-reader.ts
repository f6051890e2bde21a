// Counts the frames of movies that grow: files of fixed stride (kSA .imm, or as the settings say) by their size, AVI by its
// chunks and, once it is closed, its index. Each file is a run of its own.
//
// Bounds: the 4 movies that grew last are followed, others are done once they are read; a walk 10 s apart at least, 1 s while
// the system tells nothing; one entry a file that is done. Invariant: a frame counts when all of its bytes are there, and
// once, also when its movie is given another name; a file that got shorter, or another one in its place, begins again.
import { join } from 'node:path';
import { z } from 'zod';
import { readRange } from '../../../platform/read-range.ts';
import type { CounterEvent, CounterReader, Sighting } from '../count/sighting.ts';
import { FolderWatch } from '../files/folder-watch.ts';
import { compileNames, type NamePattern } from '../files/name-pattern.ts';
import { Renames, runOf, takeRenamed } from '../files/renames.ts';
import { type FileFacts, Inode, look, lookAtAll, WalkPace, walkFolder } from '../files/walk.ts';
import { withFile } from '../files/with-file.ts';
import { type AviScan, isAvi, NO_SCAN, scanAvi } from './avi-scan.ts';
import { KSA_HEAD_BYTES, type KsaHeader, readKsaHeader } from './ksa-header.ts';

const WALK_MS = 10_000;
const WALK_BLIND_MS = 1000;
/** Movies that may grow side by side; older ones are done. */
const MOVIES_MAX = 4;

/** Files that are looked at by each walk though they are known. */
const LOOKED_AT_MAX = 500;

/** How a file was when it was done; `sizeBytes` null: it is no movie, whatever its size. */
interface KnownFile {
  readonly inode: string;
  readonly modifiedMs: number;
  readonly sizeBytes: number | null;
  /** How it had been read; absent: it was there before anybody watched. */
  readonly movie?: Movie;
}

/** How the frames of a file lie. */
export type MovieFormat =
  | { readonly is: 'ksa'; readonly header: KsaHeader }
  | { readonly is: 'avi' }
  | { readonly is: 'fixed'; readonly headerBytes: number; readonly strideBytes: number };

const Scan = z.object({ at: z.number(), frames: z.number(), dropped: z.number(), indexed: z.number().nullable() });
export const MovieState = z.object({
  /** Null: nothing was seen yet. */
  seenMs: z.number().nullable(),
  movies: z.array(
    z.object({
      ...{ path: z.string(), inode: Inode, frames: z.number(), sizeBytes: z.number(), scan: Scan },
      ...{ run: z.string().optional(), bornMs: z.number().nullish() },
    }),
  ),
});

interface Movie {
  /** Where it lies now: camera programs give a movie its name when it is done. */
  path: string;
  inode: string;
  bornMs?: number | null | undefined;
  /** Names it as a run of frames, whatever it is called later. */
  run: string;
  frames: number;
  sizeBytes: number;
  /** How it was when it was last looked at. */
  wholeBytes: number;
  modifiedMs: number;
  /** More of it is there than was scanned so far. */
  isBehind: boolean;
  scan: AviScan;
  format: MovieFormat | null;
}

export interface MovieReaderOptions {
  /** Folder, absolute. */
  readonly path: string;
  readonly match: string;
  /** Layout of files that say nothing themselves; null: kSA and AVI only. */
  readonly fixed: { readonly headerBytes: number; readonly strideBytes: number } | null;
  readonly monotonicMs: () => number;
  readonly state: unknown;
  /** Breaks a look off. */
  readonly signal?: AbortSignal | undefined;
}

/** Find out how a movie's frames lie; null while too little of it is there. */
export async function readMovieFormat(
  file: string,
  fixed: MovieReaderOptions['fixed'],
): Promise<MovieFormat | 'unknown' | null> {
  const head = await withFile(file, (handle) => readRange(handle, 0, KSA_HEAD_BYTES));
  if (head === null || head.length < 12) return null;
  if (isAvi(head)) return { is: 'avi' };
  const header = readKsaHeader(head);
  if (header) return { is: 'ksa', header };
  if (fixed) return { is: 'fixed', ...fixed };
  return head.length < KSA_HEAD_BYTES ? null : 'unknown';
}

export class MovieReader implements CounterReader {
  readonly #options: MovieReaderOptions;
  readonly #pattern: NamePattern;
  readonly #watch: FolderWatch;
  readonly #pace = new WalkPace();
  #movies: Movie[] = [];
  /** Paths that were there and are done, or were there before anybody watched, and how they were then. */
  readonly #known = new Map<string, KnownFile>();
  readonly #renames: Renames<Movie>;
  #events: CounterEvent[] = [];
  #isFirst = true;
  #seenMs: number | null = null;
  #formerLookMs: number | null = null;

  constructor(options: MovieReaderOptions) {
    this.#options = options;
    this.#pattern = compileNames(options.match, null);
    this.#renames = new Renames({ folder: options.path, max: MOVIES_MAX, readBytes: ({ sizeBytes }) => sizeBytes });
    this.#watch = new FolderWatch(options.path);
    const state = MovieState.safeParse(options.state);
    if (!state.success) return;
    this.#seenMs = state.data.seenMs;
    this.#movies = state.data.movies.map((movie) => ({
      ...movie,
      wholeBytes: movie.sizeBytes,
      modifiedMs: Number.NaN,
      isBehind: false,
      run: movie.run ?? runOf(movie),
      format: null,
    }));
  }

  describe(): string {
    return `movies ${this.#options.match} in ${this.#options.path}`;
  }

  state(): z.infer<typeof MovieState> {
    return {
      seenMs: this.#seenMs,
      movies: this.#movies.map(({ format, wholeBytes, modifiedMs, isBehind, ...movie }) => movie),
    };
  }

  takeEvents(): readonly CounterEvent[] {
    return this.#events.splice(0);
  }

  close(): void {
    this.#watch.close();
  }

  async look(nowMs: number): Promise<readonly Sighting[]> {
    const startMs = this.#options.monotonicMs();
    this.#watch.follow('');
    const { names, isOverrun } = this.#watch.take();
    const isWalk = this.#isFirst || isOverrun || this.#pace.isDue(this.#options.monotonicMs());
    const found = isWalk ? await this.#walk() : [...names].filter((name) => this.#pattern.read(name) !== null);
    await this.#meetAll(found, isWalk);
    const sightings: Sighting[] = [];
    for (const movie of this.#movies.toReversed()) {
      const sighting = await this.#readMovie(movie, nowMs + this.#options.monotonicMs() - startMs);
      if (!sighting) continue;
      sightings.push(sighting);
      // Those that grow stay, whatever else is put beside them.
      this.#movies = [movie, ...this.#movies.filter((one) => one !== movie)];
    }
    this.#retire();
    this.#isFirst = false;
    this.#seenMs = nowMs;
    this.#formerLookMs = nowMs;
    return sightings;
  }

  async #walk(): Promise<string[]> {
    const paths: string[] = [];
    let names = 0;
    const onFile = (path: string) => {
      names += 1;
      if (this.#pattern.read(path) !== null) paths.push(path);
    };
    await walkFolder(this.#options.path, onFile, (below) => this.#watch.follow(below), '', this.#options.signal);
    this.#pace.made(this.#options.monotonicMs(), names, this.#watch.isWatching ? WALK_MS : WALK_BLIND_MS);
    return paths;
  }

  /** Take up movies that are not known yet, the newest first, which is the one that grows. */
  async #meetAll(paths: readonly string[], isWalk: boolean): Promise<void> {
    const followed = new Set(this.#movies.map(({ path }) => path));
    // What is known is looked at where the system tells of it, and by walks past a few: its name may be used again.
    const isPassed = (path: string) =>
      followed.has(path) || (isWalk && paths.length > LOOKED_AT_MAX && this.#known.has(path));
    const met: Movie[] = [];
    const wanted = paths.filter((path) => !isPassed(path));
    for (const { path, facts } of await lookAtAll(this.#options.path, wanted, this.#options.signal)) {
      if (facts.isFolder || !this.#isNews(path, facts) || (await this.#wasKnown(path, facts))) continue;
      const known = this.#known.get(path);
      if (
        known?.movie?.inode === facts.inode &&
        known.movie.bornMs === facts.bornMs &&
        facts.sizeBytes > known.movie.wholeBytes
      ) {
        // It was done and goes on.
        this.#known.delete(path);
        this.#movies.unshift(known.movie);
        continue;
      }
      const renamed = await this.#renames.find(path, facts, this.#movies);
      if (renamed) {
        if (!this.#movies.includes(renamed)) this.#movies.unshift(renamed);
        continue;
      }
      const isBefore = this.#isFirst && (this.#seenMs === null || facts.modifiedMs <= this.#seenMs);
      if (isBefore && this.#seenMs !== null) {
        this.#known.set(path, facts);
        continue;
      }
      // A movie that is there at the very first look may be growing: what it holds now is where counting begins.
      const frames = isBefore && facts.sizeBytes >= KSA_HEAD_BYTES ? -1 : 0;
      const { inode, bornMs, modifiedMs } = facts;
      this.#known.delete(path);
      met.push({
        path,
        inode,
        bornMs,
        run: runOf({ path, inode, bornMs }),
        frames,
        sizeBytes: 0,
        scan: NO_SCAN,
        format: null,
        modifiedMs,
        wholeBytes: facts.sizeBytes,
        isBehind: false,
      });
    }
    met.sort((a, b) => b.modifiedMs - a.modifiedMs);
    // Of those that were there before anybody watched the newest may grow; what came while nobody watched is read.
    if (this.#isFirst && this.#seenMs === null)
      for (const { path, inode, modifiedMs, wholeBytes } of met.splice(MOVIES_MAX))
        this.#known.set(path, { inode, modifiedMs, sizeBytes: wholeBytes });
    this.#movies.unshift(...met);
  }

  /** False for a file that lies there as it did when it was last looked at. */
  #isNews(path: string, { inode, sizeBytes }: FileFacts): boolean {
    const known = this.#known.get(path);
    if (!known) return true;
    const hasGrown = known.movie !== undefined && sizeBytes > known.movie.wholeBytes;
    return known.inode !== inode || hasGrown || (known.sizeBytes !== null && sizeBytes < known.sizeBytes);
  }

  /** True for a file that is done and was given another name since. */
  async #wasKnown(path: string, facts: FileFacts): Promise<boolean> {
    const renamed = await takeRenamed(this.#options.path, path, facts, this.#known);
    if (renamed?.movie) renamed.movie.path = path;
    return renamed !== null;
  }

  /** Movies beyond those that may grow side by side are done. */
  #retire(): void {
    const done = this.#movies.slice(MOVIES_MAX).filter(({ isBehind }) => !isBehind);
    this.#movies = this.#movies.filter((movie) => !done.includes(movie));
    for (const movie of done)
      this.#known.set(movie.path, {
        inode: movie.inode,
        modifiedMs: movie.modifiedMs,
        sizeBytes: movie.wholeBytes,
        movie,
      });
  }

  async #readMovie(movie: Movie, nowMs: number): Promise<Sighting | null> {
    const facts = await look(this.#file(movie.path));
    if (facts === null) return null;
    const inPlace = facts.inode === movie.inode ? null : await this.#renames.takePlace(movie, facts, this.#movies);
    if (inPlace) {
      this.#movies = inPlace;
      return null;
    }
    if (facts.inode !== movie.inode || facts.sizeBytes < movie.sizeBytes) this.#renew(movie, facts);
    Object.assign(movie, { wholeBytes: facts.sizeBytes, modifiedMs: facts.modifiedMs });
    if (facts.sizeBytes === movie.sizeBytes) return null;
    const isBaseline = movie.frames < 0;
    const format = movie.format ?? (await this.#formatOf(movie, nowMs));
    if (format === null) return null;
    movie.format = format;
    const former = Math.max(0, movie.frames);
    const { dropped: formerDropped, at: formerAt } = movie.scan;
    await this.#measure(movie, format, facts.sizeBytes);
    // A scan goes on in steps; where counting only begins it goes to the end at once.
    for (let at = -1; isBaseline && format.is === 'avi' && movie.scan.at > at; ) {
      this.#options.signal?.throwIfAborted();
      at = movie.scan.at;
      await this.#measure(movie, format, facts.sizeBytes);
    }
    movie.isBehind = format.is === 'avi' && movie.scan.at > formerAt && movie.scan.at < facts.sizeBytes;
    movie.sizeBytes = format.is === 'avi' ? Math.min(facts.sizeBytes, movie.scan.at) : facts.sizeBytes;
    if (movie.frames === former && movie.scan.dropped === formerDropped && !isBaseline) return null;
    const lost = format.is === 'avi' ? { lostSoFar: movie.scan.dropped } : {};
    return {
      ...{ run: movie.run, is: 'value', number: movie.frames },
      ...{ ...this.#timeOf(facts, nowMs), ownMs: facts.modifiedMs, isBaseline, ...lost },
    };
  }

  async #measure(movie: Movie, format: MovieFormat, sizeBytes: number): Promise<void> {
    if (format.is === 'avi') {
      const scan = await withFile(this.#file(movie.path), (handle) => scanAvi(handle, sizeBytes, movie.scan));
      const hadIndex = movie.scan.indexed !== null;
      movie.scan = scan ?? movie.scan;
      movie.frames = movie.scan.frames;
      const { indexed, frames, dropped } = movie.scan;
      if (indexed === null || hadIndex || indexed === frames + dropped) return;
      const text = `the index of ${movie.path} lists ${indexed} frames, ${frames + dropped} were found`;
      this.#events.push({ is: 'index-differs', atMs: this.#seenMs ?? 0, text });
      return;
    }
    const { headerBytes, strideBytes } = format.is === 'ksa' ? { headerBytes: 0, ...strideOf(format.header) } : format;
    movie.frames = Math.max(0, Math.floor((sizeBytes - headerBytes) / strideBytes));
  }

  #renew(movie: Movie, facts: FileFacts): void {
    const { path } = movie;
    const { inode, bornMs } = facts;
    if (inode !== movie.inode) this.#renames.displace(movie);
    const run = runOf({ path, inode, bornMs });
    Object.assign(movie, { inode, bornMs, run, frames: 0, sizeBytes: 0, scan: NO_SCAN, format: null });
  }

  async #formatOf(movie: Movie, nowMs: number): Promise<MovieFormat | null> {
    const format = await readMovieFormat(this.#file(movie.path), this.#options.fixed);
    if (format !== 'unknown') return format;
    this.#known.set(movie.path, { inode: movie.inode, modifiedMs: movie.modifiedMs, sizeBytes: null });
    this.#movies = this.#movies.filter((one) => one !== movie);
    const text = `${movie.path} is neither a kSA movie nor an AVI, and the settings give no stride_bytes: it is skipped`;
    this.#events.push({ is: 'passed-over', atMs: nowMs, text });
    return null;
  }

  #timeOf({ modifiedMs }: FileFacts, nowMs: number) {
    const sinceMs = this.#formerLookMs ?? nowMs;
    // The file's time is that of its newest write, which may have held half a frame more.
    if (modifiedMs <= nowMs + 100 && modifiedMs >= sinceMs - 100) {
      return { atMs: Math.min(modifiedMs, nowMs), uncertaintyMs: 20 };
    }
    return { atMs: (sinceMs + nowMs) / 2, uncertaintyMs: (nowMs - sinceMs) / 2 };
  }

  #file(path: string): string {
    return join(this.#options.path, path);
  }
}

/** A kSA movie is stills one after the other: each frame has its own header. */
function strideOf({ strideBytes }: KsaHeader): { strideBytes: number } {
  return { strideBytes };
}
