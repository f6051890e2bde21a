// Counts the frames of movies that grow: files of fixed stride (kSA .imm, or as the settings say) by their size, AVI by its
// chunks and, once it is closed, its index. Each file is a run of its own.
import { join } from 'node:path';
import { z } from 'zod';
import { type AviScan, isAvi, NO_SCAN, scanAvi } from './avi-scan.ts';
import { FolderWatch } from './folder-watch.ts';
import { KSA_HEAD_BYTES, type KsaHeader, readKsaHeader } from './ksa-header.ts';
import { compileNames, type NamePattern } from './name-pattern.ts';
import { readRange, withFile } from './read-range.ts';
import type { CounterEvent, CounterReader, Sighting } from './sighting.ts';
import { type FileFacts, look, WalkPace, walkFolder } from './walk.ts';

const WALK_MS = 10_000;
const WALK_BLIND_MS = 1000;
/** Movies that may grow side by side; older ones are done. */
const MOVIES_MAX = 4;

/** How the frames of a file lie. */
export type MovieFormat =
  | { readonly is: 'ksa'; readonly header: KsaHeader }
  | { readonly is: 'avi' }
  | { readonly is: 'fixed'; readonly headerBytes: number; readonly strideBytes: number };

const Scan = z.object({ at: z.number(), frames: z.number(), dropped: z.number(), indexed: z.number().nullable() });
export const MovieState = z.object({
  seenMs: z.number(),
  movies: z.array(
    z.object({ path: z.string(), inode: z.number(), frames: z.number(), sizeBytes: z.number(), scan: Scan }),
  ),
});

interface Movie {
  readonly path: string;
  inode: number;
  frames: number;
  sizeBytes: number;
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
  /** Paths that were there and are done, or were there before anybody watched. */
  readonly #known = new Map<string, number>();
  #events: CounterEvent[] = [];
  #isFirst = true;
  #seenMs: number | null = null;
  #formerLookMs: number | null = null;

  constructor(options: MovieReaderOptions) {
    this.#options = options;
    this.#pattern = compileNames(options.match, null);
    this.#watch = new FolderWatch(options.path);
    const state = MovieState.safeParse(options.state);
    if (!state.success) return;
    this.#seenMs = state.data.seenMs;
    this.#movies = state.data.movies.map((movie) => ({ ...movie, format: null }));
  }

  describe(): string {
    return `movies ${this.#options.match} in ${this.#options.path}`;
  }

  state(): z.infer<typeof MovieState> {
    return { seenMs: this.#seenMs ?? 0, movies: this.#movies.map(({ format, ...movie }) => movie) };
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
    for (const path of found) await this.#meet(path);
    const sightings: Sighting[] = [];
    for (const movie of this.#movies.toReversed()) {
      const sighting = await this.#readMovie(movie, nowMs + this.#options.monotonicMs() - startMs);
      if (sighting) sightings.push(sighting);
    }
    for (const { path, inode } of this.#movies.splice(MOVIES_MAX)) this.#known.set(path, inode);
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
    await walkFolder(this.#options.path, onFile, (below) => this.#watch.follow(below));
    this.#pace.made(this.#options.monotonicMs(), names, this.#watch.isWatching ? WALK_MS : WALK_BLIND_MS);
    return paths;
  }

  /** Take a movie up that is not known yet. Newest first, which is the one that grows. */
  async #meet(path: string): Promise<void> {
    if (this.#movies.some((movie) => movie.path === path) || (this.#known.has(path) && !this.#isFirst)) return;
    const facts = await look(this.#file(path));
    if (facts === null || facts.isFolder) return;
    const isBefore = this.#isFirst && (this.#seenMs === null || facts.modifiedMs <= this.#seenMs);
    if (isBefore && this.#seenMs !== null) return void this.#known.set(path, facts.inode);
    // A movie that is there at the very first look may be growing: what it holds now is where counting begins.
    const frames = isBefore && facts.sizeBytes >= KSA_HEAD_BYTES ? -1 : 0;
    this.#movies.unshift({ path, inode: facts.inode, frames, sizeBytes: 0, scan: NO_SCAN, format: null });
    if (!isBefore || this.#movies.length <= MOVIES_MAX) return;
    const ages = await Promise.all(this.#movies.map((movie) => look(this.#file(movie.path))));
    const age = new Map(this.#movies.map((movie, at) => [movie, ages[at]?.modifiedMs ?? 0]));
    this.#movies.sort((a, b) => (age.get(b) ?? 0) - (age.get(a) ?? 0));
    for (const old of this.#movies.splice(MOVIES_MAX)) this.#known.set(old.path, old.inode);
  }

  async #readMovie(movie: Movie, nowMs: number): Promise<Sighting | null> {
    const facts = await look(this.#file(movie.path));
    if (facts === null) return null;
    if (facts.inode !== movie.inode || facts.sizeBytes < movie.sizeBytes) this.#renew(movie, facts);
    if (facts.sizeBytes === movie.sizeBytes) return null;
    const isBaseline = movie.frames < 0;
    const format = movie.format ?? (await this.#formatOf(movie, nowMs));
    if (format === null) return null;
    movie.format = format;
    const former = Math.max(0, movie.frames);
    const formerDropped = movie.scan.dropped;
    await this.#measure(movie, format, facts.sizeBytes);
    movie.sizeBytes = format.is === 'avi' ? Math.min(facts.sizeBytes, movie.scan.at) : facts.sizeBytes;
    if (movie.frames === former && movie.scan.dropped === formerDropped && !isBaseline) return null;
    const lost = format.is === 'avi' ? { lostSoFar: movie.scan.dropped } : {};
    return {
      ...{ run: `${movie.path} ${movie.inode}`, is: 'value', number: movie.frames },
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
    Object.assign(movie, { inode: facts.inode, frames: 0, sizeBytes: 0, scan: NO_SCAN, format: null });
  }

  async #formatOf(movie: Movie, nowMs: number): Promise<MovieFormat | null> {
    const format = await readMovieFormat(this.#file(movie.path), this.#options.fixed);
    if (format !== 'unknown') return format;
    this.#known.set(movie.path, movie.inode);
    this.#movies = this.#movies.filter((one) => one !== movie);
    const text = `${movie.path} is neither a kSA movie nor an AVI, and the settings give no stride_bytes: it is passed over`;
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
