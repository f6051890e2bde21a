// What an instrument says unasked: the first rule of the profile that a frame fits reads it.
//
// Bounds: 1,000 frames are held until the channels are declared; one doubtful reading a rule until the next of its rule.
// Invariants: frames are read in the order in which they came; one that fits no rule is refused with its bytes.
import type { SourceNote } from '../../source.ts';
import type { LineListener } from '../line/line.ts';
import type { Driver, DriverHeard } from '../profile/compile-profile.ts';
import { fieldsOf } from '../profile/reply-fields.ts';
import { showBytes } from '../protocol/bytes.ts';
import type { Frame } from '../protocol/exchange.ts';
import type { Asker } from './asker.ts';
import type { ChannelBook, ReadReply } from './channel-book.ts';
import { outside, type Readings, type TimedSeries } from './readings.ts';
import { serialNotes } from './serial-notes.ts';

/** Frames that are held until the channels are declared. */
const EARLY_FRAMES_MAX = 1000;
/** The telling of units of what came before the first. */
const BEFORE_ALL = -1;

export interface Heard extends TimedSeries {
  readonly rule: DriverHeard;
}

/** What a frame is told to, once the source is ready for it. */
interface Ready {
  readonly readings: Readings;
  readonly book: ChannelBook;
  readonly count: Pick<Asker, 'read' | 'unread'>;
  readonly good: () => void;
}

export class Hearing {
  readonly #heard: readonly Heard[];
  readonly #note: (note: SourceNote) => void;
  /** A doubtful reading, by rule: it counts when the next one has the same form. */
  readonly #held = new Map<Heard, ReadReply>();
  #ready: Ready | null = null;
  #early: Frame[] = [];

  constructor(driver: Driver, note: (note: SourceNote) => void) {
    this.#note = note;
    this.#heard = driver.heard.map((rule) => ({
      id: rule.id,
      channels: rule.channels,
      names: rule.channels.map(({ name }) => name),
      everyMs: rule.expectedMs,
      isAsked: false,
      rule,
    }));
  }

  get series(): readonly Heard[] {
    return this.#heard;
  }

  /** What hears the line; null when the profile expects nothing unasked. */
  listener(framer: LineListener['framer'] | null): LineListener | null {
    if (framer === null || this.#heard.length === 0) return null;
    return {
      framer,
      onFrame: (frame) => this.#hear(frame),
      onUnreadable: (head, count, reason) => {
        if (count >= framer.maxBytes) this.#note(serialNotes.flood(count));
        const shown = showBytes(head);
        this.#ready?.count.unread({ shown, reason });
        this.#ready?.readings.notUnderstood(shown, reason);
      },
    };
  }

  /** The channels are declared: what was heard before is read now, in order. */
  begin(ready: Ready): void {
    this.#ready = ready;
    const early = this.#early;
    this.#early = [];
    // Their unit was told after them.
    for (const frame of early) this.#hear(frame, true);
  }

  /** Nothing more comes: what is still doubtful is not believed. */
  end(): void {
    for (const [heard, read] of this.#held) this.#ready?.readings.settle(heard, read, read.doubtful);
    this.#held.clear();
  }

  #hear(frame: Frame, isEarly = false): void {
    if (this.#ready === null) {
      if (this.#early.length < EARLY_FRAMES_MAX) this.#early.push(frame);
      return;
    }
    const { readings, book, count, good } = this.#ready;
    for (const heard of this.#heard) {
      const reply = heard.rule.decode(frame);
      if (reply === null || (reply.kind !== 'text' && reply.kind !== 'fields')) continue;
      const fields = fieldsOf(reply, heard.rule.cutter);
      if (fields === null) continue;
      count.read();
      good();
      if (heard.rule.note !== null) this.#note(serialNotes.line(`${heard.rule.note}: ${fields.raw}`));
      if (heard.channels.length === 0) readings.alive();
      else {
        const read = book.read(heard, fields, new Map(), frame.atMs);
        this.#take(heard, isEarly ? { ...read, telling: BEFORE_ALL } : read, readings);
      }
      return;
    }
    const shown = showBytes(frame.bytes);
    count.unread({ shown, reason: 'the pattern does not match' });
    readings.notUnderstood(shown, 'not understood');
  }

  #take(heard: Heard, read: ReadReply, readings: Readings): void {
    const held = this.#held.get(heard);
    if (!held && read.doubtful.length > 0) {
      this.#held.set(heard, read);
      return;
    }
    this.#held.delete(heard);
    if (held) readings.settle(heard, held, outside(held.doubtful, read.doubtful));
    readings.accept(heard, read);
  }
}
