// What happened, in plain words: to the screen, to the store, to the log file. The first of a kind is written at once;
// while it repeats, one line each 30 s with the count, so that a night without network is a page and not a book.
import type { JournalEntry } from '../../contract/snapshot.ts';

/** Shortest time between two lines of the same kind, milliseconds. */
const REPEAT_MS = 30_000;
/** Entries kept for the screen. */
const KEPT = 50;
/** Kinds remembered before those that are long quiet are forgotten. */
const KINDS_MAX = 500;

export type JournalEvent = Omit<JournalEntry, 'id' | 'atMs'>;

export interface JournalOptions {
  readonly nowMs: () => number;
  /** What the 30 s are measured with: a wall clock that is set back must not silence anything. */
  readonly monotonicMs: () => number;
  /** Write it down for good, with what it belongs to; a fault of the store is told to `onFault` and the entry stays on screen. */
  readonly keep: (event: Omit<JournalEntry, 'id'>, about: string) => Promise<unknown>;
  readonly onEntry: (event: Omit<JournalEntry, 'id'>) => void;
}

export class Journal {
  readonly #options: JournalOptions;
  #entries: JournalEntry[] = [];
  #lastId = 0;
  readonly #repeats = new Map<string, { lastMs: number; held: number; event: JournalEvent; about: string }>();

  /** When this run began, wall clock. */
  readonly #sinceMs: number;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#sinceMs = options.nowMs();
  }

  /** Newest first. */
  get entries(): readonly JournalEntry[] {
    return this.#entries;
  }

  /** Kinds of events that are remembered, to tell repeats. */
  get kinds(): number {
    return this.#repeats.size;
  }

  /**
   * Put back what earlier runs wrote, newest first. What this run wrote stays above it; an entry is there once. What the
   * store itself wrote in this run (a kill before, a damaged file) is told like any other event.
   */
  restore(entries: readonly JournalEntry[]): void {
    const nameOf = ({ atMs, code, message }: JournalEntry) => JSON.stringify([atMs, code, message]);
    const known = new Set(this.#entries.map(nameOf));
    const news = entries.filter((entry) => !known.has(nameOf(entry)));
    const merged = [...this.#entries, ...news].slice(0, KEPT);
    // The store counts its ids, this run its own: numbered from scratch, no two are alike.
    this.#lastId += merged.length;
    this.#entries = merged.map((entry, at) => ({ ...entry, id: this.#lastId - at }));
    for (const { id, ...event } of news.toReversed()) if (event.atMs >= this.#sinceMs) this.#options.onEntry(event);
  }

  /**
   * Note an event. Takes level, stable code, message and hint; `about` keeps events of the same code apart (a stream, a
   * source). Trouble of the same kind repeats even if its words change; plain news repeat only when their words are the
   * same.
   */
  record(event: JournalEvent, about = ''): void {
    const nowMs = this.#options.monotonicMs();
    const kind = JSON.stringify([event.code, about, event.level === 'info' ? event.message : '']);
    const repeat = this.#repeats.get(kind);
    if (repeat && nowMs - repeat.lastMs < REPEAT_MS) {
      repeat.held += 1;
      repeat.event = event;
      return;
    }
    if (this.#repeats.size >= KINDS_MAX) this.settle();
    if (event.level === 'info') this.#countBefore(kind, event, about, nowMs);
    this.#repeats.set(kind, { lastMs: nowMs, held: 0, event, about });
    this.#write(event, about, (repeat?.held ?? 0) + 1);
  }

  /** Write the counts of repeats that are due although nothing more came of their kind. Called about once a second. */
  settle(): void {
    const nowMs = this.#options.monotonicMs();
    for (const [kind, repeat] of this.#repeats) {
      if (nowMs - repeat.lastMs < REPEAT_MS) continue;
      const { held, event, about } = repeat;
      this.#repeats.delete(kind);
      if (held === 0) continue;
      this.#repeats.set(kind, { lastMs: nowMs, held: 0, event, about });
      this.#write(event, about, held);
    }
  }

  /**
   * Write the repeats that are held of the same matter before its news, such as its end: what came before stands before. Of
   * one matter is what is about the same thing, or of the same room of codes (`service.`).
   */
  #countBefore(ownKind: string, news: JournalEvent, newsAbout: string, nowMs: number): void {
    for (const [kind, repeat] of this.#repeats) {
      const { held, event, about } = repeat;
      const isSame = (about !== '' && about === newsAbout) || roomOf(event) === roomOf(news);
      if (kind === ownKind || held === 0 || !isSame) continue;
      this.#repeats.set(kind, { lastMs: nowMs, held: 0, event, about });
      this.#write(event, about, held);
    }
  }

  #write(told: JournalEvent, about: string, times: number): void {
    const message = times > 1 ? `${told.message} (${times} times)` : told.message;
    const event = { ...told, message, atMs: this.#options.nowMs() };
    this.#lastId += 1;
    this.#entries = [{ id: this.#lastId, ...event }, ...this.#entries].slice(0, KEPT);
    this.#options.onEntry(event);
    // The screen has it; a store that refuses is reported by the recorder, in its own words.
    this.#options.keep(event, about).catch(() => {});
  }
}

const roomOf = ({ code }: JournalEvent) => code.split('.')[0];
