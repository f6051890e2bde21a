// Maxtek MDC-360 deposition controller: `FF FE address instruction length data checksum` both ways; the checksum is the
// complement of instruction, length and data. A status frame (instruction FD) comes before each reply. Only instruction 1E,
// the run-time values, is ever sent: 00, 03, 05, 07, 1D, 21, 26 and 28 act, the others were not read closely enough.
// Source: MDC-360 manual p. 11-20.
import { z } from 'zod';
import { showBytes, textOf } from '../../protocol/bytes.ts';
import type { Exchange, Frame, Reply } from '../../protocol/exchange.ts';
import { defineFamily, type FamilyContext } from '../../protocol/family.ts';
import { byLength } from '../../protocol/framer.ts';

const Setup = z.strictObject({});
type Context = Omit<FamilyContext<z.infer<typeof Setup>>, 'isReply'>;

const RUN_TIME_VALUES = 0x1e;
const STATUS = 0xfd;
const HEAD_BYTES = 5;
const RUN_TIME_BYTES = 35;
/** The text in front of the run-time values, by width. Six bytes of packed digits follow that are not used. */
const WIDTHS = { power: 4, thickness: 5, rate: 4, timeToGo: 7, health: 2, layer: 3, deviation: 4 } as const;

const CODES: Readonly<Record<number, string>> = {
  1: 'checksum wrong',
  2: 'instruction not known',
  3: 'length wrong',
  4: 'value out of range',
  5: 'not valid now',
};

function checksum(bytes: Uint8Array): number {
  return ~bytes.reduce((sum, byte) => sum + byte, 0) & 0xff;
}

function question({ address }: Context): Uint8Array {
  const body = Uint8Array.of(RUN_TIME_VALUES, 0);
  return Uint8Array.of(0xff, 0xfe, address as number, ...body, checksum(body));
}

const framer = byLength(HEAD_BYTES + 256, (bytes) => {
  if (bytes[0] !== 0xff || (bytes.length > 1 && bytes[1] !== 0xfe)) return 'broken';
  return bytes.length < HEAD_BYTES ? null : HEAD_BYTES + (bytes[4] as number) + 1;
});

/** What a frame says; null when another one follows: the status says yes, or it is another unit's. */
function readFrame({ bytes, atMs }: Frame, { address }: Context): Reply | null {
  const raw = showBytes(bytes);
  const malformed = (reason: string): Reply => ({ kind: 'malformed', raw, reason, atMs });
  if (bytes.at(-1) !== checksum(bytes.subarray(3, -1))) return malformed('wrong checksum');
  const data = bytes.subarray(HEAD_BYTES, -1);
  const [instruction = 0, code = 0] = data;
  if (bytes[2] !== address) return null;
  if (bytes[3] === STATUS) {
    if (instruction !== RUN_TIME_VALUES || code === 0) return null;
    return { kind: 'refused', raw, reason: CODES[code] ?? `it answers code ${code}`, atMs };
  }
  if (bytes[3] !== RUN_TIME_VALUES) return null;
  if (data.length !== RUN_TIME_BYTES)
    return malformed(`${data.length} bytes of values, ${RUN_TIME_BYTES} were expected`);
  const fields: Record<string, string> = {};
  let at = 0;
  for (const [name, width] of Object.entries(WIDTHS)) {
    fields[name] = textOf(data.subarray(at, at + width)).trim();
    at += width;
  }
  return { kind: 'fields', fields, raw, atMs };
}

export const maxtek = defineFamily<z.infer<typeof Setup>, string>({
  name: 'maxtek',
  title: 'Maxtek deposition controllers',
  setup: Setup,
  address: z.int().min(1).max(255),
  ask: z.string(),
  refuse: (ask) => (ask === 'run-time-values' ? null : `"${ask}" is not asked (allowed: run-time-values)`),
  mayWrite: (bytes, context) => showBytes(bytes) === showBytes(question(context)),
  neutral: () => new Uint8Array(),
  // Each frame names the instruction it answers.
  provesReply: () => true,
  *exchange(_ask, context): Exchange {
    let frame = yield { send: question(context), read: framer };
    for (;;) {
      const reply = readFrame(frame, context);
      if (reply !== null) return reply;
      frame = yield { read: framer };
    }
  },
});
