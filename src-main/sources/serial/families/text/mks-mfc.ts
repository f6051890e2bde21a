// The RS-485 protocol of MKS mass flow controllers of the G and P series: `@@@001FX?;CS`, answered by `@@@000ACK12.5;CS` or
// `@@@000NAK17;CS`, where 000 is the asking host. CS is the sum of the characters modulo 256, as two hexadecimal digits. In a
// question it begins with the last @. In replies two open drivers begin it with the last and with the first of three @:
// either is taken, which differs in the bit of 80 alone, that no text can set.
//
// `!` in the place of the question mark sets. What may be asked is a list all the same.
// Sources: PyExpLabSys mks_g_series.py; nholmes7/MB_CVD (@@@000ACK;5A, noise before replies); a driver of MKS controllers
// with 001UT!TEST;16 and 000ACK9600;A9.
import { z } from 'zod';
import { bytesOf, showBytes, textOf } from '../../protocol/bytes.ts';
import type { Exchange, Frame, Reply } from '../../protocol/exchange.ts';
import { defineFamily, type FamilyContext } from '../../protocol/family.ts';
import { untilBytes } from '../../protocol/framer.ts';

const Setup = z.strictObject({
  /** Replies with a wrong checksum are refused; false: for units that answer FF in its place. */
  check_replies: z.boolean().default(true),
});
type Context = Omit<FamilyContext<z.output<typeof Setup>>, 'isReply'>;

/** Flow and set point in units and in percent, unit, full scale, serial number, kind, gas. */
const READS = /^(FX|F|SX|S|U|FS|SN|DT|PG)$/;

const REFUSALS: Readonly<Record<string, string>> = {
  '01': 'the question came with a wrong checksum',
  '10': 'it could not read the question',
  '13': 'not possible in this mode',
  '17': 'it does not know this question',
};

const REPLY = untilBytes(bytesOf(';'), 128, 2);

/** The checksum of a text: two hexadecimal digits. */
function mksChecksum(text: string): string {
  const sum = [...text].reduce((all, character) => all + character.charCodeAt(0), 0);
  return (sum % 256).toString(16).toUpperCase().padStart(2, '0');
}

function question(ask: string, { address }: Context): string {
  const text = `@${String(address).padStart(3, '0')}${ask}?;`;
  return `@@${text}${mksChecksum(text)}`;
}

const refuse = (ask: string): string | null =>
  READS.test(ask) ? null : `"${ask}?" is not known to only read (allowed: ${READS.source})`;

/** What a frame says; null when it is a question heard back. */
function readFrame({ bytes, atMs }: Frame, { setup }: Context): Reply | null {
  const raw = showBytes(bytes);
  const malformed = (reason: string): Reply => ({ kind: 'malformed', raw, reason, atMs });
  const whole = textOf(bytes);
  // What stands before the last @ is the noise of the line's turn, or a reply that was cut.
  const text = whole.slice(Math.max(0, whole.lastIndexOf('@')));
  if (/^@\d{3}[A-Z]+\?;/.test(text)) return null;
  const parts = /^@\d{3}(ACK|NAK)([\x20-\x7e]*);([0-9A-Fa-f]{2})$/.exec(text);
  if (parts === null) return malformed('it is neither ACK nor NAK');
  const [, kind, data = '', checksum = ''] = parts;
  const checked = text.slice(0, -2);
  const isRight = [mksChecksum(checked), mksChecksum(`@@${checked}`)].includes(checksum.toUpperCase());
  if (setup.check_replies && !isRight) return malformed('wrong checksum');
  if (kind === 'ACK') return { kind: 'text', text: data.trim(), atMs };
  return { kind: 'refused', raw, reason: REFUSALS[data.trim()] ?? `it answers NAK ${data.trim()}`, atMs };
}

export const mksMfc = defineFamily<z.output<typeof Setup>, string>({
  name: 'mks-mfc',
  title: '@@@aaa...; of MKS mass flow controllers',
  setup: Setup,
  address: z.int().min(1).max(254),
  ask: z.string().min(1).max(8),
  refuse: (ask) => refuse(ask),
  mayWrite: (bytes, context) => {
    const asked = /^@@@\d{3}([A-Z]+)\?;[0-9A-F]{2}$/.exec(textOf(bytes))?.[1] ?? '';
    return refuse(asked) === null && textOf(bytes) === question(asked, context);
  },
  // The next @ begins again.
  neutral: () => new Uint8Array(),
  provesReply: () => false,
  *exchange(ask, context): Exchange {
    let frame = yield { send: bytesOf(question(ask, context)), read: REPLY };
    for (;;) {
      const reply = readFrame(frame, context);
      if (reply !== null) return reply;
      frame = yield { read: REPLY };
    }
  },
});
