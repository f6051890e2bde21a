// INFICON XTC/3 and IC6: binary frames with a length and a sum.
//
//   length(2) message sum                              02 00 'S' 01 54
//   length(2) status timer ACK data sum                07 00 00 10 06 29 5c af 3f 89   (a float, 1.37)
//
// The length, its low byte first, counts what stands between it and the sum; the sum is that of the same bytes modulo 256.
// The timer counts quarters of a second. In the place of ACK and data stands a letter when a command is refused. A reply does
// not name its question; one of another size is never taken. Only status commands are sent: letters, then the number of the
// status and, with the IC6, of the sensor, each one byte. Update and remote commands change parameters or act.
// Source: XTC/3 manual p. 110-113, 132, 140; IC6 manual p. 171, 223.
import { z } from 'zod';
import { bytesOf, joinBytes, showBytes, textOf } from '../../protocol/bytes.ts';
import type { Exchange, Reply } from '../../protocol/exchange.ts';
import { defineFamily, noAddress } from '../../protocol/family.ts';
import { byLength } from '../../protocol/framer.ts';

const ACK = 0x06;
const LENGTH_BYTES = 2;
/** Longest frame that is believed; replies to one status question are far shorter. */
const MESSAGE_MAX = 512;

/** Status questions, by the language of the instrument. */
const READS = {
  /** Crystal, rate, power, thickness, state, crystal life, frequency; H 1: name. */
  xtc3: /^(S ([0-4]|9|13)|H 1)$/,
  /** Of a sensor: frequency, thickness, rate. */
  ic6: /^SS (7|12|13) [1-8]$/,
} as const;

const BYTES = { float32: 4, int32: 4, uint8: 1 } as const;

const Setup = z.strictObject({ commands: z.enum(['xtc3', 'ic6']) });
const Ask = z.strictObject({
  /** Letters and numbers as the manuals print them: `S 1`, `SS 13 2`. */
  ask: z.string().min(1).max(16),
  as: z.enum(['float32', 'int32', 'uint8', 'text']),
});

const sumOf = (bytes: Uint8Array) => bytes.reduce((sum, byte) => sum + byte, 0) & 0xff;

function questionOf(ask: string): Uint8Array {
  const [letters = '', ...numbers] = ask.split(' ');
  const message = joinBytes(bytesOf(letters), Uint8Array.from(numbers, Number));
  return joinBytes(Uint8Array.of(message.length, 0), message, Uint8Array.of(sumOf(message)));
}

const framer = byLength(LENGTH_BYTES + MESSAGE_MAX + 1, ([low, high]) => {
  if (low === undefined || high === undefined) return null;
  const length = low + 256 * high;
  return length < 3 || length > MESSAGE_MAX ? 'broken' : LENGTH_BYTES + length + 1;
});

export const inficonBinary = defineFamily({
  name: 'inficon-binary',
  title: 'INFICON frames with length and sum',
  setup: Setup,
  address: noAddress,
  ask: Ask,
  refuse: ({ ask }, { setup }) => (READS[setup.commands].test(ask) ? null : `"${ask}" is no question of a status`),
  mayWrite: (bytes, { setup }) => {
    const [, letters = '', numbers = ''] = /^([A-Z]*)(.*)$/s.exec(textOf(bytes.subarray(LENGTH_BYTES, -1))) ?? [];
    const ask = [letters, ...bytesOf(numbers)].join(' ');
    return READS[setup.commands].test(ask) && textOf(bytes) === textOf(questionOf(ask));
  },
  neutral: () => new Uint8Array(),
  provesReply: () => false,
  *exchange({ ask, as }): Exchange {
    const { bytes, atMs } = yield { send: questionOf(ask), read: framer };
    const raw = showBytes(bytes);
    const malformed = (reason: string): Reply => ({ kind: 'malformed', raw, reason, atMs });
    const message = bytes.subarray(LENGTH_BYTES, -1);
    if (sumOf(message) !== bytes.at(-1)) return malformed('wrong checksum');
    const [, , answer = 0] = message;
    const data = message.subarray(3);
    if (answer !== ACK) {
      const letter = showBytes(Uint8Array.of(answer));
      if (!/^[A-P]$/.test(letter)) return malformed('neither an acknowledgement nor a letter');
      const reason = letter === 'F' ? 'it cannot do this now' : `error ${letter}`;
      return { kind: 'refused', raw, reason: `it refuses ${ask}: ${reason}`, atMs };
    }
    if (as === 'text') return { kind: 'text', text: textOf(data).replaceAll('\0', '').trim(), atMs };
    if (data.length !== BYTES[as]) return malformed(`${data.length} bytes of data, not ${BYTES[as]}`);
    const view = new DataView(data.buffer, data.byteOffset, data.length);
    if (as === 'uint8') return { kind: 'fields', fields: { value: view.getUint8(0) }, raw, atMs };
    if (as === 'int32') return { kind: 'fields', fields: { value: view.getInt32(0, true) }, raw, atMs };
    return { kind: 'fields', fields: { value: view.getFloat32(0, true) }, raw, atMs };
  },
});
