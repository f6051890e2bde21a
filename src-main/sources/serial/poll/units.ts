// Units that are set at the instrument: it is asked for them when it is connected and after each few readings, so that no
// reading goes out under a unit that it had not (held-readings.ts).
//
// Bounds: a lookup that was not answered is asked once more at once, then each 5 s; each 60 s where nothing waits for it.
import type { Clock } from '../../../platform/clock.ts';
import type { SourceNote } from '../../source.ts';
import type { Driver } from '../profile/compile-profile.ts';
import { fieldsOf } from '../profile/reply-fields.ts';
import type { Asker } from './asker.ts';
import type { ChannelBook } from './channel-book.ts';
import type { HeldReadings } from './held-readings.ts';
import { serialNotes } from './serial-notes.ts';

type Lookup = Driver['lookups'][number];

/** Units are asked for again so often, milliseconds, where no reading waits for them. */
const LOOKUP_MS = 60_000;
/** So long after one that was not told, milliseconds. */
const AGAIN_MS = 5000;

export interface UnitsParts {
  readonly driver: Driver;
  readonly asker: Asker;
  readonly book: ChannelBook;
  readonly held: HeldReadings;
  readonly clock: Clock;
  readonly note: (note: SourceNote) => void;
  /** Declare the channels with the units that the book has now. */
  readonly declare: () => void;
}

export class Units {
  readonly #parts: UnitsParts;
  #askedMs = 0;

  constructor(parts: UnitsParts) {
    this.#parts = parts;
  }

  /** When the units are to be asked for, monotonic clock; infinite where it has none to tell. */
  get dueMs(): number {
    const { driver, held } = this.#parts;
    if (driver.lookups.length === 0) return Number.POSITIVE_INFINITY;
    return Math.min(held.dueMs ?? Number.POSITIVE_INFINITY, this.#askedMs + LOOKUP_MS);
  }

  /**
   * Ask for all of them, and release or refuse what waits for them.
   *
   * @throws as the connection ended.
   */
  async ask(): Promise<void> {
    const { driver, book, held, clock, note, declare } = this.#parts;
    this.#askedMs = clock.monotonicMs();
    const same = new Map<string, number>();
    const without: string[] = [];
    let isChanged = false;
    for (const lookup of driver.lookups) {
      const { name } = lookup;
      const { told, askedMs } = await this.#askTwice(lookup);
      const was = book.unitOf(name);
      if (typeof told === 'string' && told === was) same.set(name, askedMs);
      else if (typeof told === 'string') {
        if (was !== undefined) note(serialNotes.unit(name, told, was));
        held.refuse(
          name,
          was === undefined ? 'their unit was not told before them' : `the unit was changed from ${was} to ${told}`,
        );
        held.await(name, true);
        book.setUnit(name, told);
        isChanged = true;
      } else {
        if (was === undefined) note(serialNotes.noUnit(name));
        if (held.isGivenUp || (told === undefined && was === undefined)) without.push(name);
      }
    }
    held.release(same);
    for (const name of without) {
      // It tells none: what it says has none from here on.
      isChanged = book.forgetUnit(name) || isChanged;
      held.await(name, false);
    }
    if (isChanged) declare();
    held.release(new Map([...same, ...without.map((name) => [name, Number.POSITIVE_INFINITY] as const)]));
    held.postpone(AGAIN_MS);
  }

  /**
   * The unit, with the monotonic clock at the question that it answers; undefined when the instrument says that it tells none,
   * null when nothing came that could be read.
   */
  async #askTwice({ ask, cutter, words }: Lookup): Promise<{ told: string | undefined | null; askedMs: number }> {
    const { asker, clock } = this.#parts;
    let askedMs = clock.monotonicMs();
    for (const isAgain of [false, true]) {
      if (isAgain && !(await asker.getInStep())) break;
      askedMs = clock.monotonicMs();
      const outcome = await asker.ask(ask, { accepts: cutter.fits });
      if (outcome.kind !== 'reply' || outcome.reply.kind === 'malformed') continue;
      if (outcome.reply.kind === 'refused') return { told: undefined, askedMs };
      const word = fieldsOf(outcome.reply, cutter)?.get(null);
      if (word === undefined) continue;
      const text = String(word);
      const known = Object.entries(words).find(([key]) => key.toLowerCase() === text.toLowerCase());
      return { told: known?.[1] ?? text, askedMs };
    }
    return { told: null, askedMs };
  }
}
