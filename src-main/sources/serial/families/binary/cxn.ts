// T&C Power Conversion CXN radio frequency supplies (also AJA 0113 and 0313 GTC): binary frames with a sum.
//
//   'C' address command(2) parameters(4) sum(2)       43 00 'GP' 00 00 00 00 00 da
//   '*', or '?' for what it does not know             2a
//   'R' address length(2) data sum(2)                 52 00 00 06 00 00 00 00 00 00 00 58
//
// All numbers have their high byte first; the sum is that of all bytes before it. Commands that begin with G read, without
// parameters; B, S, T and R switch, set and take control. A reply does not name its question, so one of another size is never
// taken.
// Source: pymeasure tcpowerconversion.py and its tests.
import { z } from 'zod';
import { bytesOf, joinBytes, showBytes, textOf } from '../../protocol/bytes.ts';
import type { Exchange, Reply } from '../../protocol/exchange.ts';
import { defineFamily, type FamilyContext } from '../../protocol/family.ts';
import { byLength } from '../../protocol/framer.ts';

type Setup = Record<string, never>;
type Context = Omit<FamilyContext<Setup>, 'isReply'>;

const REPLY = 0x52;
const TAKEN = 0x2a;
const UNKNOWN = 0x3f;
const HEAD_BYTES = 4;
const SUM_BYTES = 2;
const DATA_MAX = 64;

/** Power, status, tuner, set point. */
const READS = /^G[PSTL]$/;

const Ask = z.strictObject({
  ask: z.string().min(1).max(8),
  /** 16-bit numbers of its reply; they are the fields, in this order. */
  words: z
    .int()
    .min(1)
    .max(DATA_MAX / 2),
});
type Ask = z.output<typeof Ask>;

const sumOf = (bytes: Uint8Array) => bytes.reduce((sum, byte) => sum + byte, 0) & 0xffff;
const pair = (word: number) => Uint8Array.of(word >> 8, word & 0xff);

function questionOf(ask: string, { address }: Context): Uint8Array {
  const body = joinBytes(bytesOf('C'), Uint8Array.of(address as number), bytesOf(ask), new Uint8Array(4));
  return joinBytes(body, pair(sumOf(body)));
}

const HANDSHAKE = byLength(1, ([byte]) => (byte === TAKEN || byte === UNKNOWN ? 1 : 'broken'));

const framer = byLength(HEAD_BYTES + DATA_MAX + SUM_BYTES, (bytes) => {
  const [head, , high = 0, low = 0] = bytes;
  if (head !== REPLY || high !== 0 || low > DATA_MAX) return 'broken';
  return bytes.length < HEAD_BYTES ? null : HEAD_BYTES + low + SUM_BYTES;
});

export const cxn = defineFamily<Setup, Ask>({
  name: 'cxn',
  title: 'T&C Power Conversion CXN',
  setup: z.strictObject({}),
  address: z.int().min(0).max(255),
  ask: Ask,
  refuse: ({ ask }) => (READS.test(ask) ? null : `"${ask}" is not known to only read (allowed: ${READS.source})`),
  mayWrite: (bytes, context) => {
    const ask = textOf(bytes.subarray(2, 4));
    return READS.test(ask) && textOf(bytes) === textOf(questionOf(ask, context));
  },
  neutral: () => new Uint8Array(),
  provesReply: () => false,
  *exchange({ ask, words }, context): Exchange {
    const shake = yield { send: questionOf(ask, context), read: HANDSHAKE };
    if (shake.bytes[0] === UNKNOWN) {
      return { kind: 'refused', raw: '?', reason: `it does not know ${ask}`, atMs: shake.atMs };
    }
    const { bytes, atMs } = yield { read: framer };
    const raw = showBytes(bytes);
    const malformed = (reason: string): Reply => ({ kind: 'malformed', raw, reason, atMs });
    const body = bytes.subarray(0, -SUM_BYTES);
    if (textOf(pair(sumOf(body))) !== textOf(bytes.subarray(-SUM_BYTES))) return malformed('wrong checksum');
    if (body[1] !== context.address) return malformed(`unit ${body[1]} answers, ${String(context.address)} was asked`);
    const data = body.subarray(HEAD_BYTES);
    if (data.length !== 2 * words) return malformed(`${data.length} bytes of data, not ${2 * words}`);
    const view = new DataView(data.buffer, data.byteOffset, data.length);
    const numbers = Array.from({ length: words }, (_, at) => [String(at + 1), view.getUint16(2 * at)]);
    return { kind: 'fields', fields: Object.fromEntries(numbers) as Record<string, number>, raw, atMs };
  },
});
