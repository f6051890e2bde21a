// Instruments of no maker, for tests of the line: a gauge that is asked for two values, and a board that talks by itself.
import type { InstrumentInput } from '../../../src-main/model/instrument.ts';
import type { Dialog } from './instrument-emulator.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** Answers `A?` and `B?` with numbers, and has no identity that a late reply could be told by. */
export const twoValues: InstrumentInput = {
  name: 'two-values',
  title: 'Gauge with two values',
  family: 'line-ascii',
  protocol: { commands: 'getters' },
  timing: { gap_ms: 2, settle_ms: 20 },
  questions: [
    { id: 'a', ask: 'A?', reply: { pattern: '-?[0-9.]+' }, channels: [{ name: 'a' }] },
    { id: 'b', ask: 'B?', reply: { pattern: '-?[0-9.]+' }, channels: [{ name: 'b' }] },
  ],
};

/** Says `v=12.5` by itself. */
export const talker: InstrumentInput = {
  name: 'talker',
  title: 'Board that talks',
  family: 'line-ascii',
  protocol: { commands: 'getters', talks: true },
  timing: { gap_ms: 2, settle_ms: 20 },
  unsolicited: [{ id: 'v', expected_ms: 50, reply: { pattern: 'v=(.*)' }, channels: [{ name: 'v', field: 1 }] }],
};

export const dialog = (question: string, answer: string | null): Dialog => ({
  in: bytes(question),
  out: answer === null ? null : bytes(answer),
  next: [],
});

export { bytes };
