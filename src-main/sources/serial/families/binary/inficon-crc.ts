// INFICON SQM-160 and SQC-310: frames with a length and a CRC.
//
//   ! length message crc1 crc2          ! # @ O 7   ->   ! 0 AMON Ver 4.13 U w
//
// The length is 34 more than the bytes of a question, 35 more than those of a reply, whose first letter is a status: A, or a
// refusal. The CRC has 14 bits (start 3fff, polynomial 2001 reflected) and is computed over length and message; each of its
// bytes has 34 added, so it needs a line of 8 bits. A reply with 00 00 in the place of the CRC would not be checked: it is
// refused here. A reply does not name its question.
// Source: SQC-310 manual p. 93, 111, 112, whose printed frames all fit this and no other reading of its text.
import { z } from 'zod';
import { bytesOf, showBytes, textOf } from '../../protocol/bytes.ts';
import type { Exchange, Reply } from '../../protocol/exchange.ts';
import { defineFamily, noAddress } from '../../protocol/family.ts';
import { byLength } from '../../protocol/framer.ts';

const SYNC = 0x21;
const OFFSET = 34;
/** The least and the greatest length byte of a reply: a status letter alone, and as many as a byte can say. */
const LENGTH_MIN = OFFSET + 2;
const LENGTH_MAX = 0xff;

/** Version, sensors, rate, average rate, thickness, average thickness, frequency, crystal life. Y clears what it reads. */
const READS = /^(@|J|M|O|[LNPR]\d{1,2}\??)$/;

const REFUSALS: Readonly<Record<string, string>> = {
  B: 'it does not know this command, or not now',
  C: 'it refuses the value, or the checksum',
  D: 'it refuses the checksum, or the value',
};

/** The two CRC bytes of length and message. */
function inficonCrc(bytes: Uint8Array): Uint8Array {
  let crc = 0x3fff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0x2001 : crc >> 1;
  }
  return Uint8Array.of((crc & 0x7f) + OFFSET, ((crc >> 7) & 0x7f) + OFFSET);
}

function questionOf(ask: string): Uint8Array {
  const body = Uint8Array.of(ask.length + OFFSET, ...bytesOf(ask));
  return Uint8Array.of(SYNC, ...body, ...inficonCrc(body));
}

const framer = byLength(LENGTH_MAX + 4, (bytes) => {
  const [sync, length] = bytes;
  if (sync !== SYNC) return 'broken';
  if (length === undefined) return null;
  return length < LENGTH_MIN ? 'broken' : length - (OFFSET + 1) + 4;
});

export const inficonCrcFrames = defineFamily<Record<string, never>, string>({
  name: 'inficon-crc',
  title: 'INFICON frames with length and CRC',
  setup: z.strictObject({}),
  address: noAddress,
  ask: z.string().min(1).max(8),
  refuse: (ask) => (READS.test(ask) ? null : `"${ask}" is not known to only read (allowed: ${READS.source})`),
  mayWrite: (bytes) => {
    const ask = textOf(bytes.subarray(2, -2));
    return READS.test(ask) && textOf(bytes) === textOf(questionOf(ask));
  },
  neutral: () => new Uint8Array(),
  provesReply: () => false,
  *exchange(ask): Exchange {
    const { bytes, atMs } = yield { send: questionOf(ask), read: framer };
    const raw = showBytes(bytes);
    const malformed = (reason: string): Reply => ({ kind: 'malformed', raw, reason, atMs });
    if (textOf(inficonCrc(bytes.subarray(1, -2))) !== textOf(bytes.subarray(-2))) return malformed('wrong checksum');
    const message = textOf(bytes.subarray(2, -2));
    const [status = ''] = message;
    if (status in REFUSALS) return { kind: 'refused', raw, reason: `it refuses ${ask}: ${REFUSALS[status]}`, atMs };
    if (status !== 'A') return malformed(`it answers with status ${status}`);
    const text = message.slice(1).replace(/^[\0 ]+|[\0 ]+$/g, '');
    return /^[ -~]*$/.test(text) ? { kind: 'text', text, atMs } : malformed('bytes that are no text');
  },
});
