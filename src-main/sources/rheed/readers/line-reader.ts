// Counts by the lines of a text or JSON-lines log that is only appended to: each line is a frame, or tells where the counter
// stands. The newest files are followed; each is a run of its own.
//
// Bounds: 4 files are followed, 4 MiB of each a look; a line of more than 64 KiB is skipped; a walk 2 s apart at least.
// Of all other files one entry is kept, with how far it was read. Invariant: a line is read once, when its end is there,
// also when its file is given another name; a file that got shorter, or another one in its place, is read from its
// beginning.
import { join } from 'node:path';
import { z } from 'zod';
import { readRange } from '../../../platform/read-range.ts';
import type { CounterEvent, CounterReader, Sighting } from '../count/sighting.ts';
import { compileNames, type NamePattern } from '../files/name-pattern.ts';
import { Renames, runOf, takeRenamed } from '../files/renames.ts';
import { type FileFacts, Inode, look, lookAtAll, WalkPace, walkFolder } from '../files/walk.ts';
import { withFile } from '../files/with-file.ts';
import { type CounterText, TEXT_MAX } from './counter-text.ts';

const WALK_MS = 2000;
const FILES_MAX = 4;
/** Read of a file in one look at most, bytes: 120 lines a second are far less. */
const BYTES_A_LOOK = 4 * 1024 * 1024;
/** Lines in a row without a number before that is told. */
const UNREAD_MAX = 20;
const BELIEVED_MS = 2000;
/** Files that are looked at by each walk though they are not followed. */
const LOOKED_AT_MAX = 500;

export const LineState = z.object({
  /** Null: nothing was seen yet. */
  seenMs: z.number().nullable(),
  files: z.array(
    z.object({
      path: z.string(),
      inode: Inode,
      at: z.number(),
      run: z.string().optional(),
      bornMs: z.number().nullish(),
    }),
  ),
});

/** How a log that is not followed any more was when it was last looked at. */
interface KnownLog {
  readonly inode: string;
  readonly at: number;
  readonly modifiedMs: number;
}

interface Followed {
  /** Where it lies now: logs are given another name when a new one begins. */
  path: string;
  inode: string;
  bornMs?: number | null | undefined;
  /** Names it as a run, whatever it is called later. */
  run: string;
  /** When it was last changed, as far as is known. */
  modifiedMs: number;
  /** First byte that was not read. */
  at: number;
  /** When it had been read to its end, steady Unix ms; null: not in this life, so that its lines may be of any time. */
  sinceMs: number | null;
  /** The number that stands there already is where counting begins. */
  isBaseline: boolean;
}

export interface LineReaderOptions {
  /** Folder, absolute. */
  readonly path: string;
  readonly match: string;
  readonly text: CounterText;
  /** `each`: a line for each frame. `value`: a line now and then. */
  readonly is: 'each' | 'value';
  readonly monotonicMs: () => number;
  readonly state: unknown;
  /** Breaks a look off. */
  readonly signal?: AbortSignal | undefined;
}

export class LineReader implements CounterReader {
  readonly #options: LineReaderOptions;
  readonly #pattern: NamePattern;
  readonly #pace = new WalkPace();
  #files: Followed[] = [];
  /** Paths that are not followed, and how far they had come. */
  readonly #known = new Map<string, KnownLog>();
  readonly #renames: Renames<Followed>;
  #events: CounterEvent[] = [];
  #unread = 0;
  #isFirst = true;
  #seenMs: number | null = null;
  #formerLookMs: number | null = null;

  constructor(options: LineReaderOptions) {
    this.#options = options;
    this.#pattern = compileNames(options.match, null);
    this.#renames = new Renames({ folder: options.path, max: FILES_MAX, readBytes: ({ at }) => at });
    const state = LineState.safeParse(options.state);
    if (!state.success) return;
    this.#seenMs = state.data.seenMs;
    const begin = { isBaseline: false, sinceMs: null, modifiedMs: Number.NaN };
    this.#files = state.data.files.map((file) => ({ ...file, run: file.run ?? runOf(file), ...begin }));
  }

  describe(): string {
    return `lines of ${this.#options.match} in ${this.#options.path}`;
  }

  state(): z.infer<typeof LineState> {
    return {
      seenMs: this.#seenMs,
      files: this.#files.map(({ path, inode, at, run, bornMs }) => ({ path, inode, at, run, bornMs })),
    };
  }

  takeEvents(): readonly CounterEvent[] {
    return this.#events.splice(0);
  }

  close(): void {
    // Nothing is held open between two looks.
  }

  async look(nowMs: number): Promise<readonly Sighting[]> {
    const startMs = this.#options.monotonicMs();
    // A machine that is busy takes its time for a look: what is read at its end was not there at its begin.
    const readMs = () => nowMs + this.#options.monotonicMs() - startMs;
    if (this.#isFirst || this.#pace.isDue(startMs)) await this.#walk();
    const sightings: Sighting[] = [];
    for (const file of this.#files.toReversed()) sightings.push(...(await this.#readFile(file, readMs)));
    this.#isFirst = false;
    this.#seenMs = nowMs;
    this.#formerLookMs = nowMs;
    return sightings;
  }

  async #walk(): Promise<void> {
    const found: string[] = [];
    let names = 0;
    const onFile = (path: string) => {
      names += 1;
      if (this.#pattern.read(path) !== null) found.push(path);
    };
    await walkFolder(this.#options.path, onFile, () => {}, '', this.#options.signal);
    const isLookedAt = found.length <= LOOKED_AT_MAX;
    const fresh = found.filter(
      (path) => (isLookedAt || !this.#known.has(path)) && !this.#files.some((file) => file.path === path),
    );
    const met: Followed[] = [];
    for (const { path, facts } of await lookAtAll(this.#options.path, fresh, this.#options.signal)) {
      const { inode, bornMs, sizeBytes, modifiedMs } = facts;
      const known = await this.#knownAt(path, facts);
      if (facts.isFolder || (known?.inode === inode && known.at === sizeBytes)) continue;
      const renamed = await this.#renames.find(path, facts, this.#files);
      if (renamed) {
        if (!this.#files.includes(renamed)) this.#files.push(renamed);
        continue;
      }
      const isBefore = this.#isFirst && (this.#seenMs === null || modifiedMs <= this.#seenMs);
      if (isBefore && this.#seenMs !== null) this.#known.set(path, { inode, at: sizeBytes, modifiedMs });
      else {
        // A file that nobody followed any more and that goes on is read from where it stood.
        // What is there at the first look stands at its end, whether it is followed or not.
        const at = isBefore ? sizeBytes : known?.inode === inode && sizeBytes > known.at ? known.at : 0;
        const begin = { at, run: runOf({ path, inode, bornMs }), sinceMs: null, isBaseline: isBefore };
        met.push({ path, inode, bornMs, modifiedMs, ...begin });
      }
    }
    met.sort((a, b) => b.modifiedMs - a.modifiedMs);
    this.#files.unshift(...met);
    for (const { path, inode, at, modifiedMs } of this.#files.splice(FILES_MAX))
      this.#known.set(path, { inode, at, modifiedMs });
    this.#pace.made(this.#options.monotonicMs(), names, WALK_MS);
  }

  /** How far a log that is not followed had come, also when it was given another name since. */
  async #knownAt(path: string, facts: FileFacts): Promise<KnownLog | undefined> {
    const known = this.#known.get(path);
    if (known?.inode === facts.inode) return known;
    return (await takeRenamed(this.#options.path, path, facts, this.#known)) ?? known;
  }

  async #readFile(file: Followed, readMs: () => number): Promise<Sighting[]> {
    const facts = await look(this.#file(file.path));
    if (facts === null) return [];
    // Another file in its place, or the same one cut: it is read from its beginning.
    const inPlace = facts.inode === file.inode ? null : await this.#renames.takePlace(file, facts, this.#files);
    if (inPlace) {
      this.#files = inPlace;
      return [];
    }
    if (facts.inode !== file.inode || facts.sizeBytes < file.at) this.#renew(file, facts);
    file.modifiedMs = facts.modifiedMs;
    if (file.isBaseline) return this.#readBaseline(file, facts.sizeBytes, readMs());
    if (facts.sizeBytes === file.at) {
      file.sinceMs = this.#formerLookMs;
      return [];
    }
    const wanted = Math.min(BYTES_A_LOOK, facts.sizeBytes - file.at);
    const bytes = await withFile(this.#file(file.path), (handle) => readRange(handle, file.at, wanted));
    if (bytes === null) return [];
    const end = bytes.lastIndexOf(10) + 1;
    // A line that is longer than any counter's is skipped, or it would be read for ever.
    const taken = end > 0 ? end : bytes.length >= TEXT_MAX ? bytes.length : 0;
    file.at += taken;
    const lines = Buffer.from(bytes.subarray(0, end)).toString('utf8').split('\n');
    const nowMs = readMs();
    const sightings = lines.flatMap((line) => this.#readLine(file, line, facts.modifiedMs, nowMs, false));
    if (file.at === facts.sizeBytes) file.sinceMs = this.#formerLookMs;
    return sightings;
  }

  #renew(file: Followed, facts: FileFacts): void {
    const { inode, bornMs } = facts;
    if (inode !== file.inode) this.#renames.displace(file);
    Object.assign(file, { inode, bornMs, at: 0, run: runOf({ path: file.path, inode, bornMs }) });
  }

  /** Only the last number that is there already is read. */
  async #readBaseline(file: Followed, sizeBytes: number, nowMs: number): Promise<Sighting[]> {
    const from = Math.max(0, sizeBytes - TEXT_MAX);
    const bytes = await withFile(this.#file(file.path), (handle) => readRange(handle, from, sizeBytes - from));
    // Held by its writer: the next look tells.
    if (bytes === null) return [];
    file.isBaseline = false;
    const end = bytes.lastIndexOf(10) + 1;
    file.at = from + end;
    const lines = Buffer.from(bytes.subarray(0, end)).toString('utf8').split('\n');
    const last = lines.findLast((line) => this.#options.text.read(line.trimEnd()) !== null);
    return last === undefined ? [] : this.#readLine(file, last, 0, nowMs, true);
  }

  #readLine(file: Followed, line: string, modifiedMs: number, nowMs: number, isBaseline: boolean): Sighting[] {
    const text = line.trimEnd();
    if (text === '') return [];
    const words = this.#options.text.read(text);
    if (words === null) {
      this.#unread += 1;
      if (this.#unread === UNREAD_MAX) {
        const shown = `${file.path}: ${UNREAD_MAX} lines in a row hold no number where the settings say, the last: ${text.slice(0, 100)}`;
        this.#events.push({ is: 'unreadable', atMs: nowMs, text: shown });
      }
      return [];
    }
    this.#unread = 0;
    const { number, ownMs, lost } = words;
    const own = lost === null ? {} : { lostSoFar: lost };
    const time = this.#timeOf(file, ownMs, modifiedMs, nowMs);
    return [{ run: file.run, is: this.#options.is, number, ...time, ownMs, isBaseline, ...own }];
  }

  #timeOf(file: Followed, ownMs: number | null, modifiedMs: number, nowMs: number) {
    const sinceMs = this.#formerLookMs ?? nowMs;
    const earliestMs = (file.sinceMs ?? Number.NEGATIVE_INFINITY) - BELIEVED_MS;
    if (ownMs !== null && ownMs >= earliestMs && ownMs <= nowMs + 100) {
      return { atMs: Math.min(ownMs, nowMs), uncertaintyMs: 10 };
    }
    // Lines of one write have one time: they came after the former look, and not after the file was last written to.
    const toMs = modifiedMs >= sinceMs && modifiedMs <= nowMs ? modifiedMs : nowMs;
    return { atMs: (sinceMs + toMs) / 2, uncertaintyMs: (toMs - sinceMs) / 2 };
  }

  #file(path: string): string {
    return join(this.#options.path, path);
  }
}
