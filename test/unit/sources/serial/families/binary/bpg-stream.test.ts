import { expect, test } from 'vitest';
import { InputBuffer } from '../../../../../../src-main/sources/serial/line/input-buffer.ts';
import { Chance } from '../../../../../simulation/random.ts';
import { bindFamily, wire } from '../../../../../support/serial/serial-exchange.ts';

/** A frame of a code, the pressure's logarithm times 4000. */
function frame(code: number, { status = 0, error = 0, version = 20, type = 10 } = {}): Uint8Array {
  const body = [5, status, error, code >> 8, code & 0xff, version, type];
  return Uint8Array.of(7, ...body, body.reduce((sum, byte) => sum + byte, 0) % 256);
}

/** Fields of the frames that are cut from bytes, which come in pieces. */
function hear(pieces: readonly Uint8Array[], types = [10]): Record<string, unknown>[] {
  const family = bindFamily('bpg-stream', { types });
  const decode = family.compileHear('test', undefined);
  const buffer = new InputBuffer();
  const heard: Record<string, unknown>[] = [];
  for (const piece of pieces) {
    buffer.append(piece, 0);
    while (family.framer) {
      const taken = buffer.take(family.framer, true);
      if (taken === null) break;
      const reply = taken.kind === 'frame' ? decode(taken.frame) : null;
      if (reply?.kind === 'fields') heard.push(reply.fields);
    }
  }
  return heard;
}

const mbar = (fields: Record<string, unknown> | undefined) => fields?.mbar as number;

test('reads the examples', () => {
  expect(frame(0x4e20)).toEqual(wire('hex 07 05 00 00 4e 20 14 0a 91'));
  expect(mbar(hear([wire('hex 07 05 00 00 4e 20 14 0a 91')])[0])).toBeCloseTo(3.16e-8, 10);
  expect(mbar(hear([wire('hex 07 05 00 00 9c 40 14 0a ff')])[0])).toBeCloseTo(3.16e-3, 5);
  // The example of the BPG400 manual, p. 33: 1000 mbar.
  expect(mbar(hear([Uint8Array.of(7, 5, 0, 0, 242, 48, 20, 10, 69)])[0])).toBeCloseTo(1000, 9);
});

test('gives mbar whatever the gauge shows', () => {
  const shown = [0x00, 0x10, 0x20].map((status) => {
    // 1e-3 mbar in the code of each unit.
    const offset = [12.5, 12.625, 10.5][status >> 4] as number;
    const perMbar = [1, 1 / 1.333223684, 100][status >> 4] as number;
    return mbar(hear([frame(Math.round(4000 * (Math.log10(1e-3 * perMbar) + offset)), { status })])[0]);
  });
  for (const value of shown) expect(Math.abs(value / 1e-3 - 1)).toBeLessThan(6e-4);
});

test('does not know a fourth unit, nor another gauge', () => {
  expect(hear([frame(20_000, { status: 0x30 })])).toEqual([]);
  expect(hear([frame(20_000, { type: 12 })])).toEqual([]);
  expect(hear([frame(20_000, { type: 12 })], [12])).toHaveLength(1);
});

test('finds the beginning when 07 05 stands within a frame', () => {
  const tricky = frame(0x3207, { version: 5 });
  for (let from = 0; from < tricky.length; from++) {
    const heard = hear([tricky.subarray(from), tricky, tricky, tricky]);
    const expected = 10 ** (0x3207 / 4000 - 12.5);
    expect(heard.length).toBeGreaterThanOrEqual(2);
    for (const fields of heard) expect(mbar(fields)).toBe(expected);
  }
});

test('takes no wrong value from a stream with bytes lost, changed and added', () => {
  const chance = new Chance(7);
  const codes = [0x4e20, 0x9c40, 62_000, 0x3207];
  const allowed = new Set(codes.map((code) => 10 ** (code / 4000 - 12.5)));
  const pieces: Uint8Array[] = [];
  let whole = 0;
  for (let at = 0; at < 4000; at++) {
    const good = frame(codes[at % codes.length] as number, { status: at % 2 === 0 ? 0 : 8 });
    const fault = chance.between(0, 7);
    const spot = chance.between(0, good.length - 1);
    if (fault === 0) pieces.push(Uint8Array.from(good.filter((_, index) => index !== spot)));
    else if (fault === 1)
      pieces.push(Uint8Array.from(good, (byte, index) => (index === spot ? byte ^ (1 << chance.between(0, 7)) : byte)));
    else if (fault === 2)
      pieces.push(Uint8Array.of(...good.subarray(0, spot), chance.between(0, 255), ...good.subarray(spot)));
    else {
      pieces.push(good);
      whole += 1;
    }
  }
  const heard = hear(pieces);
  expect(heard.filter((fields) => !allowed.has(mbar(fields)))).toEqual([]);
  expect(heard.length).toBeGreaterThan(whole * 0.8);
});
