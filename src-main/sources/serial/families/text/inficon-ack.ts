// INFICON XTM/2 and IC/5. Without a checksum ACK ends a command and its reply, NAK a refusal; with one both are frames that
// say how long they are, and the reply begins with ACK or NAK.
//
//   S 1 ACK                      ->  1.37 ACK, or an error letter and NAK
//   STX 00 03 S 1 sum            ->  STX 00 05 ACK 1.37 sum, or NAK and an error letter
//
// The length counts what stands between it and the sum, high byte first; the sum is that of these bytes, modulo 256.
// A command that was cut has no time-out: what is left of it joins the next one. A lone ACK ends it, with a refusal that is
// dropped. A reply does not name its question. Status (S) and query (Q) commands read; update (U) and remote (R) commands act.
// `S 11` is not sent: reading the power-up errors clears one of them.
import { z } from 'zod';
import { bytesOf, showBytes, textOf } from '../../protocol/bytes.ts';
import type { Exchange, Reply } from '../../protocol/exchange.ts';
import { defineFamily, noAddress } from '../../protocol/family.ts';
import { byLength, type Framer } from '../../protocol/framer.ts';

const STX = 0x02;
const ACK = 0x06;
const NAK = 0x15;

/** Commands that only read, by the language of the instrument. */
const READS = {
  /** XTM/2 manual, 3.8.5: hello, status, query of parameters of a film. */
  xtm2: /^(H|S ([0-9]|10|12|13)|Q ([0-5]|99) [1-9]|Q 6)$/,
  /** IC/5 manual, chapter 7: hello, status of a layer, general status. */
  ic5: /^(H|SL \d{1,2} \d{1,3}|SG \d{1,2})$/,
} as const;

/** README of junglejim63/inficon-deposition-sim, after the XTM/2 manual. */
const ERRORS: Readonly<Record<string, string>> = {
  A: 'illegal command',
  B: 'illegal value',
  C: 'illegal id',
  D: 'illegal format',
  E: 'no data',
  F: 'not possible now',
};

const Setup = z.strictObject({
  commands: z.enum(['xtm2', 'ic5']),
  /** Set at the instrument: its frames carry a length and a checksum. */
  checksum: z.boolean().default(false),
});
const REPLY_BYTES_MAX = 1024;

const REPLY: Framer = {
  maxBytes: 1024,
  cut: (bytes) => {
    const end = bytes.findIndex((byte) => byte === ACK || byte === NAK);
    return end < 0 ? { kind: 'more' } : { kind: 'frame', from: 0, to: end + 1 };
  },
};

const FRAME: Framer = byLength(REPLY_BYTES_MAX, (bytes) => {
  if (bytes[0] !== STX) return 'broken';
  if (bytes.length < 3) return null;
  const count = (bytes[1] as number) * 256 + (bytes[2] as number);
  return count < 1 || count > REPLY_BYTES_MAX - 4 ? 'broken' : count + 4;
});

const sumOf = (bytes: Uint8Array) => bytes.reduce((sum, byte) => (sum + byte) & 0xff, 0);

/** A command as it is written. */
function encode(ask: string, hasChecksum: boolean): Uint8Array {
  const message = bytesOf(ask);
  if (!hasChecksum) return Uint8Array.of(...message, ACK);
  return Uint8Array.of(STX, 0, message.length, ...message, sumOf(message));
}

/** What a frame says, with the sign that tells how it is meant; null when its sum is wrong. */
function decode(
  bytes: Uint8Array,
  hasChecksum: boolean,
): { readonly sign: number | undefined; readonly text: string } | null {
  if (!hasChecksum) return { sign: bytes.at(-1), text: textOf(bytes.subarray(0, -1)) };
  const message = bytes.subarray(3, -1);
  return sumOf(message) === bytes.at(-1) ? { sign: message[0], text: textOf(message.subarray(1)) } : null;
}

export const inficonAck = defineFamily({
  name: 'inficon-ack',
  title: 'INFICON commands that end with ACK',
  setup: Setup,
  address: noAddress,
  ask: z.string().min(1).max(32),
  refuse: (ask, { setup }) => (READS[setup.commands].test(ask) ? null : `"${ask}" is not a command that only reads`),
  mayWrite: (bytes, { setup }) => {
    const { commands, checksum } = setup;
    if (!checksum && bytes.length === 1) return bytes[0] === ACK;
    const ask = textOf(checksum ? bytes.subarray(3, -1) : bytes.subarray(0, -1));
    const written = READS[commands].test(ask) ? encode(ask, checksum) : null;
    return written !== null && written.length === bytes.length && written.every((byte, at) => bytes[at] === byte);
  },
  // A frame that was cut is ended by the next one, whose sum then is wrong; only the form without sums needs a sign.
  neutral: ({ setup }) => (setup.checksum ? new Uint8Array() : Uint8Array.of(ACK)),
  provesReply: () => false,
  *exchange(ask, { setup }): Exchange {
    const { checksum } = setup;
    const { bytes, atMs } = yield { send: encode(ask, checksum), read: checksum ? FRAME : REPLY };
    const malformed = (reason: string): Reply => ({ kind: 'malformed', raw: showBytes(bytes), reason, atMs });
    const said = decode(bytes, checksum);
    if (said === null) return malformed('wrong checksum');
    // A number has its sign in the first place and blanks between it and its digits.
    // A line end at either side is none of its blanks: a character that was changed may look so.
    const text = said.text.replace(/^ +| +$/g, '').replaceAll(/- +(?=[\d.])/g, '-');
    // A data log holds line ends; nothing else that is no text belongs in a reply.
    if (!/^[ -~\r\n]*$/.test(text)) return malformed('bytes that are no text');
    if (said.sign === ACK) return { kind: 'text', text, atMs };
    if (said.sign !== NAK) return malformed('neither ACK nor NAK');
    return { kind: 'refused', raw: text, reason: `it refuses ${ask}: ${ERRORS[text] ?? `error ${text}`}`, atMs };
  },
});
