// Instruments that are never asked, because they say what they read by themselves: the probe listens for them.
//
// Bound: 5 s. Two frames that can be read make an instrument: one may be chance.
import type { Clock } from '../../../platform/clock.ts';
import { Line, type LineListener } from '../line/line.ts';
import type { Transport } from '../line/transport.ts';
import { ChannelBook } from '../poll/channel-book.ts';
import type { Unread } from '../poll/serial-notes.ts';
import type { Driver } from '../profile/compile-profile.ts';
import { fieldsOf } from '../profile/reply-fields.ts';
import { showBytes } from '../protocol/bytes.ts';
import type { Frame } from '../protocol/exchange.ts';

/** What a probe reads of a channel. */
export interface ProbeReading {
  readonly channel: string;
  readonly unit: string;
  /** Null: no value; `text` says why. */
  readonly value: number | null;
  readonly text: string;
}

/** A reading as a person compares it with the display. */
export const showReading = ({ channel, unit, value, text }: ProbeReading): string =>
  value === null ? `${channel}: no value (${text})` : `${channel}: ${value} ${unit}`.trimEnd();

const LISTEN_MS = 5000;
const FRAMES = 2;

/** What came while somebody listened. */
export interface Overheard {
  /** What it said last, by channel; null: fewer than two frames that can be read. */
  readonly readings: readonly ProbeReading[] | null;
  /** What came last and fits nothing that it says, as `showBytes` shows it; null: nothing. */
  readonly unread: Unread | null;
}

/** What an instrument says by itself, read by its rules. */
export class HeardValues {
  readonly #driver: Driver;
  readonly #book: ChannelBook;
  readonly #newest = new Map<string, ProbeReading>();
  /** Frames with values. */
  frames = 0;
  unread: Unread | null = null;

  constructor(driver: Driver, place: string) {
    this.#driver = driver;
    this.#book = new ChannelBook(driver, place);
  }

  /** What it said last, by channel. */
  get readings(): ProbeReading[] {
    return [...this.#newest.values()];
  }

  take(frame: Frame): void {
    for (const { id, channels, decode, cutter } of this.#driver.heard) {
      const reply = decode(frame);
      const fields = reply?.kind === 'text' || reply?.kind === 'fields' ? fieldsOf(reply, cutter) : null;
      if (fields === null) continue;
      const series = { id, channels, names: channels.map(({ name }) => name) };
      const { row, refusals } = this.#book.read(series, fields, new Map(), frame.atMs);
      for (const [at, { name: channel, unit }] of this.#book.declare([{ ...series, everyMs: null }]).entries()) {
        const value = row.values[at] ?? Number.NaN;
        const refusal = refusals.find((refused) => refused.channel === channel);
        const text = refusal ? `${refusal.text}: ${refusal.reason}` : '';
        this.#newest.set(channel, { channel, unit, value: Number.isFinite(value) ? value : null, text });
      }
      if (channels.length > 0) this.frames += 1;
      return;
    }
    this.unread = { shown: showBytes(frame.bytes), reason: 'the pattern does not match' };
  }
}

/**
 * Listen for an instrument.
 *
 * @throws those of the transport.
 */
export async function listenFor(
  driver: Driver,
  transport: Transport,
  clock: Clock,
  signal: AbortSignal,
): Promise<Overheard> {
  const { framer } = driver.family;
  if (framer === null) return { readings: null, unread: null };
  const enough = new AbortController();
  const heard = new HeardValues(driver, transport.name);
  const onFrame = (frame: Frame) => {
    heard.take(frame);
    if (heard.frames >= FRAMES) enough.abort();
  };
  const onUnreadable: LineListener['onUnreadable'] = (head, _, reason) => {
    heard.unread = { shown: showBytes(head), reason };
  };
  const listener: LineListener = { framer, onFrame, onUnreadable };
  const line = await Line.open(transport, clock, driver.profile.timing.settle_ms, listener);
  try {
    await clock.sleep(LISTEN_MS, AbortSignal.any([signal, enough.signal, line.ended]));
  } finally {
    await line.close();
  }
  return { readings: heard.frames >= FRAMES ? heard.readings : null, unread: heard.unread };
}
