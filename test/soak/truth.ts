// What emulated instruments said: each value once, a function of a counter, other values on each channel. So a stored value
// tells which reply it came from, and a wrong, doubled, late or misattributed one is found. Where the unit is set at the
// front, no value is said under two units, so that a stored value tells its unit, too.

/** What was done to a reply. */
export type Deed = 'whole' | 'noise' | 'cut' | 'late' | 'silence';

export interface Said {
  /** Counts up by one with each reply of the channel. */
  readonly n: number;
  readonly value: number;
  /** When the question came in, or the frame went out, Unix ms. */
  readonly askedMs: number;
  readonly deed: Deed;
  /** The unit that the value is in: the one that stood at the front when it was said. */
  readonly unit: string;
}

/** Replies of one channel, in order. */
export class ChannelTruth {
  readonly sourceId: string;
  readonly channel: string;
  /** Time between two readings, milliseconds: expected by the source. */
  readonly everyMs: number;
  readonly isAsked: boolean;
  readonly said: Said[] = [];
  /** When questions came in on its line, whatever they asked, Unix ms, in order; shared by the channels of the line. */
  readonly asks: number[];
  readonly #byValue = new Map<number, Said>();

  constructor(place: Pick<ChannelTruth, 'sourceId' | 'channel' | 'everyMs' | 'isAsked'>, asks: number[]) {
    this.asks = asks;
    this.sourceId = place.sourceId;
    this.channel = place.channel;
    this.everyMs = place.everyMs;
    this.isAsked = place.isAsked;
  }

  /** Note a reply; a value that was said before is a fault of the emulator. */
  add(value: number, askedMs: number, deed: Deed, unit: string): void {
    if (this.#byValue.has(value)) throw new Error(`${this.sourceId} ${this.channel}: ${value} is said twice`);
    const said = { n: this.said.length, value, askedMs, deed, unit };
    this.said.push(said);
    this.#byValue.set(value, said);
  }

  find(value: number): Said | undefined {
    return this.#byValue.get(value);
  }
}

/** A time in which a line gave nothing, made on purpose, Unix ms. */
export interface Outage {
  readonly line: string;
  readonly kind: 'unplugged' | 'switched off';
  readonly fromMs: number;
  readonly toMs: number;
}
