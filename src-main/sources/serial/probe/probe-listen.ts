// Instruments that are never asked, because they say what they read by themselves: the probe listens for them.
//
// Bound: 5 s. Two frames that can be read make an instrument: one may be chance.
import type { Clock } from '../../../platform/clock.ts';
import { Line, type LineListener } from '../line/line.ts';
import type { Transport } from '../line/transport.ts';
import { ChannelBook } from '../poll/channel-book.ts';
import type { Driver } from '../profile/compile-profile.ts';
import { fieldsOf } from '../profile/reply-fields.ts';
import type { Frame } from '../protocol/exchange.ts';

/** What a probe reads of a channel. */
export interface ProbeReading {
  readonly channel: string;
  readonly unit: string;
  /** Null: no value; `text` says why. */
  readonly value: number | null;
  readonly text: string;
}

const LISTEN_MS = 5000;
const FRAMES = 2;

/**
 * Listen for an instrument.
 *
 * @returns what it said last, by channel; null when nothing came that it says.
 * @throws those of the transport.
 */
export async function listenFor(
  driver: Driver,
  transport: Transport,
  clock: Clock,
  signal: AbortSignal,
): Promise<ProbeReading[] | null> {
  const { framer } = driver.family;
  if (framer === null) return null;
  const enough = new AbortController();
  const book = new ChannelBook(driver, transport.name);
  const newest = new Map<string, ProbeReading>();
  let frames = 0;
  const onFrame = (frame: Frame) => {
    for (const { id, channels, decode, cutter } of driver.heard) {
      const reply = decode(frame);
      const fields = reply?.kind === 'text' || reply?.kind === 'fields' ? fieldsOf(reply, cutter) : null;
      if (fields === null) continue;
      const names = channels.map(({ name }) => name);
      const series = { id, channels, names };
      const { row, refusals } = book.read(series, fields, new Map(), frame.atMs);
      for (const [at, { name: channel, unit }] of book.declare([{ ...series, everyMs: null }]).entries()) {
        const value = row.values[at] ?? Number.NaN;
        const refusal = refusals.find((refused) => refused.channel === channel);
        const text = refusal ? `${refusal.text}: ${refusal.reason}` : '';
        newest.set(channel, { channel, unit, value: Number.isFinite(value) ? value : null, text });
      }
      if (channels.length > 0) frames += 1;
      if (frames >= FRAMES) enough.abort();
      return;
    }
  };
  const listener: LineListener = { framer, onFrame, onUnreadable: () => {} };
  const line = await Line.open(transport, clock, driver.profile.timing.settle_ms, listener);
  try {
    await clock.sleep(LISTEN_MS, AbortSignal.any([signal, enough.signal, line.ended]));
  } finally {
    await line.close();
  }
  return frames >= FRAMES ? [...newest.values()] : null;
}
