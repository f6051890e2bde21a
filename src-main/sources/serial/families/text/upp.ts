// UPP, the Universal Pyrometer Protocol of IMPAC and LumaSense: two digits of address, two small letters, CR. Numbers come
// as digits without a point. Two letters alone ask for most settings, but `re` restarts a sensor head (Series 600 manual
// p. F-4), so what may be asked is a list. Addresses 98 and 99 speak to all units at once and are refused.
import { z } from 'zod';
import { bytesOf, textOf } from '../../protocol/bytes.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { defineFamily, type FamilyContext } from '../../protocol/family.ts';
import { untilBytes } from '../../protocol/framer.ts';

const Setup = z.strictObject({});
type Setup = z.infer<typeof Setup>;
type Context = Omit<FamilyContext<Setup>, 'isReply'>;

/** Measured value, mono and ratio value, range, emissivity, inner temperature now and at most, name, numbers. */
const READS = /^(ms|ek|mb|em|gt|tm|na|sn|bn)$/;

/** 00 to 97; behind a converter box with the head: 01N2. */
const Address = z.string().regex(/^([0-8]\d|9[0-7])([A-Z]\d)?$/, '00 to 97, with N and a digit for a sensor head');

const CR = bytesOf('\r');
const refuse = (ask: string): string | null =>
  READS.test(ask) ? null : `"${ask}" is not known to only read (allowed: ${READS.source})`;

export const upp = defineFamily<Setup, string>({
  name: 'upp',
  title: 'UPP of IMPAC and LumaSense pyrometers',
  setup: Setup,
  address: Address,
  ask: z.string().min(2).max(2),
  refuse,
  mayWrite: (bytes, { address }: Context) => {
    const text = textOf(bytes);
    if (text === '\r') return true;
    return (
      text.startsWith(String(address)) && text.endsWith('\r') && refuse(text.slice(String(address).length, -1)) === null
    );
  },
  neutral: () => CR,
  provesReply: () => false,
  *exchange(ask, { address }): Exchange {
    const question = `${String(address)}${ask}`;
    const read = untilBytes(CR, 256);
    let frame = yield { send: bytesOf(`${question}\r`), read };
    const textOfFrame = () => textOf(frame.bytes).replace(/^[\0\s]+|[\0\s]+$/g, '');
    // Two wires: what is sent is heard.
    if (textOfFrame() === question) frame = yield { read };
    const text = textOfFrame();
    const { atMs } = frame;
    if (text === 'no') return { kind: 'refused', raw: text, reason: 'it does not know this question', atMs };
    if (text === 'ok') return { kind: 'malformed', raw: text, reason: 'ok is the answer to a setting', atMs };
    return { kind: 'text', text, atMs };
  },
});
