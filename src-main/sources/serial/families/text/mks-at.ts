// `@aaaCMD?;FF`, answered by `@aaaACK...;FF` or `@aaaNAK...;FF`: MKS 937B, 946, and the 900 series transducers. The two F
// stand where a checksum could; there is none. Some units and simulators add CR LF behind a reply.
//
// A question mark alone does not make a question: `VACn?` and `QZn?` zero a gauge, `FDn?` loads factory defaults, `XDL?`
// erases memory. So what may be asked is a list.
import { z } from 'zod';
import { bytesOf, textOf } from '../../protocol/bytes.ts';
import type { Exchange, Reply } from '../../protocol/exchange.ts';
import { defineFamily, type FamilyContext } from '../../protocol/family.ts';
import { untilBytes } from '../../protocol/framer.ts';

const Setup = z.strictObject({
  /** What is sent behind ;FF, for simulators that cut at lines. Instruments want nothing there. */
  send_end: z.enum(['none', 'cr', 'crlf']).default('none'),
});
type Setup = z.infer<typeof Setup>;
type Context = Omit<FamilyContext<Setup>, 'isReply'>;

const SEND_ENDS = { none: '', cr: '\r', crlf: '\r\n' } as const;
/** Pressures, combined pressures, unit, module types, address, baud rate, numbers, power of a channel, gauge status. */
const READS = /^(PR[1-6]|PC[12]|U|MT|AD|BR|SN|MD|DT|MF|CP[1-6]|T[135]?)$/;

/** 253 is what units leave the factory with; 254 is answered by every unit and belongs on a line with one. */
const Address = z.union([z.int().min(1).max(254), z.string().regex(/^(00[1-9]|0[1-9]\d|1\d\d|2[0-4]\d|25[0-4])$/)]);

/** MKS 946 manual p. 105. */
const REFUSALS: Readonly<Record<string, string>> = {
  150: 'another kind of gauge is connected there',
  151: 'no gauge is connected there',
  152: 'no ion gauge is connected there',
  160: 'it does not know this question',
  169: 'it does not take this parameter',
  172: 'a value out of range',
};

const ALL = '254';
const addressOf = ({ address }: Context) => String(address).padStart(3, '0');
const question = (ask: string, context: Context) =>
  `@${addressOf(context)}${ask}?;FF${SEND_ENDS[context.setup.send_end]}`;

function refuse(ask: string): string | null {
  return READS.test(ask) ? null : `"${ask}?" is not known to only read (allowed: ${READS.source})`;
}

/** What a frame says; null when it is an echo of a question or the reply of another unit. */
function readFrame(text: string, context: Context, atMs: number): Reply | null {
  // What stands before the last @ is the end of a line, or a reply that was cut.
  const frame = text.slice(Math.max(0, text.lastIndexOf('@')));
  const malformed = (reason: string): Reply => ({ kind: 'malformed', raw: frame, reason, atMs });
  if (/^@\d{3}[A-Z0-9]+\?;FF$/.test(frame)) return null;
  const parts = /^@(\d{3})(ACK|NAK)([\x20-\x7e]*);FF$/.exec(frame);
  if (parts === null) return malformed('it is neither ACK nor NAK');
  const [, from, kind, data = ''] = parts;
  const own = addressOf(context);
  if (own !== ALL && from !== own) return null;
  if (kind === 'ACK') return { kind: 'text', text: data.trim(), atMs };
  return { kind: 'refused', raw: frame, reason: REFUSALS[data.trim()] ?? `it answers NAK ${data.trim()}`, atMs };
}

export const mksAt = defineFamily<Setup, string>({
  name: 'mks-at',
  title: '@aaa...;FF of MKS vacuum controllers and transducers',
  setup: Setup,
  address: Address,
  ask: z.string().min(1).max(8),
  refuse: (ask) => refuse(ask),
  mayWrite: (bytes, context) => {
    const asked = /^@\d{3}([A-Z0-9]+)\?;FF/.exec(textOf(bytes))?.[1] ?? '';
    return refuse(asked) === null && textOf(bytes) === question(asked, context);
  },
  // The next @ begins again.
  neutral: () => new Uint8Array(),
  provesReply: () => false,
  *exchange(ask, context): Exchange {
    const read = untilBytes(bytesOf(';FF'), 256);
    let frame = yield { send: bytesOf(question(ask, context)), read };
    for (;;) {
      const reply = readFrame(textOf(frame.bytes), context, frame.atMs);
      if (reply !== null) return reply;
      frame = yield { read, isForeign: true };
    }
  },
});
