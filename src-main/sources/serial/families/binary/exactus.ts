// Exactus pyrometers (BASF, LumaSense) that send measurements unasked: records without an end mark or a check.
//
//   81 44 28 80 83 00                       81 temperature, 82 current of the detector, 83 both, 84 ambient temperature
//
// Then come floats, the high byte first. A data byte 80 to 85 has 80 before it, so that a record begins at each byte 81 to 84
// that has none. A record counts only when the next one begins right behind it: one lost or added byte is found so, and each
// record is given when the next has come, with the time of its own first byte. Nothing is ever sent: commands start and stop
// the stream and change settings.
// Source: Exactus manual p. 48-57.
import { z } from 'zod';
import { showBytes } from '../../protocol/bytes.ts';
import { defineFamily, noAddress } from '../../protocol/family.ts';
import { byLength } from '../../protocol/framer.ts';

const ESCAPE = 0x80;
const ESCAPED_MAX = 0x85;
/** Names of the floats of a record, by its first byte. */
const RECORDS: Readonly<Record<number, readonly string[]>> = {
  129: ['temperature'],
  130: ['current'],
  131: ['temperature', 'current'],
  132: ['ambient'],
};
const FLOAT_BYTES = 4;
const RECORD_BYTES_MAX = 1 + 2 * FLOAT_BYTES * 2;

const Hear = z.strictObject({ record: z.enum(['measurement', 'ambient']) });
type Hear = z.output<typeof Hear>;

/** Data bytes of a record without their escapes, and its length as sent; null: not whole yet; `broken`: it is none. */
function readRecord(bytes: Uint8Array): { data: Uint8Array; length: number } | null | 'broken' {
  const names = RECORDS[bytes[0] ?? 0];
  if (names === undefined) return 'broken';
  const data: number[] = [];
  let at = 1;
  while (data.length < names.length * FLOAT_BYTES) {
    const isEscape = bytes[at] === ESCAPE;
    const byte = bytes[isEscape ? at + 1 : at];
    if (byte === undefined) return null;
    if (isEscape !== (byte >= ESCAPE && byte <= ESCAPED_MAX)) return 'broken';
    data.push(byte);
    at += isEscape ? 2 : 1;
  }
  return { data: Uint8Array.from(data), length: at };
}

const STREAM = byLength(4 * RECORD_BYTES_MAX, (bytes) => {
  const record = readRecord(bytes);
  if (record === null || record === 'broken') return record;
  const next = bytes[record.length];
  if (next === undefined) return null;
  return next in RECORDS ? record.length : 'broken';
});

export const exactus = defineFamily<Record<string, never>, never, Hear>({
  name: 'exactus',
  title: 'records of Exactus pyrometers',
  setup: z.strictObject({}),
  address: noAddress,
  ask: z.never(),
  refuse: () => 'these pyrometers are only listened to',
  mayWrite: () => false,
  neutral: () => new Uint8Array(),
  provesReply: () => true,
  exchange: () => {
    throw new Error('these pyrometers are only listened to');
  },
  unsolicited: {
    hear: Hear,
    framer: () => STREAM,
    /** Fields: `temperature`, `current`, or `ambient`, as far as the record has them. */
    decode: ({ bytes, atMs }, { record: wanted }) => {
      const record = readRecord(bytes);
      const names = RECORDS[bytes[0] ?? 0];
      if (record === null || record === 'broken' || names === undefined) return null;
      if (names.includes('ambient') !== (wanted === 'ambient')) return null;
      const view = new DataView(record.data.buffer);
      const fields = Object.fromEntries(names.map((name, at) => [name, view.getFloat32(FLOAT_BYTES * at)]));
      return { kind: 'fields', fields, raw: showBytes(bytes), atMs };
    },
  },
});
