// The window protocol of Agilent (Varian) ion pump and turbo pump controllers: `STX address window '0' ETX crc` reads a
// window; `'1'` and data would write it and is never sent. The reply names its window; crc is the XOR of everything behind
// STX, as two hexadecimal digits. Source: Agilent 4UHV manual 87-900-137-01 p. 73-79.
import { z } from 'zod';
import { bytesOf, joinBytes, showBytes, textOf } from '../../protocol/bytes.ts';
import type { Exchange, Frame, Reply } from '../../protocol/exchange.ts';
import { defineFamily, type FamilyContext } from '../../protocol/family.ts';
import { byLength } from '../../protocol/framer.ts';

const Setup = z.strictObject({});
type Context = Omit<FamilyContext<z.infer<typeof Setup>>, 'isReply'>;

const STX = 0x02;
const ETX = 0x03;
const READ = 0x30;
const ANSWERS: Readonly<Record<number, string>> = {
  6: 'it answers with an acknowledgement',
  21: 'the command failed',
  50: 'it has no such window',
  51: 'wrong type of data',
  52: 'value out of range',
  53: 'this window is disabled',
};

/** Two hexadecimal digits of the XOR of some bytes. */
function crc(bytes: Uint8Array): Uint8Array {
  const value = bytes.reduce((xor, byte) => xor ^ byte, 0);
  return bytesOf(value.toString(16).toUpperCase().padStart(2, '0'));
}

function question(window: string, { address }: Context): Uint8Array {
  const body = Uint8Array.of(0x80 + (address as number), ...bytesOf(window), READ, ETX);
  return joinBytes(Uint8Array.of(STX), body, crc(body));
}

const framer = byLength(64, (bytes) => {
  if (bytes[0] !== STX) return 'broken';
  const end = bytes.indexOf(ETX);
  return end < 0 ? null : end + 3;
});

/** What a frame says; null when it is that of another window or unit, or our own heard back. */
function readFrame({ bytes, atMs }: Frame, window: string, { address }: Context): Reply | null {
  const raw = showBytes(bytes);
  const malformed = (reason: string): Reply => ({ kind: 'malformed', raw, reason, atMs });
  const body = bytes.subarray(1, -2);
  if (textOf(crc(body)) !== textOf(bytes.subarray(-2)).toUpperCase()) return malformed('wrong checksum');
  // Over RS-232 the unit answers with the address that it has stored, whatever it was asked under.
  if (address !== 0 && body[0] !== 0x80 + (address as number)) return null;
  const [, answer = 0] = body;
  if (body.length === 3) return { kind: 'refused', raw, reason: ANSWERS[answer] ?? `it answers ${answer}`, atMs };
  const data = textOf(body.subarray(5, -1)).trim();
  if (textOf(body.subarray(1, 4)) !== window || data === '') return null;
  return body[4] === READ ? { kind: 'text', text: data, atMs } : malformed('it is no reply to a reading');
}

export const agilentWindow = defineFamily<z.infer<typeof Setup>, string>({
  name: 'agilent-window',
  title: 'window protocol of Agilent and Varian pump controllers',
  setup: Setup,
  address: z.int().min(0).max(31),
  /** A window, three digits. */
  ask: z.string(),
  refuse: (ask) => (/^\d{3}$/.test(ask) ? null : `"${ask}" is no window (three digits)`),
  mayWrite: (bytes, context) => {
    const window = textOf(bytes.subarray(2, 5));
    return /^\d{3}$/.test(window) && showBytes(bytes) === showBytes(question(window, context));
  },
  neutral: () => new Uint8Array(),
  provesReply: () => true,
  *exchange(ask, context): Exchange {
    let frame = yield { send: question(ask, context), read: framer };
    for (;;) {
      const reply = readFrame(frame, ask, context);
      if (reply !== null) return reply;
      frame = yield { read: framer };
    }
  },
});
