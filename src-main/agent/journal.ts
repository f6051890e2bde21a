// What happened, in plain words: to the screen, to the store, to the log file. The first of a kind is written at once;
// while it repeats, one line each 30 s with the count, so that a night without network is a page and not a book.
import type { JournalEntry } from '../contract/snapshot.ts';

/** Shortest time between two lines of the same kind, milliseconds. */
const REPEAT_MS = 30_000;
/** Entries kept for the screen. */
const KEPT = 50;

export type JournalEvent = Omit<JournalEntry, 'id' | 'atMs'>;

export interface JournalOptions {
  readonly nowMs: () => number;
  /** Write it down for good; a fault of the store is told to `onFault` and the entry stays on screen. */
  readonly keep: (event: Omit<JournalEntry, 'id'>) => Promise<unknown>;
  readonly onEntry: (event: Omit<JournalEntry, 'id'>) => void;
}

export class Journal {
  readonly #options: JournalOptions;
  #entries: JournalEntry[] = [];
  #lastId = 0;
  readonly #repeats = new Map<string, { lastMs: number; held: number }>();

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  /** Newest first. */
  get entries(): readonly JournalEntry[] {
    return this.#entries;
  }

  /** Put back what earlier runs wrote, newest first. */
  restore(entries: readonly JournalEntry[]): void {
    this.#entries = [...this.#entries, ...entries].slice(0, KEPT);
    this.#lastId = Math.max(this.#lastId, ...entries.map(({ id }) => id));
  }

  /**
   * Note an event.
   *
   * **Takes**: level, stable code, message and hint; `about` keeps events of the same code apart (a stream, a source).
   */
  record(event: JournalEvent, about = ''): void {
    const atMs = this.#options.nowMs();
    const kind = `${event.code}\n${about}`;
    const repeat = this.#repeats.get(kind);
    if (repeat && atMs - repeat.lastMs < REPEAT_MS) {
      repeat.held += 1;
      return;
    }
    const held = repeat?.held ?? 0;
    this.#repeats.set(kind, { lastMs: atMs, held: 0 });
    this.#write({ ...event, atMs, message: held > 0 ? `${event.message} (${held + 1} times)` : event.message });
  }

  /** The trouble of these codes is over: the next one is a first one again. */
  forget(code: string, about = ''): void {
    this.#repeats.delete(`${code}\n${about}`);
  }

  #write(event: Omit<JournalEntry, 'id'>): void {
    this.#lastId += 1;
    this.#entries = [{ id: this.#lastId, ...event }, ...this.#entries].slice(0, KEPT);
    this.#options.onEntry(event);
    // The screen has it; a store that refuses is reported by the recorder, in its own words.
    this.#options.keep(event).catch(() => {});
  }
}
