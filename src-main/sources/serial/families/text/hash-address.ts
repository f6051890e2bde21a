// `#aaCMD` CR, answered by `*aa ` and the value, or `?aa ` and an error: Granville-Phillips 354, 356, 392, Convectron ATM,
// KJLC 300, 354, 392, InstruTech IGM and VGC, INFICON VGC083; with `>` for `*` and no address also Varian XGS-600. A unit
// with another address is silent. One CR ends a line: an LF behind it spoils the next command (MKS 356 manual p. 44).
import { z } from 'zod';
import { bytesOf, textOf } from '../../protocol/bytes.ts';
import type { Exchange, Reply } from '../../protocol/exchange.ts';
import { defineFamily, type FamilyContext } from '../../protocol/family.ts';
import { skipNoise, untilBytes } from '../../protocol/framer.ts';

/** What only reads, by the language that is spoken. Numbers behind RD and DS choose a gauge. */
const READS: Readonly<Record<'granville' | 'xgs600', RegExp>> = {
  granville: /^(RD(CG[12]|IG|[12AB])?|DS (IG|CG)[12]?|IGS|DGS|SES|RS|VER)$/,
  // 0F all pressures, 13 unit, 01 boards, 03 set points, 05 version. 30, 31, 33, 5E, 6x, 7x act.
  xgs600: /^(0F|13|01|03|05)$/,
};

const Setup = z.strictObject({
  commands: z.enum(['granville', 'xgs600']).default('granville'),
  /** What a good reply begins with. */
  mark: z.enum(['*', '>']).default('*'),
  /** The address stands in replies too; false: a reply is the mark and the value (GP 350 form). */
  reply_address: z.boolean().default(true),
});
type Setup = z.infer<typeof Setup>;
type Context = Omit<FamilyContext<Setup>, 'isReply'>;

/** Two hexadecimal digits; two blanks or nothing where the line knows no address (RS-232 of VGC083 and GP 350). */
const Address = z.union([
  z.string().regex(/^([0-9A-Fa-f]{2}| {2}|)$/, 'two hexadecimal digits, two blanks, or nothing'),
  z.int().min(0).max(99),
  z.null(),
]);

const ERRORS: Readonly<Record<string, string>> = {
  INVALID: 'not possible now',
  'COMM ERR': 'it could not read the question',
  'NVRAM ER': 'its memory is faulty',
  'RANGE ER': 'a value out of range',
  'SYNTX ER': 'it does not know this question',
};

const CR = bytesOf('\r');
/** The turn of the line's direction often leaves noise before a reply. */
const LINE = skipNoise(untilBytes(CR, 128));
const addressOf = ({ address }: Context) =>
  typeof address === 'number' ? String(address).padStart(2, '0') : (address ?? '').toUpperCase();

function refuse(ask: string, { setup }: Context): string | null {
  if (READS[setup.commands].test(ask)) return null;
  return `${JSON.stringify(ask)} is not known to only read (allowed: ${READS[setup.commands].source})`;
}

/** What a line says; null when it is not for us: an echo of a question, or the reply of another unit. */
function readLine(raw: string, context: Context, atMs: number): Reply | null {
  // The turn of the line's direction often leaves a byte of noise before a reply.
  const text = raw.replace(/^[^\x20-\x7e]+/, '').replace(/[\r\n]+$/, '');
  const malformed = (reason: string): Reply => ({ kind: 'malformed', raw: text, reason, atMs });
  if (!/^[\x20-\x7e]*$/.test(text)) return malformed('it holds bytes that are no text');
  if (text.startsWith('#')) return null;
  const { mark, reply_address: hasAddress } = context.setup;
  const isGood = text.startsWith(mark);
  if (!isGood && !text.startsWith('?')) return malformed(`it begins with neither ${mark} nor ?`);
  const own = addressOf(context).trim();
  const other = hasAddress ? text.slice(1, 3).toUpperCase() : '';
  if (own !== '' && hasAddress && other !== own) {
    return /^[0-9A-F]{2}$/.test(other) ? null : malformed('it does not carry the address');
  }
  const rest = text.slice(hasAddress ? 3 : 1).trim();
  if (isGood) return { kind: 'text', text: rest, atMs };
  return { kind: 'refused', raw: text, reason: ERRORS[rest] ?? `it answers ${rest}`, atMs };
}

export const hashAddress = defineFamily<Setup, string>({
  name: 'hash-address',
  title: '#aa commands of vacuum gauges (Granville-Phillips, KJLC, InstruTech, XGS-600)',
  setup: Setup,
  address: Address,
  ask: z.string().min(1).max(16),
  refuse,
  mayWrite: (bytes, context) => {
    const text = textOf(bytes);
    const head = `#${addressOf(context)}`;
    if (text === '\r') return true;
    return text.startsWith(head) && text.endsWith('\r') && refuse(text.slice(head.length, -1), context) === null;
  },
  // Ends a question that was cut; without # nobody answers it.
  neutral: () => CR,
  provesReply: () => false,
  *exchange(ask, context): Exchange {
    const read = LINE;
    let frame = yield { send: bytesOf(`#${addressOf(context)}${ask}\r`), read };
    for (;;) {
      const reply = readLine(textOf(frame.bytes), context, frame.atMs);
      if (reply !== null) return reply;
      frame = yield { read, isForeign: true };
    }
  },
});
