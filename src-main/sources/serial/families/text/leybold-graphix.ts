// Leybold GRAPHIX ONE, TWO, THREE over RS-232: a parameter is asked for by group and number, with a check byte.
//
//   SI 1 ; 2 9 SPACE CRC EOT        ->  ACK 1.00E-03 CRC EOT, or NAK and an error
//
// CRC is 255 less the sum of all before it modulo 256, and 32 more where that is a control character: so EOT always ends a
// frame. SI reads; SO writes and is never sent. A reply does not name its question.
import { z } from 'zod';
import { bytesOf, showBytes, textOf } from '../../protocol/bytes.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { defineFamily, noAddress } from '../../protocol/family.ts';
import { untilBytes } from '../../protocol/framer.ts';

const SI = 0x0f;
const EOT = 0x04;
const ACK = 0x06;
const NAK = 0x15;
const REPLY = untilBytes(Uint8Array.of(EOT), 512);

/** Group (a channel, set points, the unit itself) and number of a parameter. */
const PARAMETER = /^[1-5];\d{1,2}$/;

const Setup = z.strictObject({
  /** Replies with a wrong check byte are refused. That it is computed as in questions is not verified. */
  check_replies: z.boolean().default(true),
});

/** The check byte of what stands before it. */
function graphixCheck(bytes: Uint8Array): number {
  const check = 255 - (bytes.reduce((sum, byte) => sum + byte, 0) % 256);
  return check < 32 ? check + 32 : check;
}

function questionOf(parameter: string): Uint8Array {
  const body = Uint8Array.of(SI, ...bytesOf(`${parameter} `));
  return Uint8Array.of(...body, graphixCheck(body), EOT);
}

export const leyboldGraphix = defineFamily({
  name: 'leybold-graphix',
  title: 'Leybold GRAPHIX',
  setup: Setup,
  address: noAddress,
  ask: z.string().min(1).max(16),
  refuse: (ask) => (PARAMETER.test(ask) ? null : `"${ask}" is not group;parameter, as a question has it`),
  mayWrite: (bytes) => {
    const parameter = textOf(bytes.subarray(1, -3));
    return PARAMETER.test(parameter) && textOf(bytes) === textOf(questionOf(parameter));
  },
  neutral: () => new Uint8Array(),
  provesReply: () => false,
  *exchange(ask, { setup }): Exchange {
    const { bytes, atMs } = yield { send: questionOf(ask), read: REPLY };
    const raw = showBytes(bytes);
    // What stands before ACK or NAK is left from a frame whose beginning was lost.
    const from = bytes.findIndex((byte) => byte === ACK || byte === NAK);
    const frame = bytes.subarray(Math.max(0, from));
    if (from < 0 || frame.length < 3) return { kind: 'malformed', raw, reason: 'neither ACK nor NAK in it', atMs };
    if (setup.check_replies && graphixCheck(frame.subarray(0, -2)) !== frame.at(-2)) {
      return { kind: 'malformed', raw, reason: 'wrong check byte', atMs };
    }
    const text = textOf(frame.subarray(1, -2)).trim();
    if (frame[0] === NAK) return { kind: 'refused', raw, reason: `it refuses ${ask}: error ${text}`, atMs };
    if (!/^[ -~]*$/.test(text)) return { kind: 'malformed', raw, reason: 'bytes that are no text', atMs };
    return { kind: 'text', text, atMs };
  },
});
