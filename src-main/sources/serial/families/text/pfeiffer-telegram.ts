// The Pfeiffer Vacuum protocol for RS-485, of turbo pump drives, backing pumps and digital gauges: telegrams of text with a
// checksum, the sum of all characters before it modulo 256, as three digits.
//
//   0010030902=?107 CR        unit 001, action 00 (read), parameter 309, two characters of data, =?
//   0011030906000633037 CR    its reply: action 10, the same parameter, six characters of data
//
// Action 10 with data would set the parameter and is never sent; nor are the addresses 000 and 9xx, to which all units listen.
// Sources: TC 400 manual p. 25-26; PPT 100 manual p. 13 (both with examples); TC 110 PB manual p. 32 (types of data).
import { z } from 'zod';
import { bytesOf, showBytes, textOf } from '../../protocol/bytes.ts';
import type { Exchange, Frame, Reply } from '../../protocol/exchange.ts';
import { defineFamily, type FamilyContext } from '../../protocol/family.ts';
import { skipNoise, untilBytes } from '../../protocol/framer.ts';

const Setup = z.strictObject({});
type Context = Omit<FamilyContext<z.infer<typeof Setup>>, 'isReply'>;

/** Types of data by the names of the manuals: what the data looks like, and the number that it says; null: it is text. */
const TYPES = {
  boolean_old: { form: /^(0{6}|1{6})$/, numberOf: (data: string) => Number(data === '111111') },
  u_integer: { form: /^\d{6}$/, numberOf: Number },
  u_real: { form: /^\d{6}$/, numberOf: (data: string) => Number(data) / 100 },
  string: { form: /^[\x20-\x7e]{6}$/, numberOf: null },
  boolean_new: { form: /^[01]$/, numberOf: Number },
  u_short_int: { form: /^\d{3}$/, numberOf: Number },
  // 100023 is 1.000E+3: three decimals, and 20 more than the exponent.
  u_expo_new: {
    form: /^\d{6}$/,
    numberOf: (data: string) => Number(`${data.slice(0, 4)}e${Number(data.slice(4)) - 23}`),
  },
  string16: { form: /^[\x20-\x7e]{16}$/, numberOf: null },
} as const;

const Ask = z.strictObject({
  parameter: z.int().min(0).max(999),
  as: z.enum(Object.keys(TYPES) as [keyof typeof TYPES, ...(keyof typeof TYPES)[]]),
});
type Ask = z.infer<typeof Ask>;

const REFUSALS: Readonly<Record<string, string>> = {
  NO_DEF: 'it has no such parameter',
  _RANGE: 'a value out of range',
  _LOGIC: 'not possible now',
};

const CR = bytesOf('\r');
const REPLY = skipNoise(untilBytes(CR, 128));

/** The checksum of the text before it: three digits. */
function pfeifferChecksum(text: string): string {
  const sum = [...text].reduce((all, character) => all + character.charCodeAt(0), 0);
  return String(sum % 256).padStart(3, '0');
}

function question(parameter: number, { address }: Context): string {
  const text = `${String(address).padStart(3, '0')}00${String(parameter).padStart(3, '0')}02=?`;
  return `${text}${pfeifferChecksum(text)}\r`;
}

/** What a telegram says; null when it is another unit's, about another parameter, or our own heard back. */
function readTelegram({ bytes, atMs }: Frame, { parameter, as }: Ask, { address }: Context): Reply | null {
  const raw = showBytes(bytes);
  const malformed = (reason: string): Reply => ({ kind: 'malformed', raw, reason, atMs });
  const text = textOf(bytes).slice(0, -1);
  const parts = /^(\d{3})([01]0)(\d{3})(\d{2})([\x20-\x7e]*)(\d{3})$/.exec(text);
  if (parts === null) return malformed('it does not match the format of a telegram');
  const [, from, action, about, length, data = '', checksum] = parts;
  if (checksum !== pfeifferChecksum(text.slice(0, -3))) return malformed('wrong checksum');
  if (Number(from) !== address || action !== '10' || Number(about) !== parameter) return null;
  if (Number(length) !== data.length) return malformed(`it says ${length} characters of data and has ${data.length}`);
  const refusal = REFUSALS[data];
  if (refusal !== undefined) return { kind: 'refused', raw, reason: refusal, atMs };
  const { form, numberOf } = TYPES[as];
  if (!form.test(data)) return malformed(`"${data}" is no ${as}`);
  return numberOf === null
    ? { kind: 'text', text: data.trim(), atMs }
    : { kind: 'fields', fields: { value: numberOf(data) }, raw: data, atMs };
}

export const pfeifferTelegram = defineFamily<z.infer<typeof Setup>, Ask>({
  name: 'pfeiffer-telegram',
  title: 'Pfeiffer Vacuum protocol for RS-485',
  setup: Setup,
  address: z.int().min(1).max(255),
  ask: Ask,
  // Its schema lets nothing through but a parameter to read.
  refuse: () => null,
  mayWrite: (bytes, context) => {
    if (textOf(bytes) === '\r') return true;
    const parameter = /^\d{3}00(\d{3})02=\?\d{3}\r$/.exec(textOf(bytes))?.[1];
    return parameter !== undefined && textOf(bytes) === question(Number(parameter), context);
  },
  // Ends a telegram that was cut, or what stands before one: with a wrong checksum it is dropped.
  neutral: () => CR,
  provesReply: () => true,
  *exchange(ask, context): Exchange {
    let frame = yield { send: bytesOf(question(ask.parameter, context)), read: REPLY };
    for (;;) {
      const reply = readTelegram(frame, ask, context);
      if (reply !== null) return reply;
      frame = yield { read: REPLY };
    }
  },
});
