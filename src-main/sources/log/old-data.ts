// What a log folder holds that is not read yet, looked at without reading it for good: nothing is committed, handed over
// or said. For the plan of old data, which compares it with what the service holds.
// Bounds: one block of at most 1 MiB in memory; after 16 files others get their turn.

import { LINE_BYTES_MAX } from './cells/framer.ts';
import { rangeBytes } from './files/byte-ranges.ts';
import { findTwins } from './files/copies.ts';
import { skipUnopened } from './files/file-changes.ts';
import { FileRegistry } from './files/file-registry.ts';
import { scanFolder } from './files/folder-scan.ts';
import { countTail, skipToEnd } from './files/skip-to-end.ts';
import { REREAD_KEY, type WatchedFile } from './files/watched-file.ts';
import type { Folder } from './files/with-file.ts';
import { beginPart, seekByte } from './follow/file-part.ts';
import { readBlock } from './follow/file-reader.ts';
import { readMark } from './follow/folder-mark.ts';
import { Openings } from './follow/openings.ts';
import { restoreFiles } from './follow/restore-files.ts';
import type { RunOptions } from './follow/run-options.ts';
import { type LogSourceOptions, runOptionsOf } from './log-source.ts';
import { LogNotes } from './notes/log-notes.ts';

/** Files opened one after the other before others get their turn. */
const OPENED_AT_ONCE = 16;

/**
 * How a file stands: `there` is read whole by this agent; `partly` in part; `new` not at all; `copy` holds what another
 * file holds; `unreadable` waits for a person or another program.
 */
type OldState = 'there' | 'partly' | 'new' | 'copy' | 'unreadable';

export interface OldFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** When it was last changed, Unix ms. */
  readonly changedMs: number;
  readonly state: OldState;
  /** Bytes that were skipped so far. */
  readonly unreadBytes: number;
  /** Instant of its first line; null: not looked at, or it tells none. */
  readonly firstMs: number | null;
  /** Why it cannot be read, or whose copy it is; empty: neither. */
  readonly why: string;
}

/** Rows of one block of what is unread of a file. */
export interface OldRows {
  /** Channel of each column. */
  readonly channels: readonly string[];
  readonly timesMs: Float64Array;
  /** Row-major; NaN: no point. */
  readonly values: Float64Array;
}

const silent = { restarted() {}, missing() {}, lost() {}, sameContent() {}, rotated() {}, held() {}, freed() {} };

/** One folder as it stands. */
export class OldData {
  readonly #options: RunOptions;
  readonly #registry: FileRegistry;
  readonly #openings: Openings;
  readonly #scratch = new Uint8Array(LINE_BYTES_MAX);

  private constructor(options: RunOptions, positions: ReadonlyMap<string, string>) {
    this.#options = options;
    this.#registry = new FileRegistry(options, silent);
    this.#openings = new Openings(options, new LogNotes(() => undefined), positions, this.#registry);
  }

  /**
   * Look at a folder.
   *
   * @param settings - the settings of the source.
   * @param positions - what it has committed.
   * @returns the folder; no file was opened but those that changed since then.
   * @throws `log.folder-missing`, `log.folder-closed`, and those of unusable settings.
   */
  static async open(settings: LogSourceOptions, positions: ReadonlyMap<string, string>): Promise<OldData> {
    const options = runOptionsOf(settings);
    const data = new OldData(options, positions);
    const registry = data.#registry;
    restoreFiles(positions, registry, data.#openings);
    const { clock } = options;
    const list = (folder: Folder) => scanFolder(folder, options.isMatch);
    const { surveyedMs = null, lookedMs: notedMs = 0 } = readMark(positions) ?? {};
    const how = { list, isPatient: () => true, surveyedMs, notedMs };
    const { fresh } = await registry.look(how, clock);
    const known = registry.present.filter((file) => !fresh.includes(file) && file.copyOf === null && !file.isLeftOut);
    for (const file of known) await countTail(file, options);
    for (const file of fresh) skipUnopened(file, file.seen?.sizeBytes ?? 0, file.seen?.modifiedMs ?? 0);
    return data;
  }

  /** The files, by path. */
  get files(): OldFile[] {
    const originals = findTwins(this.#registry.present, this.#openings.mayRepeat);
    const files = this.#registry.present.map((file) => view(file, originals.get(file)?.path ?? null));
    return files.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Open the files that hold something unread: then their first instant and their channels are known. */
  async openFiles(): Promise<void> {
    const files = this.#registry.present.filter((file) => unreadBytesOf(file) > 0);
    for (let at = 0; at < files.length; at += OPENED_AT_ONCE) {
      const some = files.slice(at, at + OPENED_AT_ONCE).filter(({ skip }) => skip !== null);
      await Promise.all(some.map((file) => skipToEnd(file, this.#options, file.skip?.bytes ?? 0)));
    }
    await this.#openings.openNew(files, new AbortController().signal);
  }

  /**
   * The rows that are unread of a file that was opened, in order.
   *
   * @returns nothing of one that cannot be read now.
   */
  async *rowsOf(path: string): AsyncGenerator<OldRows> {
    const file = this.#registry.present.find((one) => one.path === path);
    if (file === undefined || file.layout === null || file.copyOf !== null) return;
    for (const [from, to] of file.unread) {
      const part = beginPart(file, to);
      if ((await seekByte(part, this.#options, from, this.#scratch)) !== 'found') return;
      while (part.byte < to && part.problem === null) {
        const read = await readBlock(part, this.#options, this.#scratch);
        if (read === null || typeof read === 'string') return;
        const { layout, parsed } = read;
        const columns = parsed.columns.map((column) => layout.columns[column]?.name ?? '');
        this.#openings.giveNames([{ ...file, layout, kinds: parsed.kinds }]);
        yield {
          channels: columns.map((column) => this.#openings.channelOf(file, column)),
          timesMs: parsed.timesMs,
          values: parsed.values,
        };
      }
    }
  }
}

const unreadBytesOf = ({ skip, unread }: WatchedFile) => skip?.bytes ?? rangeBytes(unread);

function view(file: WatchedFile, original: string | null): OldFile {
  const { path, seen, firstMs, problem, byte, dataByte, copyOf } = file;
  const unreadBytes = unreadBytesOf(file);
  const isRead = byte > dataByte && unreadBytes < byte - dataByte;
  const plain = unreadBytes === 0 ? 'there' : isRead ? 'partly' : 'new';
  const copied = copyOf === null ? original : copyOf.slice(0, copyOf.lastIndexOf('@'));
  const state = problem !== null ? 'unreadable' : copied !== null && unreadBytes > 0 ? 'copy' : plain;
  return {
    path,
    sizeBytes: seen?.sizeBytes ?? 0,
    changedMs: seen?.modifiedMs ?? 0,
    state,
    unreadBytes,
    firstMs: Number.isNaN(firstMs) ? null : firstMs,
    why: problem?.message ?? (state === 'copy' ? `same content as ${copied}` : ''),
  };
}

/** Whether something of a log source is still to be read again. Takes the positions of the source. */
export function isToReread(positions: ReadonlyMap<string, string>): boolean {
  return (positions.get(REREAD_KEY) ?? '') !== '';
}
