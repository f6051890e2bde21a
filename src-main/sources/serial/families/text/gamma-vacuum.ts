// The protocol of Gamma Vacuum's ion pump controllers over a serial line: SPCe, QPC, MPCq. Text with a checksum, the sum of
// all characters but the tilde modulo 256, the blank before it included, as two hexadecimal digits.
//
//   ~ 01 0B 01 B4 CR             unit 01, command 0B (read the pressure), supply 01
//   01 OK 00 1.0E-11 TORR A5 CR  its reply; 01 ER 02 ... where it refuses
//
// A command is told by its number alone: 37 switches the high voltage on, 0E sets the unit, FF restarts. So what may be
// asked is a list, and what both reads and sets (4F, 54, 55, ED) is not on it.
// Sources: DIGITEL QPC manual 900031 p. 38-43, MPCq manual 900034 p. 42, SPCe manual 900026 p. 40-49 (all with examples).
import { z } from 'zod';
import { bytesOf, showBytes, textOf } from '../../protocol/bytes.ts';
import type { Exchange, Frame, Reply } from '../../protocol/exchange.ts';
import { defineFamily, type FamilyContext } from '../../protocol/family.ts';
import { skipNoise, untilBytes } from '../../protocol/framer.ts';

const Setup = z.strictObject({});
type Context = Omit<FamilyContext<z.infer<typeof Setup>>, 'isReply'>;

/** Model, version, current, pressure, voltage, status, size of the pump, calibration factor. */
const READS = /^(01|02|0A|0B|0C|0D|11|1D)$/;

const Ask = z.strictObject({
  command: z.string().regex(/^[0-9A-F]{2}$/, 'two hexadecimal digits'),
  /** Which supply, as it is sent; null: the unit has one. */
  supply: z
    .string()
    .regex(/^0?[1-4]$/, '1 to 4, or 01 to 04')
    .nullable()
    .default(null),
});
type Ask = z.output<typeof Ask>;

const ERRORS: Readonly<Record<string, string>> = {
  '01': 'it could not read the question',
  '02': 'it does not know this question',
  '03': 'the question came with a wrong checksum',
  '04': 'the question was not whole in time',
  '07': 'the line to it is disturbed',
  '08': 'it has no such supply',
};

const CR = bytesOf('\r');
const REPLY = skipNoise(untilBytes(CR, 256));

/** The checksum of the text before it: two hexadecimal digits. */
function gammaChecksum(text: string): string {
  const sum = [...text].reduce((all, character) => all + character.charCodeAt(0), 0);
  return (sum % 256).toString(16).toUpperCase().padStart(2, '0');
}

const addressOf = ({ address }: Context) => Number(address).toString(16).toUpperCase().padStart(2, '0');

function question({ command, supply }: Ask, context: Context): string {
  const text = ` ${addressOf(context)} ${command} ${supply === null ? '' : `${supply} `}`;
  return `~${text}${gammaChecksum(text)}\r`;
}

const refuse = (command: string): string | null =>
  READS.test(command) ? null : `command ${command} is not known to only read (allowed: ${READS.source})`;

/** What a line says; null when it is another unit's, or our own heard back. */
function readLine({ bytes, atMs }: Frame, context: Context): Reply | null {
  const raw = showBytes(bytes);
  const malformed = (reason: string): Reply => ({ kind: 'malformed', raw, reason, atMs });
  const text = textOf(bytes).trim();
  if (text.startsWith('~')) return null;
  const parts = /^([0-9A-Fa-f]{2}) (OK|ER) ([0-9A-Fa-f]{2}) ([\x20-\x7e]*)([0-9A-Fa-f]{2})$/.exec(text);
  if (parts === null) return malformed('it does not match the format of a reply');
  const [, from = '', status, code = '', data = '', checksum = ''] = parts;
  if (checksum.toUpperCase() !== gammaChecksum(text.slice(0, -2))) return malformed('wrong checksum');
  if (from.toUpperCase() !== addressOf(context)) return null;
  if (status === 'OK') return { kind: 'text', text: data.trim(), atMs };
  return { kind: 'refused', raw, reason: ERRORS[code] ?? `it answers error ${code}`, atMs };
}

export const gammaVacuum = defineFamily<z.infer<typeof Setup>, Ask>({
  name: 'gamma-vacuum',
  title: 'Gamma Vacuum ion pump controllers',
  setup: Setup,
  address: z.int().min(1).max(255),
  ask: Ask,
  refuse: ({ command }) => refuse(command),
  mayWrite: (bytes, context) => {
    const parts = /^~ [0-9A-F]{2} ([0-9A-F]{2}) (?:(0?[1-4]) )?[0-9A-F]{2}\r$/.exec(textOf(bytes));
    if (parts === null) return false;
    const [, command = '', supply = null] = parts;
    return refuse(command) === null && textOf(bytes) === question({ command, supply }, context);
  },
  // The next tilde begins again.
  neutral: () => new Uint8Array(),
  provesReply: () => false,
  *exchange(ask, context): Exchange {
    let frame = yield { send: bytesOf(question(ask, context)), read: REPLY };
    for (;;) {
      const reply = readLine(frame, context);
      if (reply !== null) return reply;
      frame = yield { read: REPLY };
    }
  },
});
