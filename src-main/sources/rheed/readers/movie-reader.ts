// Counts the frames of movies that grow: files of fixed stride (kSA .imm, or as the settings say) by their size, AVI by its
// chunks and, once it is closed, its index, TIFF by its pages. Each file is a run of its own.
//
// Bounds: the 4 movies that grew last are followed (growing-files.ts); a walk 10 s apart at least, 1 s while the system tells
// nothing. Invariant: a frame counts when all of its bytes are there, and once, whatever its movie is called; a file that got
// shorter begins again.
import { join } from 'node:path';
import { z } from 'zod';
import type { CounterEvent, CounterReader, Sighting } from '../count/sighting.ts';
import { type Growing, GrowingFiles, GrowingState, restored } from '../files/growing-files.ts';
import { compileNames } from '../files/name-pattern.ts';
import { readRange } from '../files/read-range.ts';
import { withFile } from '../files/with-file.ts';
import { isAvi, type MovieScan, NO_SCAN, scanAvi } from './avi-scan.ts';
import { KSA_HEAD_BYTES, type KsaHeader, readKsaHeader } from './ksa-header.ts';
import { isTiff, scanTiff } from './tiff-scan.ts';

const WALK_MS = 10_000;
const WALK_BLIND_MS = 1000;
/** Movies that may grow side by side; older ones are done. */
const MOVIES_MAX = 4;

/** How the frames of a file lie. */
export type MovieFormat =
  | { readonly kind: 'ksa'; readonly header: KsaHeader }
  | { readonly kind: 'avi' }
  | { readonly kind: 'tiff' }
  | { readonly kind: 'fixed'; readonly headerBytes: number; readonly strideBytes: number };

const Scan = z.object({ at: z.number(), frames: z.number(), dropped: z.number(), indexed: z.number().nullable() });
export const MovieState = z.object({
  /** Null: nothing was seen yet. */
  seenMs: z.number().nullable(),
  movies: z.array(
    z.object({
      ...GrowingState,
      frames: z.number(),
      sizeBytes: z.number(),
      scan: Scan,
    }),
  ),
});

interface Movie extends Growing {
  frames: number;
  /** Bytes of it that were read. */
  sizeBytes: number;
  scan: MovieScan;
  /** `unknown`: it is no movie. */
  format: MovieFormat | 'unknown' | null;
}

export interface MovieReaderOptions {
  /** Folder, absolute. */
  readonly path: string;
  readonly match: string;
  /** Layout of files that say nothing themselves; null: kSA, AVI and TIFF only. */
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
  if (isAvi(head)) return { kind: 'avi' };
  const header = readKsaHeader(head);
  if (header) return { kind: 'ksa', header };
  if (fixed) return { kind: 'fixed', ...fixed };
  if (isTiff(head)) return { kind: 'tiff' };
  return head.length < KSA_HEAD_BYTES ? null : 'unknown';
}

export class MovieReader implements CounterReader {
  readonly #options: MovieReaderOptions;
  readonly #files: GrowingFiles<Movie>;
  #events: CounterEvent[] = [];
  #formerLookMs: number | null = null;

  constructor(options: MovieReaderOptions) {
    this.#options = options;
    const { path, match, monotonicMs, signal } = options;
    const state = MovieState.safeParse(options.state).data;
    this.#files = new GrowingFiles({
      folder: path,
      pattern: compileNames(match, null),
      monotonicMs,
      signal,
      max: MOVIES_MAX,
      isWatched: true,
      walkMs: WALK_MS,
      walkBlindMs: WALK_BLIND_MS,
      seenMs: state?.seenMs ?? null,
      files: (state?.movies ?? []).map((movie) => ({ ...movie, ...restored(movie), format: null })),
      make: (file) => ({ ...file, frames: 0, sizeBytes: 0, scan: NO_SCAN, format: null }),
    });
  }

  describe(): string {
    return `movies ${this.#options.match} in ${this.#options.path}`;
  }

  state(): z.infer<typeof MovieState> {
    const kept = ({ path, inode, bornMs, run, frames, sizeBytes, scan }: Movie) => ({
      path,
      inode,
      bornMs,
      run,
      frames,
      sizeBytes,
      scan,
    });
    return { seenMs: this.#files.seenMs, movies: this.#files.live.map(kept) };
  }

  takeEvents(): readonly CounterEvent[] {
    return this.#events.splice(0);
  }

  close(): void {
    this.#files.close();
  }

  async look(nowMs: number): Promise<readonly Sighting[]> {
    const startMs = this.#options.monotonicMs();
    const sightings: Sighting[] = [];
    const grown = new Set<Movie>();
    for (const movie of await this.#files.look(nowMs)) {
      const sighting = await this.#readMovie(movie, nowMs + this.#options.monotonicMs() - startMs);
      if (!sighting) continue;
      sightings.push(sighting);
      grown.add(movie);
    }
    this.#files.settle(grown);
    this.#formerLookMs = nowMs;
    return sightings;
  }

  async #readMovie(movie: Movie, nowMs: number): Promise<Sighting | null> {
    const { wholeBytes, isBaseline } = movie;
    if (wholeBytes < movie.sizeBytes) Object.assign(movie, { frames: 0, sizeBytes: 0, scan: NO_SCAN, format: null });
    if (wholeBytes === movie.sizeBytes) return null;
    const isOld = movie.sizeBytes === 0 || movie.isBehind;
    movie.format ??= await this.#formatOf(movie, nowMs);
    const { format, frames, scan } = movie;
    if (format === null || format === 'unknown') return null;
    await this.#measure(movie, format);
    // A scan goes on in steps; where counting only begins it goes to the end at once.
    while (isBaseline && movie.scan.isCut) {
      this.#options.signal?.throwIfAborted();
      await this.#measure(movie, format);
    }
    movie.isBaseline = false;
    movie.isBehind = movie.scan.isCut ?? false;
    const isScanned = format.kind === 'avi' || format.kind === 'tiff';
    movie.sizeBytes = isScanned ? Math.min(wholeBytes, movie.scan.at) : wholeBytes;
    if (movie.frames === frames && movie.scan.dropped === scan.dropped && !isBaseline) return null;
    const lost = format.kind === 'avi' ? { lostSoFar: movie.scan.dropped } : {};
    return {
      run: movie.run,
      kind: 'value',
      number: movie.frames,
      ...this.#timeOf(movie, nowMs),
      ownMs: movie.modifiedMs,
      isBaseline,
      isOld,
      ...lost,
    };
  }

  async #measure(movie: Movie, format: MovieFormat): Promise<void> {
    if (format.kind === 'avi' || format.kind === 'tiff') {
      const goOn = format.kind === 'avi' ? scanAvi : scanTiff;
      const scan = await withFile(this.#file(movie.path), (handle) => goOn(handle, movie.wholeBytes, movie.scan));
      const hadIndex = movie.scan.indexed !== null;
      movie.scan = scan ?? movie.scan;
      movie.frames = movie.scan.frames;
      const { indexed, frames, dropped } = movie.scan;
      if (indexed === null || hadIndex || indexed === frames + dropped) return;
      const text = `the index of ${movie.path} lists ${indexed} frames, ${frames + dropped} were found`;
      this.#events.push({ kind: 'index-differs', atMs: this.#files.seenMs ?? 0, text });
      return;
    }
    const { headerBytes, strideBytes } =
      format.kind === 'ksa' ? { headerBytes: 0, strideBytes: format.header.strideBytes } : format;
    movie.frames = Math.max(0, Math.floor((movie.wholeBytes - headerBytes) / strideBytes));
  }

  async #formatOf(movie: Movie, nowMs: number): Promise<Movie['format']> {
    const format = await readMovieFormat(this.#file(movie.path), this.#options.fixed);
    if (format !== 'unknown') return format;
    const text = `${movie.path} is no kSA movie, AVI or TIFF, and the settings give no stride_bytes: it is skipped`;
    this.#events.push({ kind: 'passed-over', atMs: nowMs, text });
    return format;
  }

  #timeOf({ modifiedMs }: Movie, nowMs: number) {
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
