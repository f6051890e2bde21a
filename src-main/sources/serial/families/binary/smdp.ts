// SMDP of Sycon and INFICON (STM-2, STM-2XM): frames with a checksum, the same form both ways.
//
//   02 address command data... ck1 ck2 0d        02 10 80 'T' 3e 34 0d   ->   02 10 81 '12.4' 35 36 0d
//
// The checksum is the sum of address, command and data modulo 256, as two nibbles with 30h added. Inside a frame 02, 0d and
// 07 are written as 07 30, 07 31 and 07 32. The low three bits of the command byte of a reply are its status (1: it is well),
// bit 3 says that the power failed since the unit was last reset. A reply does not name its question; what comes damaged or
// for another address is not answered. Source: STM-2 manual p. 69, 75.
import { z } from 'zod';
import { bytesOf, showBytes, textOf } from '../../protocol/bytes.ts';
import type { Exchange, Reply } from '../../protocol/exchange.ts';
import { defineFamily, type FamilyContext } from '../../protocol/family.ts';
import { byLength } from '../../protocol/framer.ts';

type Setup = Record<string, never>;
type Context = Omit<FamilyContext<Setup>, 'isReply'>;

const STX = 0x02;
const CR = 0x0d;
const ESCAPE = 0x07;
const ESCAPED = [STX, CR, ESCAPE];
/** Command of an instrument, as opposed to those of the link. */
const INSTRUMENT = 0x80;
const WELL = 1;

/** Version, rate, thickness, frequency, crystal life, crystal, timer, reset status. Small and other letters set or zero. */
const READS = /^[@TSUVMWa]$/;

const checkOf = (body: Uint8Array): number[] => {
  const sum = body.reduce((total, byte) => total + byte, 0) & 0xff;
  return [0x30 + (sum >> 4), 0x30 + (sum & 0x0f)];
};

function questionOf(ask: string, { address }: Context): Uint8Array {
  const body = Uint8Array.of(address as number, INSTRUMENT, ...bytesOf(ask));
  const inside = [...body, ...checkOf(body)].flatMap((byte) =>
    ESCAPED.includes(byte) ? [ESCAPE, 0x30 + ESCAPED.indexOf(byte)] : [byte],
  );
  return Uint8Array.of(STX, ...inside, CR);
}

/** What stands between STX and CR, without escapes; null when an escape is none. */
function withoutEscapes(inside: Uint8Array): Uint8Array | null {
  const bytes: number[] = [];
  for (let at = 0; at < inside.length; at++) {
    const byte = inside[at] as number;
    if (byte !== ESCAPE) bytes.push(byte);
    else {
      at += 1;
      const meant = ESCAPED[(inside[at] ?? 0) - 0x30];
      if (meant === undefined) return null;
      bytes.push(meant);
    }
  }
  return Uint8Array.from(bytes);
}

const framer = byLength(256, (bytes) => {
  if (bytes[0] !== STX) return 'broken';
  const end = bytes.indexOf(CR);
  const again = bytes.indexOf(STX, 1);
  // A frame that was cut: another one begins in it.
  if (again > 0 && (end < 0 || again < end)) return 'broken';
  return end < 0 ? null : end + 1;
});

export const smdp = defineFamily<Setup, string>({
  name: 'smdp',
  title: 'SMDP of Sycon and INFICON',
  setup: z.strictObject({}),
  address: z.int().min(0x10).max(0xfe),
  ask: z.string().min(1).max(8),
  refuse: (ask) => (READS.test(ask) ? null : `"${ask}" is not known to only read (allowed: ${READS.source})`),
  mayWrite: (bytes, context) => {
    const ask = textOf(bytes.subarray(-4, -3));
    return READS.test(ask) && textOf(bytes) === textOf(questionOf(ask, context));
  },
  neutral: () => new Uint8Array(),
  provesReply: () => false,
  *exchange(ask, context): Exchange {
    const { bytes, atMs } = yield { send: questionOf(ask, context), read: framer };
    const raw = showBytes(bytes);
    const malformed = (reason: string): Reply => ({ kind: 'malformed', raw, reason, atMs });
    const inside = withoutEscapes(bytes.subarray(1, -1));
    if (inside === null || inside.length < 4) return malformed('not the form of a frame');
    const body = inside.subarray(0, -2);
    if (textOf(Uint8Array.from(checkOf(body))) !== textOf(inside.subarray(-2))) return malformed('wrong checksum');
    const [address, command = 0] = body;
    if (address !== context.address) return malformed(`unit ${address} answers, ${String(context.address)} was asked`);
    if ((command & 0xf0) !== INSTRUMENT) return malformed('it is no reply of an instrument');
    const status = command & 0x07;
    // What is sent is not heard as a reply: its status is 0.
    if (status === 0) return malformed('its own question came back');
    const reason = `it refuses ${ask}: status ${status}`;
    if (status !== WELL) return { kind: 'refused', raw, reason, atMs };
    const text = textOf(body.subarray(2)).trim();
    return /^[ -~]*$/.test(text) ? { kind: 'text', text, atMs } : malformed('bytes that are no text');
  },
});
