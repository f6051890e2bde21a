// What is known of an instrument's channels while it is connected: units that were looked up, counters that began again,
// and the last reading that is believed. From a reply it makes a row of values and the cells that are none.
// Bound: one entry a channel. Invariant: a cell is a value or a refusal with its text, never both, never a guess.
import type { ChannelDeclaration } from '../../../model/channel.ts';
import type { ChannelRule } from '../../../model/instrument.ts';
import type { Refusal } from '../../source.ts';
import type { Driver } from '../profile/compile-profile.ts';
import { type Cell, readCell } from '../profile/read-cell.ts';
import type { Fields } from '../profile/reply-fields.ts';
import { isOneSlipFrom, type ReadText } from './lost-character.ts';
import type { Row } from './outbox.ts';

/** A reply, read: one row, and the cells that are no values. */
export interface ReadReply {
  readonly row: Row;
  readonly refusals: readonly Refusal[];
  /** Channels whose value one lost or gained character would explain. */
  readonly doubtful: readonly string[];
  /** Whether a number is none that can be, and none that was so the last time: it is worth another question. */
  readonly isBeyond: boolean;
  readonly texts: ReadonlyMap<string, ReadText>;
  /** The telling of units that stood when it was read: `ChannelBook.telling`. */
  readonly telling: number;
}

/** What a question or an unsolicited line gives, with its channels' names in one array that stays the same. */
export interface Series {
  readonly id: string;
  readonly channels: readonly ChannelRule[];
  readonly names: readonly string[];
}

/** The reading after one that could not be read, and the one that it is compared with. */
const LOOKS = 2;

/** Whether a value is less than half or more than twice the one before. */
const isLeap = (value: number, before: number) =>
  Math.abs(value - before) > Math.max(Math.abs(value), Math.abs(before)) / 2;

export class ChannelBook {
  readonly #driver: Driver;
  readonly #place: string;
  readonly #units = new Map<string, string>();
  #telling = 0;
  readonly #believed = new Map<string, ReadText>();
  /** Channels of which something could not be read, and how many of the next readings may not leap unseen. */
  readonly #unsure = new Map<string, number>();
  /** Channels whose last number could not be. */
  readonly #beyond = new Set<string>();
  readonly #turns = new Map<string, { last: number; added: number }>();
  #rows = 0;

  /** Takes the driver, and where the instrument is: port and address, for refusals and origins. */
  constructor(driver: Driver, place: string) {
    this.#driver = driver;
    this.#place = place;
  }

  /** Note what a lookup answered. */
  setUnit(lookup: string, unit: string): void {
    if (this.#units.get(lookup) !== unit) this.#telling += 1;
    this.#units.set(lookup, unit);
  }

  /** The unit is not told any more; gives whether it was before. */
  forgetUnit(lookup: string): boolean {
    const wasTold = this.#units.delete(lookup);
    if (wasTold) this.#telling += 1;
    return wasTold;
  }

  /** Counts the changes of units: what was read under another telling has other units. */
  get telling(): number {
    return this.#telling;
  }

  /** The unit that a lookup answered last; undefined before that. */
  unitOf(lookup: string): string | undefined {
    return this.#units.get(lookup);
  }

  /** Declare the channels of some series. */
  declare(series: readonly (Series & { readonly everyMs: number | null })[]): ChannelDeclaration[] {
    const { title } = this.#driver.profile;
    return series.flatMap(({ id, channels, everyMs }) =>
      channels.map((channel) => ({
        name: channel.name,
        quantity: channel.quantity,
        unit: this.#unitOf(channel),
        origin: `${title}, ${this.#place}: ${id}`,
        expectedIntervalMs: everyMs,
      })),
    );
  }

  #unitOf({ unit }: ChannelRule): string {
    return typeof unit === 'string' ? unit : (this.#units.get(unit.lookup) ?? '');
  }

  /**
   * Read the channels of a reply.
   *
   * @param companions - those of the questions asked for a status (by id).
   * @param atMs - when its first byte came.
   */
  read(series: Series, fields: Fields, companions: ReadonlyMap<string, Fields | null>, atMs: number): ReadReply {
    this.#rows += 1;
    const refusals: Refusal[] = [];
    const doubtful: string[] = [];
    const beyond: string[] = [];
    const texts = new Map<string, ReadText>();
    const values = series.channels.map((channel) => {
      const asked = channel.status?.question ?? null;
      const statusFields = asked === null ? fields : (companions.get(asked) ?? null);
      const cell = readCell(channel, fields, statusFields, this.#unitOf(channel));
      if (this.#isNewlyBeyond(channel.name, cell)) beyond.push(channel.name);
      if (cell.kind === 'state') {
        if (cell.isUnknown) this.#unsure.set(channel.name, LOOKS);
        refusals.push(this.#refusal(channel.name, cell.text, cell.reason));
        return Number.NaN;
      }
      if (cell.text !== '' && this.#isDoubtful(channel, cell)) doubtful.push(channel.name);
      texts.set(channel.name, { text: cell.text, value: cell.value });
      return channel.counter === null ? cell.value : this.#turn(channel.name, cell.value, channel.counter);
    });
    return {
      row: { channels: series.names, atMs, values },
      refusals,
      doubtful,
      isBeyond: beyond.length > 0,
      texts,
      telling: this.#telling,
    };
  }

  /** A reply could not be read: what leaps right after it is doubted. */
  disturb({ names }: Series): void {
    for (const name of names) this.#unsure.set(name, LOOKS);
  }

  /** These readings are believed: the next ones are compared with them. */
  believe({ texts }: ReadReply): void {
    for (const [channel, read] of texts) if (read.text !== '') this.#believed.set(channel, read);
  }

  /** A reply that gives no value for any channel: refused whole, with its text. */
  refuseAll(series: Series, text: string, reason: string): Refusal[] {
    this.#rows += 1;
    return series.channels.map(({ name }) => this.#refusal(name, text, reason));
  }

  /** A line that belongs to no channel. */
  refuseLine(text: string, reason: string): Refusal {
    this.#rows += 1;
    return this.#refusal('', text, reason);
  }

  #refusal(channel: string, text: string, reason: string): Refusal {
    return { place: this.#place, line: this.#rows, byte: null, channel, text: text.slice(0, 200), reason };
  }

  #isNewlyBeyond(name: string, cell: Cell): boolean {
    const wasBeyond = this.#beyond.delete(name);
    const isBeyond = cell.kind === 'state' && cell.isBeyond === true;
    if (isBeyond) this.#beyond.add(name);
    return isBeyond && !wasBeyond;
  }

  #isDoubtful({ name, steady }: ChannelRule, cell: Extract<Cell, { kind: 'value' }>): boolean {
    const looks = this.#unsure.get(name) ?? 0;
    this.#unsure.set(name, Math.max(0, looks - 1));
    const believed = this.#believed.get(name);
    if (!steady || believed === undefined) return false;
    return isOneSlipFrom(cell, believed) || (looks > 0 && isLeap(cell.value, believed.value));
  }

  /** A counter that begins again at its end goes on rising; one that goes back otherwise was restarted. */
  #turn(name: string, value: number, modulo: number): number {
    const { last, added } = this.#turns.get(name) ?? { last: value, added: 0 };
    const hasTurned = value < last && last - value > modulo / 2;
    const next = hasTurned ? added + modulo : value < last ? 0 : added;
    this.#turns.set(name, { last: value, added: next });
    return value + next;
  }
}
