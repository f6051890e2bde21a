// AE bus of Advanced Energy supplies (Pinnacle, MDX, Cesar): packets with a check byte, each acknowledged.
//
//   08 a5 ad                    header (address and number of data bytes), command, XOR of both
//   06                          the unit has understood
//   0a a5 e8 03 44              its reply: two bytes, the low one first: 1000
//   06                          taken; else it would say it again
//
// Commands up to 127 switch the output, set power and modes: they are never sent. Those from 128 on report; they are sent
// without data. One byte in the place of a longer reply is a status code (CSR). What a number means belongs to the model.
// Source: Pinnacle Plus manual p. 98-132.
import { z } from 'zod';
import { showBytes, textOf } from '../../protocol/bytes.ts';
import type { Exchange, Reply } from '../../protocol/exchange.ts';
import { defineFamily, type FamilyContext } from '../../protocol/family.ts';
import { byLength, type Framer } from '../../protocol/framer.ts';

type Setup = Record<string, never>;
type Context = Omit<FamilyContext<Setup>, 'isReply'>;

const ACK = 0x06;
const NAK = 0x15;
const REPORT_MIN = 128;
/** A length of 7 says that a byte with the length follows the command. */
const LONG = 7;
const PACKET_BYTES_MAX = 4 + 255;

const KINDS = ['uint8', 'int16', 'uint16', 'uint32'] as const;
const BYTES = { uint8: 1, int16: 2, uint16: 2, uint32: 4 } as const;
const BIT = /^bit[0-7]$/;

const Ask = z.strictObject({
  command: z.int().min(0).max(255),
  /** `text`, or what the data bytes are, in their order; `bit0` to `bit7`: that bit of one byte. */
  as: z.union([
    z.literal('text'),
    z
      .array(z.union([z.enum(KINDS), z.string().regex(BIT)]))
      .min(1)
      .max(32),
  ]),
});
type Ask = z.output<typeof Ask>;

const CODES: Readonly<Record<number, string>> = {
  1: 'wrong control mode',
  2: 'the output is on',
  4: 'out of range',
  5: 'the output is off',
  7: 'a fault',
  99: 'it does not know this command',
};

const xorOf = (bytes: Uint8Array) => bytes.reduce((xor, byte) => xor ^ byte, 0);

function questionOf(command: number, { address }: Context): Uint8Array {
  const body = Uint8Array.of((address as number) << 3, command);
  return Uint8Array.of(...body, xorOf(body));
}

const HANDSHAKE = byLength(1, ([byte]) => (byte === ACK || byte === NAK ? 1 : 'broken'));

/** Packets of this unit about this command. */
function packets(command: number, { address }: Context): Framer {
  return byLength(PACKET_BYTES_MAX, ([header = 0, about, length]) => {
    if (header >> 3 !== address || (about !== undefined && about !== command)) return 'broken';
    if ((header & LONG) < LONG) return 3 + (header & LONG);
    return length === undefined ? null : 4 + length;
  });
}

const sizeOf = (kind: string) => (BIT.test(kind) ? 1 : BYTES[kind as keyof typeof BYTES]);

function numbersOf(data: Uint8Array, kinds: readonly string[]): Record<string, number> {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const fields: Record<string, number> = {};
  let at = 0;
  kinds.forEach((kind, index) => {
    const name = String(index + 1);
    if (kind === 'uint32') fields[name] = view.getUint32(at, true);
    else if (kind === 'uint16') fields[name] = view.getUint16(at, true);
    else if (kind === 'int16') fields[name] = view.getInt16(at, true);
    else fields[name] = BIT.test(kind) ? (view.getUint8(at) >> Number(kind.slice(3))) & 1 : view.getUint8(at);
    at += sizeOf(kind);
  });
  return fields;
}

export const aeBus = defineFamily<Setup, Ask>({
  name: 'ae-bus',
  title: 'AE bus of Advanced Energy supplies',
  setup: z.strictObject({}),
  // 0 speaks to all units at once.
  address: z.int().min(1).max(31),
  ask: Ask,
  refuse: ({ command }) =>
    command >= REPORT_MIN ? null : `command ${command} acts on the supply (allowed: ${REPORT_MIN} to 255)`,
  mayWrite: (bytes, context) => {
    if (bytes.length === 1) return bytes[0] === ACK;
    const command = bytes[1] ?? 0;
    return command >= REPORT_MIN && textOf(bytes) === textOf(questionOf(command, context));
  },
  // A unit that waits for an acknowledgement would say its reply again.
  neutral: () => Uint8Array.of(ACK),
  provesReply: () => true,
  *exchange({ command, as }, context): Exchange {
    const shake = yield { send: questionOf(command, context), read: HANDSHAKE };
    if (shake.bytes[0] === NAK) {
      return { kind: 'malformed', raw: '<NAK>', reason: 'it did not understand the packet', atMs: shake.atMs };
    }
    const { bytes, atMs } = yield { read: packets(command, context) };
    const raw = showBytes(bytes);
    if (xorOf(bytes) !== 0) return { kind: 'malformed', raw, reason: 'wrong checksum', atMs };
    yield { send: Uint8Array.of(ACK), read: null };
    const data = bytes.subarray(((bytes[0] as number) & LONG) === LONG ? 3 : 2, -1);
    const wanted = as === 'text' ? null : as.reduce((sum, kind) => sum + sizeOf(kind), 0);
    if (data.length === 1 && wanted !== 1) {
      const code = data[0] as number;
      return { kind: 'refused', raw, reason: `command ${command}: ${CODES[code] ?? `status code ${code}`}`, atMs };
    }
    if (as === 'text') return { kind: 'text', text: textOf(data).replaceAll('\0', '').trim(), atMs };
    if (data.length === wanted) return { kind: 'fields', fields: numbersOf(data, as), raw, atMs };
    const reply: Reply = { kind: 'malformed', raw, reason: `${data.length} bytes of data, not ${wanted}`, atMs };
    return reply;
  },
});
