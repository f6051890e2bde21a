// ProPar, the protocol of Bronkhorst's flow and pressure instruments (FLOW-BUS), as text: a colon, then bytes as two
// hexadecimal digits each, the first of them the number of those that follow.
//
//   :06 80 04 01 21 01 20    to node 80: command 04 (send me), under the marks 01 and 21: process 01, parameter 20
//   :06 80 02 01 21 3E 80    its reply: command 02, the same marks, the value
//   :04 80 00 04 05          no: status 04
//
// A parameter is its number and its type: 00 one byte, 20 two, 40 four, 60 text. Marks come back as they were sent, so each
// question has its own. Command 01 would set and is never sent. There is no checksum.
// Sources: bronkhorst-propar, the library of the maker; PyExpLabSys bronkhorst.py (:06800401210120 measure).
import { z } from 'zod';
import { bytesOf, showBytes, textOf } from '../../protocol/bytes.ts';
import type { Exchange, Frame, Reply } from '../../protocol/exchange.ts';
import { defineFamily, type FamilyContext } from '../../protocol/family.ts';
import { skipNoise, untilBytes } from '../../protocol/framer.ts';

const Setup = z.strictObject({});
type Context = Omit<FamilyContext<z.infer<typeof Setup>>, 'isReply'>;

const SEND_ME = 0x04;
const VALUE = 0x02;
const STATUS = 0x00;
const TEXT = 0x60;

/** By the type of a question: what stands in a parameter's number, bytes of its value (null: text), and how it is read. */
const TYPES = {
  uint8: { code: 0x00, size: 1, numberOf: (view: DataView) => view.getUint8(0) },
  uint16: { code: 0x20, size: 2, numberOf: (view: DataView) => view.getUint16(0) },
  /** A measured value: 32000 is 100 %, up to 41942; what is greater stands below zero. */
  measure16: {
    code: 0x20,
    size: 2,
    numberOf: (view: DataView) => (view.getUint16(0) > 41_942 ? view.getUint16(0) - 65_536 : view.getUint16(0)),
  },
  float32: { code: 0x40, size: 4, numberOf: (view: DataView) => view.getFloat32(0) },
  text: { code: TEXT, size: null, numberOf: null },
} as const;

const Ask = z.strictObject({
  process: z.int().min(0).max(127),
  parameter: z.int().min(0).max(31),
  as: z.enum(Object.keys(TYPES) as [keyof typeof TYPES, ...(keyof typeof TYPES)[]]),
  /** Characters of a text; 0: up to its end. */
  length: z.int().min(0).max(60).default(0),
});
type Ask = z.output<typeof Ask>;

const STATUSES: Readonly<Record<number, string>> = {
  1: 'its process is claimed by somebody else',
  2: 'it does not know this command',
  3: 'it has no such process',
  4: 'it has no such parameter',
  5: 'its parameter is of another type',
  7: 'its network is not active',
  11: 'there is no such node',
  17: 'this can only be written',
  25: 'the node does not answer',
};

const REPLY = skipNoise(untilBytes(bytesOf('\r\n'), 256));
/** The node that an instrument is whatever its own number, on a line of its own. */
const ANY_NODE = 0x80;

const hex = (bytes: readonly number[]) =>
  bytes.map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join('');

/** What a question is marked with: its process, and its type with the number after the parameter's. */
function marksOf({ process, parameter, as }: Ask): [number, number] {
  return [process, TYPES[as].code | ((parameter + 1) & 0x1f)];
}

function question(ask: Ask, { address }: Context): string {
  const { process, parameter, as, length } = ask;
  const parts = [Number(address), SEND_ME, ...marksOf(ask), process, TYPES[as].code | parameter];
  const all = as === 'text' ? [...parts, length] : parts;
  return `:${hex([all.length, ...all])}\r\n`;
}

/** What a line says; null when it is another node's, about another question, or our own heard back. */
function readLine({ bytes, atMs }: Frame, ask: Ask, { address }: Context): Reply | null {
  const raw = showBytes(bytes);
  const malformed = (reason: string): Reply => ({ kind: 'malformed', raw, reason, atMs });
  const whole = textOf(bytes).trim();
  const digits = /^:((?:[0-9A-Fa-f]{2})+)$/.exec(whole.slice(Math.max(0, whole.lastIndexOf(':'))))?.[1];
  if (digits === undefined) return malformed('it is no line of hexadecimal digits');
  const [count = 0, ...message] = Uint8Array.from(Buffer.from(digits, 'hex'));
  if (count !== message.length) return malformed(`it says ${count} bytes and has ${message.length}`);
  const [node, command, first, second, ...data] = message;
  if (message.length === 1) return { kind: 'refused', raw, reason: `it answers error ${node}`, atMs };
  if (command === SEND_ME || (address !== ANY_NODE && node !== address)) return null;
  if (command === STATUS) {
    return { kind: 'refused', raw, reason: STATUSES[first ?? 0] ?? `it answers status ${first}`, atMs };
  }
  const [markProcess, markParameter] = marksOf(ask);
  if (command !== VALUE) return malformed(`command ${command} is no reply`);
  if (first !== markProcess || second !== markParameter) return null;
  const { size, numberOf } = TYPES[ask.as];
  if (numberOf === null) {
    const [text = ''] = textOf(Uint8Array.from(data.slice(1))).split('\0', 1);
    return /^[\x20-\x7e]*$/.test(text)
      ? { kind: 'text', text: text.trim(), atMs }
      : malformed('bytes that are no text');
  }
  if (data.length !== size) return malformed(`a value of ${data.length} bytes`);
  const value = numberOf(new DataView(Uint8Array.from(data).buffer));
  return { kind: 'fields', fields: { value }, raw: digits, atMs };
}

export const propar = defineFamily<z.infer<typeof Setup>, Ask>({
  name: 'propar',
  title: 'ProPar of Bronkhorst flow and pressure instruments',
  setup: Setup,
  address: z.int().min(1).max(128),
  ask: Ask,
  // Its schema lets nothing through but a parameter to send.
  refuse: () => null,
  mayWrite: (bytes, context) => {
    const parts = /^:0[67][0-9A-F]{8}([0-9A-F]{2})([0-9A-F]{2})([0-9A-F]{2})?\r\n$/.exec(textOf(bytes));
    if (parts === null) return false;
    const [process = 0, second = 0, length = 0] = parts.slice(1).map((part) => Number.parseInt(part ?? '0', 16));
    const as = (['uint8', 'uint16', 'float32', 'text'] as const).find((one) => TYPES[one].code === (second & 0xe0));
    if (as === undefined || process > 127) return false;
    return textOf(bytes) === question({ process, parameter: second & 0x1f, as, length }, context);
  },
  // The next colon begins again.
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
