// SRS residual gas analyzers: text commands that end with CR; text replies end with LF CR, in this order. An ion current is
// four bytes, the low one first, signed, in 1e-16 A, without an end mark or a check:
//
//   MR28 CR  ->  44 41 00 00        the current at mass 28: 1.6708e-12 A
//   ER? CR   ->  0 LF CR            the status byte
//
// So a lost or an added byte would move all that follows. Each measurement therefore ends with ER?: unless a text of digits
// follows the last current directly, none of them is believed. MR0 takes the voltage off the rods between measurements; it
// is not answered. A question that is rejected is not answered either.
import { z } from 'zod';
import { bytesOf, joinBytes, showBytes, textOf } from '../../protocol/bytes.ts';
import type { Exchange, Reply } from '../../protocol/exchange.ts';
import { defineFamily, noAddress } from '../../protocol/family.ts';
import { exactly, loneLine } from '../../protocol/framer.ts';

const MASS_MAX = 300;
const CURRENT = exactly(4);
const LINE = loneLine(256);
/** The status that follows the currents directly: a line end before it would be a byte of theirs. */
const STATUS = loneLine(256, false);
/** Bit 0 says that some command was wrong. It stays until somebody asks which, and says nothing of the currents. */
const COMMAND_ERROR = 1;

/** Identity, status byte, error bytes but that of commands (reading it clears it), sensitivities, filament, multiplier. */
const READS = /^(ID|ER|EF|EM|EQ|ED|EP|SP|ST|FL|HV)\?$/;

const Ask = z.union([
  z.string(),
  /** The currents at these masses; fields are named by them, with `status` beside. */
  z.strictObject({ masses: z.array(z.int().min(1).max(MASS_MAX)).min(1).max(MASS_MAX) }),
  /** The current of all ions; fields `total` and `status`. */
  z.strictObject({ total: z.literal(true) }),
]);
type Ask = z.output<typeof Ask>;

const currentOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, 4).getInt32(0, true);

function* askText(ask: string): Exchange {
  const { bytes, atMs } = yield { send: bytesOf(`${ask}\r`), read: LINE };
  const text = textOf(bytes).replace(/[\r\n]+$/, '');
  if (/^[ -~]+$/.test(text)) return { kind: 'text', text: text.trim(), atMs };
  return { kind: 'malformed', raw: showBytes(bytes), reason: 'bytes that are no text', atMs };
}

/** Ask for currents, then for the status byte that proves that no byte was lost or added. */
function* measure(asks: readonly (readonly [name: string, ask: string])[], last: string): Exchange {
  const fields: Record<string, number> = {};
  const parts: Uint8Array[] = [];
  let firstMs: number | null = null;
  for (const [name, ask] of asks) {
    const { bytes, atMs } = yield { send: bytesOf(`${ask}\r`), read: CURRENT };
    fields[name] = currentOf(bytes);
    parts.push(bytes);
    firstMs ??= atMs;
  }
  if (last !== '') yield { send: bytesOf(last), read: null };
  const end = yield { send: bytesOf('ER?\r'), read: STATUS };
  const raw = showBytes(joinBytes(...parts, end.bytes));
  const atMs = firstMs ?? end.atMs;
  const malformed = (reason: string): Reply => ({ kind: 'malformed', raw, reason, atMs });
  const status = textOf(end.bytes).replace(/[\r\n]+$/, '');
  // Without a zero before it: that could be the last byte of a current.
  if (!/^(0|[1-9]\d{0,2})$/.test(status) || Number(status) > 255)
    return malformed('no status byte follows the currents');
  fields.status = Number(status) & ~COMMAND_ERROR;
  return { kind: 'fields', fields, raw, atMs };
}

export const srsRga = defineFamily<Record<string, never>, Ask>({
  name: 'srs-rga',
  title: 'SRS residual gas analyzers',
  setup: z.strictObject({}),
  address: noAddress,
  ask: Ask,
  refuse: (ask) =>
    typeof ask !== 'string' || READS.test(ask) ? null : `"${ask}" is not known to only read (${READS.source})`,
  mayWrite: (bytes) => {
    const text = textOf(bytes);
    if (text === '\r' || text === 'TP?\r') return true;
    const mass = /^MR(0|[1-9]\d{0,2})\r$/.exec(text)?.[1];
    if (mass !== undefined) return Number(mass) <= MASS_MAX;
    return text.endsWith('\r') && READS.test(text.slice(0, -1));
  },
  neutral: () => bytesOf('\r'),
  // It puts voltages on the rods to measure.
  bond: () => ({ ask: 'ID?', pattern: /^SRSRGA\d/, about: 'an SRS RGA' }),
  provesReply: () => false,
  exchange: (ask) => {
    if (typeof ask === 'string') return askText(ask);
    if ('total' in ask) return measure([['total', 'TP?']], '');
    return measure(
      ask.masses.map((mass) => [String(mass), `MR${mass}`]),
      'MR0\r',
    );
  },
});
