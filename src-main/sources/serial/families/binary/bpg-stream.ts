// INFICON BPG400 and BPG402, Leybold IONIVAC ITR 90: gauges that send a frame of nine bytes again and again, unasked.
//
//   07 05 status error high low version type sum        sum: bytes 1 to 7, modulo 256
//
// BPG400 manual (tina03e1-b) p. 31-33. What can be sent to them switches the degas or changes the unit: nothing is sent. The
// first two bytes may occur within a frame as well, so a frame begins where its sum fits. The pressure is coded in the unit
// that the gauge shows; it is given in mbar whatever that is, so that changing the display changes nothing here.
import { z } from 'zod';
import { showBytes } from '../../protocol/bytes.ts';
import { defineFamily, noAddress } from '../../protocol/family.ts';
import { byLength } from '../../protocol/framer.ts';

const FRAME_BYTES = 9;

/** By bits 4 and 5 of the status byte: the constant of the code, and mbar of one unit. */
const UNITS: readonly { readonly offset: number; readonly mbar: number }[] = [
  { offset: 12.5, mbar: 1 },
  { offset: 12.625, mbar: 1.333_223_684 },
  { offset: 10.5, mbar: 0.01 },
];

const Setup = z.strictObject({
  /** Sensor types (byte 7) that are read; frames of another gauge are refused. */
  types: z.array(z.int().min(0).max(255)).min(1).default([10]),
});

const sumOf = (frame: Uint8Array) => frame.subarray(1, FRAME_BYTES - 1).reduce((sum, byte) => sum + byte, 0) % 256;

const STREAM = byLength(1024, (bytes) => {
  if (bytes[0] !== 7 || (bytes.length > 1 && bytes[1] !== 5)) return 'broken';
  if (bytes.length < FRAME_BYTES) return null;
  return sumOf(bytes) === bytes[FRAME_BYTES - 1] ? FRAME_BYTES : 'broken';
});

export const bpgStream = defineFamily<z.output<typeof Setup>, never, undefined>({
  name: 'bpg-stream',
  title: 'frames of BPG and IONIVAC gauges',
  setup: Setup,
  address: noAddress,
  ask: z.never(),
  refuse: () => 'these gauges are only listened to',
  mayWrite: () => false,
  neutral: () => new Uint8Array(),
  provesReply: () => true,
  exchange: () => {
    throw new Error('these gauges are only listened to');
  },
  unsolicited: {
    hear: z.undefined(),
    framer: () => STREAM,
    /** Fields: `mbar`, `emission` (0 off, 1 25 µA, 2 5 mA, 3 degas), `fault` (upper half of the error byte). */
    decode: ({ bytes, atMs }, _hear, setup) => {
      const [, , status = 0, error = 0, high = 0, low = 0, , type = 0] = bytes;
      const unit = UNITS[(status >> 4) & 3];
      if (unit === undefined || !setup.types.includes(type)) return null;
      const mbar = 10 ** ((high * 256 + low) / 4000 - unit.offset) * unit.mbar;
      return { kind: 'fields', fields: { mbar, emission: status & 3, fault: error >> 4 }, raw: showBytes(bytes), atMs };
    },
  },
});
