// The GEN language of TDK-Lambda power supplies. `ADR n` chooses who listens and is answered by OK; it is sent before each
// question, since others on the line choose too. `$` and two hexadecimal digits behind a line are its checksum (the sum of
// what stands before); who is asked with one answers with one. Source: GH10 manual p. 83 (STT?$3A, STAT?$7B).
import { z } from 'zod';
import { bytesOf, textOf } from '../../protocol/bytes.ts';
import type { Exchange, Frame, Reply } from '../../protocol/exchange.ts';
import { defineFamily, type FamilyContext } from '../../protocol/family.ts';
import { untilBytes } from '../../protocol/framer.ts';

const Setup = z.strictObject({
  /** Send and expect checksums. */
  checksum: z.boolean().default(true),
});
type Setup = z.infer<typeof Setup>;
type Context = Omit<FamilyContext<Setup>, 'isReply'>;

/** Measured and set voltage and current, mode, output, status, names. */
const READS = /^(MV|MC|PV|PC|MODE|OUT|STT|IDN|REV|SN)\?$/;

const CR = bytesOf('\r');

function checksum(text: string): string {
  const sum = bytesOf(text).reduce((total, byte) => total + byte, 0);
  return (sum & 0xff).toString(16).toUpperCase().padStart(2, '0');
}

const line = (text: string, { setup }: Context) => bytesOf(`${text}${setup.checksum ? `$${checksum(text)}` : ''}\r`);
const select = ({ address }: Context) => `ADR ${String(address).padStart(2, '0')}`;
const refuse = (ask: string): string | null =>
  READS.test(ask) ? null : `"${ask}" is not known to only read (allowed: ${READS.source})`;

function readLine({ bytes, atMs }: Frame, { setup }: Context): Reply {
  const raw = textOf(bytes).replace(/^[\0\s]+|[\0\s]+$/g, '');
  const malformed = (reason: string): Reply => ({ kind: 'malformed', raw, reason, atMs });
  const parts = /^(.*)\$([0-9A-Fa-f]{2})$/.exec(raw);
  if (setup.checksum && parts === null) return malformed('it has no checksum');
  const [, body = raw, sum = ''] = parts ?? [];
  if (sum !== '' && sum.toUpperCase() !== checksum(body)) return malformed('wrong checksum');
  if (/^[CE]\d\d$/.test(body)) return { kind: 'refused', raw, reason: `it answers error ${body}`, atMs };
  return { kind: 'text', text: body.trim(), atMs };
}

export const genesys = defineFamily<Setup, string>({
  name: 'genesys',
  title: 'GEN language of TDK-Lambda power supplies',
  setup: Setup,
  address: z.int().min(0).max(31),
  ask: z.string().min(1).max(8),
  refuse,
  mayWrite: (bytes, context) => {
    const text = textOf(bytes);
    if (text === '\r' || text === textOf(line(select(context), context))) return true;
    const ask = text.replace(/(\$[0-9A-F]{2})?\r$/, '');
    return refuse(ask) === null && text === textOf(line(ask, context));
  },
  neutral: () => CR,
  provesReply: () => false,
  *exchange(ask, context): Exchange {
    const read = untilBytes(CR, 128);
    const chosen = readLine(yield { send: line(select(context), context), read }, context);
    if (chosen.kind !== 'text') return chosen;
    if (chosen.text !== 'OK')
      return { kind: 'malformed', raw: chosen.text, reason: 'ADR is answered by OK', atMs: chosen.atMs };
    return readLine(yield { send: line(ask, context), read }, context);
  },
});
