// How a question is put and answered, without any input or output: a generator of steps. It says what to write and how the
// next frame ends; its runner (the line, or a test) writes, waits and hands the frame in.
//
//   function* askGauge(): Exchange {
//     const ack = yield { send: bytesOf('PR1\r\n'), read: untilBytes(CRLF) };
//     if (ack.bytes[0] !== ACK) return refused(...);
//     const data = yield { send: ENQ, read: untilBytes(CRLF) };
//     return { kind: 'text', text: ..., atMs: data.atMs };
//   }
//
// Time-outs, gaps, flushing and what comes late are the line's business; the generator is then simply not gone on with.
import type { Framer } from './framer.ts';

/** A frame that was read, with the wall clock (steady, Unix ms) at which its first byte arrived. */
export interface Frame {
  readonly bytes: Uint8Array;
  readonly atMs: number;
}

export interface Step {
  /** Written before anything is read; absent: nothing is written. */
  readonly send?: Uint8Array;
  /** How the next frame ends; null: none is expected, the exchange goes on at once with an empty frame. */
  readonly read: Framer | null;
  /** The frame handed in last is not part of this exchange: the listener to unsolicited frames gets it. */
  readonly isForeign?: boolean;
}

export type Reply =
  /** Text, to be cut into fields as the instrument's profile says. */
  | { readonly kind: 'text'; readonly text: string; readonly atMs: number }
  /** Values that the family decoded itself; `raw` is what is shown and kept with a refused cell. */
  | {
      readonly kind: 'fields';
      readonly fields: Readonly<Record<string, number | string>>;
      readonly raw: string;
      readonly atMs: number;
    }
  /** The instrument understood and said no, or says that it has no value. The line is in step. */
  | { readonly kind: 'refused'; readonly raw: string; readonly reason: string; readonly atMs: number }
  /** Wrong checksum or form: nothing in it is believed, and the line is brought back in step. */
  | { readonly kind: 'malformed'; readonly raw: string; readonly reason: string; readonly atMs: number };

export type Exchange = Generator<Step, Reply, Frame>;
