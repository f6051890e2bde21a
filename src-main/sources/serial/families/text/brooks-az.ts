// The protocol of Brooks read-out and control boxes 0251 and 0254: lines that begin with AZ, the number of the unit where
// there are several, a port, and one letter.
//
//   AZ16773.01K CR    what the input port 01 measures
//   AZ,16773.01,4,  215239.20,  215239.20,      -0.48,      -0.48,08214,X,X,X,X,X,C8 CR LF
//
// 4 says that it is an answer; the checksum is the negated sum of all behind AZ, commas included, modulo 256. Manual
// X-SE-0254 p. C-6 to C-17; that AZ does not count shows in replies that an open driver recorded (C8 above, 9E of AZI).
//
// K sends what is measured and I says who is there. P programs, Z clears, F and B work batches and blends: never sent.
import { z } from 'zod';
import { bytesOf, showBytes, textOf } from '../../protocol/bytes.ts';
import type { Exchange, Frame, Reply } from '../../protocol/exchange.ts';
import { defineFamily, type FamilyContext } from '../../protocol/family.ts';
import { skipNoise, untilBytes } from '../../protocol/framer.ts';

const Setup = z.strictObject({});
type Context = Omit<FamilyContext<z.infer<typeof Setup>>, 'isReply'>;

/** The measured values of an input port, or the identity. */
const READS = /^(\.0[1357]K|I)$/;
/** Five digits; null where there is one unit on the line. */
const Address = z.union([z.string().regex(/^\d{5}$/, 'five digits'), z.null()]);

const CRLF = bytesOf('\r\n');
const REPLY = skipNoise(untilBytes(CRLF, 256));
const ANSWER = '4';

/** The checksum of what stands behind AZ: two hexadecimal digits. */
function brooksChecksum(text: string): string {
  const sum = [...text].reduce((all, character) => all + character.charCodeAt(0), 0);
  return ((256 - (sum % 256)) % 256).toString(16).toUpperCase().padStart(2, '0');
}

const question = (ask: string, { address }: Context) => `AZ${address ?? ''}${ask}\r`;

const refuse = (ask: string): string | null =>
  READS.test(ask) ? null : `"${ask}" is not known to only read (allowed: ${READS.source})`;

/** What a line says, without its head and checksum; null when it is another port's or unit's, or our own heard back. */
function readLine({ bytes, atMs }: Frame, ask: string, context: Context): Reply | null {
  const raw = showBytes(bytes);
  const malformed = (reason: string): Reply => ({ kind: 'malformed', raw, reason, atMs });
  const whole = textOf(bytes);
  const text = whole.slice(Math.max(0, whole.lastIndexOf('AZ'))).trim();
  if (`${text}\r` === question(ask, context)) return null;
  const parts = /^AZ(,(\d{5})(\.\d{2})?,(\d),([\x20-\x7e]*),)([0-9A-Fa-f]{2})$/.exec(text);
  if (parts === null) return malformed('it does not match the format of a reply');
  const [, checked = '', unit, port = '', kind, data = '', checksum = ''] = parts;
  if (checksum.toUpperCase() !== brooksChecksum(checked)) return malformed('wrong checksum');
  const isOurs = (context.address === null || unit === context.address) && port === ask.slice(0, -1);
  return isOurs && kind === ANSWER ? { kind: 'text', text: data, atMs } : null;
}

export const brooksAz = defineFamily<z.infer<typeof Setup>, string>({
  name: 'brooks-az',
  title: 'AZ lines of Brooks 0251 and 0254',
  setup: Setup,
  address: Address,
  ask: z.string().min(1).max(8),
  refuse: (ask) => refuse(ask),
  mayWrite: (bytes, context) => {
    const text = textOf(bytes);
    const head = question('', context).slice(0, -1);
    return text.startsWith(head) && text.endsWith('\r') && refuse(text.slice(head.length, -1)) === null;
  },
  // AZ begins again.
  neutral: () => new Uint8Array(),
  provesReply: () => true,
  *exchange(ask, context): Exchange {
    let frame = yield { send: bytesOf(question(ask, context)), read: REPLY };
    for (;;) {
      const reply = readLine(frame, ask, context);
      if (reply !== null) return reply;
      frame = yield { read: REPLY };
    }
  },
});
