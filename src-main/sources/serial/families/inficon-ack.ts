// INFICON XTM/2 and IC/5, RS-232 without checksum: ACK ends a command and its reply, NAK a refusal.
//
//   S 1 ACK          ->  1.37 ACK, or an error letter and NAK
//
// A command that was cut has no time-out: what is left of it joins the next one. A lone ACK ends it, with a refusal that is
// dropped. A reply does not name its question. Status (S) and query (Q) commands read; update (U) and remote (R) commands act.
// `S 11` is not sent: reading the power-up errors clears one of them.
import { z } from 'zod';
import { bytesOf, showBytes, textOf } from '../bytes.ts';
import type { Exchange } from '../exchange.ts';
import { defineFamily, noAddress } from '../family.ts';
import type { Framer } from '../framer.ts';

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

const Setup = z.strictObject({ commands: z.enum(['xtm2', 'ic5']) });

const REPLY: Framer = {
  maxBytes: 1024,
  cut: (bytes) => {
    const end = bytes.findIndex((byte) => byte === ACK || byte === NAK);
    return end < 0 ? { is: 'more' } : { is: 'frame', from: 0, to: end + 1 };
  },
};

export const inficonAck = defineFamily({
  name: 'inficon-ack',
  title: 'INFICON commands that end with ACK',
  setup: Setup,
  address: noAddress,
  ask: z.string().min(1).max(32),
  refuse: (ask, { setup }) => (READS[setup.commands].test(ask) ? null : `"${ask}" is not a command that only reads`),
  mayWrite: (bytes, { setup }) => {
    if (bytes.at(-1) !== ACK) return false;
    return bytes.length === 1 || READS[setup.commands].test(textOf(bytes.subarray(0, -1)));
  },
  neutral: () => Uint8Array.of(ACK),
  provesReply: () => false,
  *exchange(ask): Exchange {
    const { bytes, atMs } = yield { send: Uint8Array.of(...bytesOf(ask), ACK), read: REPLY };
    // A number has its sign in the first place and blanks between it and its digits.
    const text = textOf(bytes.subarray(0, -1))
      .trim()
      .replaceAll(/- +(?=[\d.])/g, '-');
    // A data log holds line ends; nothing else that is no text belongs in a reply.
    if (!/^[ -~\r\n]*$/.test(text)) {
      return { is: 'malformed', raw: showBytes(bytes), reason: 'bytes that are no text', atMs };
    }
    if (bytes.at(-1) === ACK) return { is: 'text', text, atMs };
    return { is: 'refused', raw: text, reason: `it refuses ${ask}: ${ERRORS[text] ?? `error ${text}`}`, atMs };
  },
});
