// Sumitomo (SHI) helium compressors F-70 and alike: `$`, a word of three characters, CRC and CR; the reply repeats the word,
// with values behind commas.
//
//   $TEA A4B9 CR   ->   $TEA,086,040,031,000,3798 CR
//
// The CRC is that of Modbus over all before it, the last comma of a reply included, as four capitals of hexadecimal. Words
// that act (ON1, OFF, RS1, CHR, CHP, POF) are not in the list, so they cannot be sent.
import { z } from 'zod';
import { bytesOf, showBytes, textOf } from '../../protocol/bytes.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { defineFamily, noAddress } from '../../protocol/family.ts';
import { untilBytes } from '../../protocol/framer.ts';

/** All temperatures or one, all pressures or one, status bits, version and hours. */
const READS = /^(TE[A1-4]|PR[A12]|STA|ID1)$/;
const REPLY = untilBytes(bytesOf('\r'), 128);
/** A compressor that does not know a question answers with this word. */
const UNKNOWN = '$???';

/** The check of what stands before it, as it is written. */
function sumitomoCheck(text: string): string {
  let crc = 0xffff;
  for (const byte of bytesOf(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

const questionOf = (word: string) => `$${word}${sumitomoCheck(`$${word}`)}\r`;

export const sumitomo = defineFamily({
  name: 'sumitomo',
  title: 'Sumitomo helium compressors',
  setup: z.strictObject({}),
  address: noAddress,
  ask: z.string().length(3),
  refuse: (ask) => (READS.test(ask) ? null : `"${ask}" is not known to only read (allowed: ${READS.source})`),
  mayWrite: (bytes) => {
    const text = textOf(bytes);
    if (text === '\r') return true;
    const word = text.slice(1, 4);
    return READS.test(word) && text === questionOf(word);
  },
  neutral: () => bytesOf('\r'),
  provesReply: () => true,
  *exchange(ask): Exchange {
    let frame = yield { send: bytesOf(questionOf(ask)), read: REPLY };
    for (;;) {
      const { bytes, atMs } = frame;
      const text = textOf(bytes).replace(/^[\0\s]+|[\0\s]+$/g, '');
      const body = text.slice(0, -4);
      const isWhole = text.length > 4 && sumitomoCheck(body) === text.slice(-4);
      if (!isWhole) return { kind: 'malformed', raw: showBytes(bytes), reason: 'wrong check', atMs };
      if (body.startsWith(`$${ask},`)) return { kind: 'text', text: body.slice(5).replace(/,$/, ''), atMs };
      if (body.startsWith(UNKNOWN)) return { kind: 'refused', raw: text, reason: `it does not know ${ask}`, atMs };
      // A late reply to another question.
      frame = yield { read: REPLY, isForeign: true };
    }
  },
});
