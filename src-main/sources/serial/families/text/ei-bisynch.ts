// Eurotherm EI-Bisynch (handbook HA026230): a poll names a parameter by two characters, its reply repeats them and ends with
// a check byte.
//
//   EOT 0 0 1 1 P V ENQ            ->  STX P V 6 5 2 . 4 ETX BCC, or EOT alone
//
// The address is sent with each digit twice. BCC is the exclusive or of all after STX, ETX included: it may be any value, so
// exactly one byte after ETX belongs to the reply whatever it is. A poll only reads; writing takes another form (STX ... ETX),
// which is never sent. A reply names its parameter but not its unit, and several units share a line.
import { z } from 'zod';
import { bytesOf, showBytes, textOf } from '../../protocol/bytes.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { defineFamily } from '../../protocol/family.ts';
import { exactly, type Framer } from '../../protocol/framer.ts';

const STX = 0x02;
const ETX = 0x03;
const EOT = 0x04;
const ENQ = 0x05;
const REPLY_BYTES_MAX = 256;

const Setup = z.strictObject({
  /** Channel of a unit with several loops: one digit before the parameter. */
  channel: z.string().regex(/^\d?$/, 'one digit or nothing').default(''),
  /** The converter of a two-wire line sends back what is written. */
  echo: z.boolean().default(false),
});

/** Group and unit, such as 1 or '01'. */
const Address = z.union([z.int().min(0).max(99), z.string().regex(/^\d{2}$/, 'two digits: group and unit')]);

const MNEMONIC = /^[A-Za-z0-9]{2}$/;
/** A whole poll between EOT and ENQ. */
const POLL = /^(\d)\1(\d)\2\d?[A-Za-z0-9]{2}$/;

/** The poll itself, where it comes back at once; else the reply. */
const pollOrReply = (poll: Uint8Array): Framer => ({
  maxBytes: REPLY_BYTES_MAX,
  cut: (bytes) => {
    const isPoll = bytes.length > 1 && poll.every((byte, at) => at >= bytes.length || bytes[at] === byte);
    if (!isPoll) return REPLY.cut(bytes);
    return bytes.length < poll.length ? { kind: 'more' } : { kind: 'frame', from: 0, to: poll.length };
  },
});

/** `STX ... ETX` and the one byte after it, or `EOT` alone. */
const REPLY: Framer = {
  maxBytes: REPLY_BYTES_MAX,
  cut: (bytes) => {
    const from = bytes.findIndex((byte) => byte === STX || byte === EOT);
    if (from < 0) return { kind: 'more' };
    if (bytes[from] === EOT) return { kind: 'frame', from, to: from + 1 };
    const end = bytes.indexOf(ETX, from + 1);
    return end < 0 || end + 2 > bytes.length ? { kind: 'more' } : { kind: 'frame', from, to: end + 2 };
  },
};

/** Exclusive or of bytes, as in BCC. */
export const checkByte = (bytes: Uint8Array): number => bytes.reduce((check, byte) => check ^ byte, 0);

function pollOf(address: string | number | null, parameter: string): Uint8Array {
  const digits = String(address).padStart(2, '0');
  const doubled = [...digits].map((digit) => digit + digit).join('');
  return Uint8Array.of(EOT, ...bytesOf(doubled + parameter), ENQ);
}

export const eiBisynch = defineFamily<z.output<typeof Setup>, string>({
  name: 'ei-bisynch',
  title: 'Eurotherm EI-Bisynch',
  setup: Setup,
  address: Address,
  ask: z.string().min(1).max(16),
  refuse: (ask) => (MNEMONIC.test(ask) ? null : `"${ask}" is not a mnemonic of two characters, as a poll has it`),
  mayWrite: (bytes) => {
    if (bytes.length === 1) return bytes[0] === EOT;
    return bytes[0] === EOT && bytes.at(-1) === ENQ && POLL.test(textOf(bytes.subarray(1, -1)));
  },
  neutral: () => Uint8Array.of(EOT),
  provesReply: () => false,
  *exchange(ask, { setup, address }): Exchange {
    const parameter = setup.channel + ask;
    const poll = pollOf(address, parameter);
    // An echo that comes in pieces begins like a refusal: only the setting tells.
    let frame = yield { send: poll, read: setup.echo ? exactly(poll.length) : pollOrReply(poll) };
    const isEcho = frame.bytes.length === poll.length && frame.bytes[0] === EOT;
    if (setup.echo || isEcho) frame = yield { read: REPLY };
    for (;;) {
      const { bytes, atMs } = frame;
      const raw = showBytes(bytes);
      if (bytes[0] === EOT) return { kind: 'refused', raw, reason: `it has no parameter ${parameter}`, atMs };
      if (checkByte(bytes.subarray(1, -1)) !== bytes.at(-1)) {
        return { kind: 'malformed', raw, reason: 'wrong check byte', atMs };
      }
      const text = textOf(bytes.subarray(1, -2));
      if (!/^[ -~]+$/.test(text)) return { kind: 'malformed', raw, reason: 'bytes that are no text', atMs };
      if (text.startsWith(parameter)) return { kind: 'text', text: text.slice(parameter.length).trim(), atMs };
      // The late reply to another poll.
      frame = yield { read: REPLY, isForeign: true };
    }
  },
});
