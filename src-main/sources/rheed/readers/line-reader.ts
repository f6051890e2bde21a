// Counts by the lines of a text or JSON-lines log that is only appended to: each line is a frame, or tells where the counter
// stands. The newest files are followed; each is a run of its own.
//
// Bounds: 4 files are followed (growing-files.ts), 4 MiB of each a look; a line of more than 64 KiB is skipped; a walk 2 s
// apart at least. Invariant: a line is read once, when its end is there, whatever its file is called; a file that got
// shorter is read from its beginning.
import { join } from 'node:path';
import { z } from 'zod';
import type { CounterEvent, CounterReader, Sighting } from '../count/sighting.ts';
import { type Growing, GrowingFiles, GrowingState, restored } from '../files/growing-files.ts';
import { compileNames } from '../files/name-pattern.ts';
import { readRange } from '../files/read-range.ts';
import { withFile } from '../files/with-file.ts';
import { type CounterText, TEXT_MAX } from './counter-text.ts';

const WALK_MS = 2000;
const FILES_MAX = 4;
/** Read of a file in one look at most, bytes: 120 lines a second are far less. */
const BYTES_A_LOOK = 4 * 1024 * 1024;
/** Lines in a row without a number before that is told. */
const UNREAD_MAX = 20;
const BELIEVED_MS = 2000;
/** A time that its writer told is so far off, milliseconds. */
const WRITTEN_MS = 10;
/** Systems round times of files by so much, milliseconds. */
const TICK_MS = 16;

export const LineState = z.object({
  /** Null: nothing was seen yet. */
  seenMs: z.number().nullable(),
  files: z.array(z.object({ ...GrowingState, at: z.number() })),
});

interface Log extends Growing {
  /** First byte that was not read. */
  at: number;
  /** When it had been read to its end, steady Unix ms; null: not in this life, so that its lines may be of any time. */
  sinceMs: number | null;
}

export interface LineReaderOptions {
  /** Folder, absolute. */
  readonly path: string;
  readonly match: string;
  readonly text: CounterText;
  /** `each`: a line for each frame. `value`: a line now and then. */
  readonly kind: 'each' | 'value';
  readonly monotonicMs: () => number;
  readonly state: unknown;
  /** Breaks a look off. */
  readonly signal?: AbortSignal | undefined;
}

export class LineReader implements CounterReader {
  readonly #options: LineReaderOptions;
  readonly #files: GrowingFiles<Log>;
  #events: CounterEvent[] = [];
  #unread = 0;
  #formerLookMs: number | null = null;

  constructor(options: LineReaderOptions) {
    this.#options = options;
    const { path, match, monotonicMs, signal } = options;
    const state = LineState.safeParse(options.state).data;
    this.#files = new GrowingFiles({
      folder: path,
      pattern: compileNames(match, null),
      monotonicMs,
      signal,
      max: FILES_MAX,
      isWatched: false,
      walkMs: WALK_MS,
      walkBlindMs: WALK_MS,
      seenMs: state?.seenMs ?? null,
      files: (state?.files ?? []).map((file) => ({ ...restored(file), at: file.at, sinceMs: null })),
      make: (file) => ({ ...file, at: 0, sinceMs: null }),
    });
  }

  describe(): string {
    return `lines of ${this.#options.match} in ${this.#options.path}`;
  }

  state(): z.infer<typeof LineState> {
    const kept = ({ path, inode, bornMs, run, at }: Log) => ({ path, inode, bornMs, run, at });
    return { seenMs: this.#files.seenMs, files: this.#files.live.map(kept) };
  }

  takeEvents(): readonly CounterEvent[] {
    return this.#events.splice(0);
  }

  close(): void {
    this.#files.close();
  }

  async look(nowMs: number): Promise<readonly Sighting[]> {
    const startMs = this.#options.monotonicMs();
    // A machine that is busy takes its time for a look: what is read at its end was not there at its begin.
    const readMs = () => nowMs + this.#options.monotonicMs() - startMs;
    const sightings: Sighting[] = [];
    const grown = new Set<Log>();
    for (const file of await this.#files.look(nowMs)) {
      const { at } = file;
      sightings.push(...(await this.#readFile(file, readMs)));
      if (file.at !== at) grown.add(file);
    }
    this.#files.settle(grown);
    this.#formerLookMs = nowMs;
    return sightings;
  }

  async #readFile(file: Log, readMs: () => number): Promise<Sighting[]> {
    const { wholeBytes } = file;
    if (file.isBaseline) return this.#readBaseline(file, wholeBytes, readMs());
    if (wholeBytes < file.at) file.at = 0;
    if (wholeBytes === file.at) {
      file.sinceMs = this.#formerLookMs;
      return [];
    }
    const wanted = Math.min(BYTES_A_LOOK, wholeBytes - file.at);
    const bytes = await withFile(this.#file(file.path), (handle) => readRange(handle, file.at, wanted));
    if (bytes === null) return [];
    const end = bytes.lastIndexOf(10) + 1;
    // A line that is longer than any counter's is skipped, or it would be read for ever.
    const taken = end > 0 ? end : bytes.length >= TEXT_MAX ? bytes.length : 0;
    file.at += taken;
    const lines = Buffer.from(bytes.subarray(0, end)).toString('utf8').trimEnd().split('\n');
    const nowMs = readMs();
    const isOld = file.sinceMs === null;
    const sightings = lines.flatMap((line, at) =>
      this.#readLine(file, line, nowMs, { isOld }, at === lines.length - 1),
    );
    file.isBehind = taken > 0 && file.at < wholeBytes;
    if (file.at === wholeBytes) file.sinceMs = this.#formerLookMs;
    return sightings;
  }

  /** Only the last number that is there already is read. */
  async #readBaseline(file: Log, sizeBytes: number, nowMs: number): Promise<Sighting[]> {
    const from = Math.max(0, sizeBytes - TEXT_MAX);
    const bytes = await withFile(this.#file(file.path), (handle) => readRange(handle, from, sizeBytes - from));
    // Held by its writer: the next look tells.
    if (bytes === null) return [];
    file.isBaseline = false;
    const end = bytes.lastIndexOf(10) + 1;
    file.at = from + end;
    const lines = Buffer.from(bytes.subarray(0, end)).toString('utf8').split('\n');
    const last = lines.findLast((line) => this.#options.text.read(line.trimEnd()) !== null);
    return last === undefined ? [] : this.#readLine(file, last, nowMs, { isBaseline: true });
  }

  #readLine(
    file: Log,
    line: string,
    nowMs: number,
    what: Pick<Sighting, 'isBaseline' | 'isOld'>,
    isNewest = false,
  ): Sighting[] {
    const text = line.trimEnd();
    if (text === '') return [];
    const words = this.#options.text.read(text);
    if (words === null) {
      this.#unread += 1;
      if (this.#unread === UNREAD_MAX) {
        const shown = `${file.path}: ${UNREAD_MAX} lines in a row hold no number where the settings say, the last: ${text.slice(0, 100)}`;
        this.#events.push({ kind: 'unreadable', atMs: nowMs, text: shown });
      }
      return [];
    }
    this.#unread = 0;
    const { number, ownMs, lost } = words;
    const own = lost === null ? {} : { lostSoFar: lost };
    const time = this.#timeOf(file, ownMs, nowMs, isNewest);
    return [{ run: file.run, kind: this.#options.kind, number, ...time, ownMs, ...what, ...own }];
  }

  #timeOf(file: Log, ownMs: number | null, nowMs: number, isNewest: boolean) {
    const sinceMs = this.#formerLookMs ?? nowMs;
    const earliestMs = (file.sinceMs ?? Number.NEGATIVE_INFINITY) - BELIEVED_MS;
    if (ownMs !== null && ownMs >= earliestMs && ownMs <= nowMs + 100) {
      return { atMs: Math.min(ownMs, nowMs), uncertaintyMs: WRITTEN_MS };
    }
    // Lines of one write have one time: the newest came when the file was last written to, the others before it.
    const modifiedMs = Math.min(file.modifiedMs, nowMs);
    if (modifiedMs < sinceMs - TICK_MS || file.modifiedMs > nowMs + TICK_MS) {
      return { atMs: (sinceMs + nowMs) / 2, uncertaintyMs: (nowMs - sinceMs) / 2 };
    }
    return { atMs: modifiedMs, uncertaintyMs: isNewest ? WRITTEN_MS : Math.max(WRITTEN_MS, modifiedMs - sinceMs) };
  }

  #file(path: string): string {
    return join(this.#options.path, path);
  }
}
