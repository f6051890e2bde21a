// What was read goes to the outbox, what was missed to the gaps, and silence is told while it lasts: again each time that it
// has doubled. A reading that may have lost a character is settled by the next one; what of it was wrong is refused with
// its text.
import type { Clock } from '../../../platform/clock.ts';
import type { Refusal, SourceSink } from '../../source.ts';
import type { Gap, GapWatch } from '../line/gap-watch.ts';
import type { ChannelBook, ReadReply, Series } from './channel-book.ts';
import type { HeldReadings } from './held-readings.ts';
import type { Outbox, Row } from './outbox.ts';
import { serialNotes, type Unread } from './serial-notes.ts';

/** A series with the time that is expected between two readings; null: it comes when it comes. */
export interface TimedSeries extends Series {
  readonly everyMs: number | null;
  /** False: the instrument says it unasked. */
  readonly isAsked: boolean;
}

export class Readings {
  readonly #sink: SourceSink;
  readonly #outbox: Outbox;
  readonly #held: HeldReadings;
  readonly #gaps: GapWatch;
  readonly #clock: Clock;
  readonly #book: ChannelBook;
  /** Monotonic clock at the last reading, or at the opening. */
  #goodMs: number;
  #toldSilentMs = 0;

  constructor(sink: SourceSink, outbox: Outbox, held: HeldReadings, gaps: GapWatch, clock: Clock, book: ChannelBook) {
    this.#sink = sink;
    this.#outbox = outbox;
    this.#held = held;
    this.#gaps = gaps;
    this.#clock = clock;
    this.#book = book;
    this.#goodMs = clock.monotonicMs();
  }

  /** How long nothing was read, milliseconds. */
  get silentMs(): number {
    return this.#clock.monotonicMs() - this.#goodMs;
  }

  /** A reading that is believed. */
  accept(series: TimedSeries, read: ReadReply): void {
    this.#book.believe(read);
    this.alive();
    this.tell(this.#gaps.read(series.id, read.row.atMs, series.everyMs ?? 0, series.isAsked));
    this.#put(series, read, read.row, read.refusals);
  }

  /** A doubtful reading, now that the next one is there: channels that were wrong are refused with their text. */
  settle(series: TimedSeries, read: ReadReply, wrong: readonly string[]): void {
    if (wrong.length === 0) {
      this.accept(series, read);
      return;
    }
    const refusals = wrong.map((channel) => {
      const text = read.texts.get(channel)?.text ?? '';
      this.#sink.note(serialNotes.slip(channel, text));
      return { ...this.#book.refuseLine(text, 'a character was lost or added on the line'), channel };
    });
    const { channels } = read.row;
    const values = read.row.values.map((value, at) => (wrong.includes(channels[at] as string) ? Number.NaN : value));
    this.#put(series, read, { ...read.row, values }, [...read.refusals, ...refusals]);
  }

  /** The instrument answered, and said that it has no value. */
  refused(series: TimedSeries, text: string, reason: string, atMs: number): void {
    this.alive();
    this.tell(this.#gaps.read(series.id, atMs, series.everyMs ?? 0, series.isAsked));
    this.#outbox.add([], this.#book.refuseAll(series, text, reason));
  }

  /** A reading whose status was not told: what depends on it is refused, and the reading is missing. */
  untold(series: TimedSeries, read: ReadReply): void {
    this.#put(series, read, read.row, read.refusals);
  }

  #put({ channels, everyMs }: TimedSeries, { telling }: ReadReply, row: Row, refusals: readonly Refusal[]): void {
    const lookups = channels.flatMap(({ unit }) => (typeof unit === 'string' ? [] : unit.lookup));
    this.#held.add(row, refusals, lookups, everyMs ?? 0, telling === this.#book.telling);
  }

  /** A reply that could not be read. */
  unreadable(series: TimedSeries, text: string, reason: string): void {
    this.#outbox.add([], this.#book.refuseAll(series, text, reason));
  }

  /** Bytes that belong to no channel and could not be read. */
  notUnderstood(text: string, reason: string): void {
    this.#outbox.add([], [this.#book.refuseLine(text, reason)]);
  }

  /** A series was not read; the first cause stands until it is read again. */
  missed(what: string, cause: string): void {
    this.#gaps.missed(what, cause);
  }

  /** Something came that makes sense. */
  alive(): void {
    this.#goodMs = this.#clock.monotonicMs();
    if (this.#toldSilentMs > 0) this.#sink.note(serialNotes.answers());
    this.#toldSilentMs = 0;
  }

  /** Tell the silence, again each time it has doubled, with what came meanwhile that was no reply. */
  tellSilence(everyMs: number, received: Unread | null): void {
    const { silentMs } = this;
    if (silentMs < 2 * this.#toldSilentMs) return;
    this.#toldSilentMs = silentMs;
    this.#sink.note(serialNotes.silent(silentMs, everyMs, received));
  }

  /** Hand gaps over. */
  tell(gaps: readonly Gap[]): void {
    for (const { fromMs, toMs, cause } of gaps) this.#sink.gap(fromMs, toMs, cause);
  }
}

/** Names that are not among others. */
export const outside = (names: readonly string[], others: readonly string[]) =>
  names.filter((name) => !others.includes(name));
