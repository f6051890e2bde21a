import { expect, test } from 'vitest';
import { checkByte } from '../../../../../../src-main/sources/serial/families/text/ei-bisynch.ts';
import { bindFamily, converse, wire } from '../../../../../support/serial/serial-exchange.ts';

const family = (protocol = {}, address: unknown = 1) => bindFamily('ei-bisynch', protocol, address);

/** A reply with its check byte. */
function reply(body: string): Uint8Array {
  const checked = wire(`${body}\x03`);
  return Uint8Array.of(2, ...checked, checkByte(checked));
}

test('polls with each digit of the address twice, a channel before the parameter', () => {
  expect(converse(family(), 'PV', []).sent).toEqual([wire('hex 04 30 30 31 31 50 56 05')]);
  expect(converse(family({}, 63), 'SL', []).sent).toEqual([wire('\x046633SL\x05')]);
  expect(converse(family({}, '04'), 'SL', []).sent).toEqual([wire('\x040044SL\x05')]);
  expect(converse(family({ channel: '2' }), 'PV', []).sent).toEqual([wire('\x0400112PV\x05')]);
});

test('reads the examples', () => {
  expect(converse(family(), 'PV', [wire('hex 02 50 56 36 35 32 2e 34 03 2e')]).reply).toMatchObject({ text: '652.4' });
  expect(converse(family(), 'PV', [wire('hex 02 50 56 2d 31 32 2e 33 03 36')]).reply).toMatchObject({ text: '-12.3' });
  expect(converse(family(), 'EE', [wire('hex 02 45 45 3e 30 30 30 30 03 3d')]).reply).toMatchObject({ text: '>0000' });
});

// Values that are characters of the protocol itself.
test.each([2, 3, 4, 5, 6])('takes a check byte of %i for a check byte', (wanted) => {
  const texts = Array.from({ length: 10_000 }, (_, at) => `OP${(at / 10).toFixed(1)}`);
  const body = texts.find((text) => reply(text).at(-1) === wanted) as string;
  expect(body).toBeDefined();
  const { reply: read } = converse(family(), 'OP', [reply(body)]);
  expect(read).toMatchObject({ kind: 'text', text: body.slice(2) });
});

test('refuses every reply with one bit changed', () => {
  const good = reply('PV652.4');
  for (let bit = 0; bit < good.length * 8; bit++) {
    const changed = Uint8Array.from(good, (byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
    const read = converse(family(), 'PV', [changed]).reply;
    expect(
      read === null || read.kind === 'malformed' || read.kind === 'refused',
      `bit ${bit}: ${JSON.stringify(read)}`,
    ).toBe(true);
  }
});

test('waits while the check byte is missing', () => {
  expect(converse(family(), 'PV', [reply('PV652.4').subarray(0, -1)]).reply).toBeNull();
});

test('passes over the late reply to another poll, of the same line or another loop', () => {
  const late = Uint8Array.of(...reply('SL650.0'), ...reply('PV652.4'));
  expect(converse(family(), 'PV', [late]).reply).toMatchObject({ text: '652.4' });
  expect(converse(family({ channel: '1' }), 'PV', [reply('2PV30.0')]).reply).toBeNull();
});

test('takes EOT alone for a parameter that is not there, and noise before a reply for noise', () => {
  expect(converse(family(), 'ZZ', [wire('\x04')]).reply).toMatchObject({ kind: 'refused' });
  const noisy = Uint8Array.of(0xff, 0x80, ...reply('PV652.4'));
  expect(converse(family(), 'PV', [noisy]).reply).toMatchObject({ text: '652.4' });
});

test('reads behind the echo of a two-wire line', () => {
  const echoed = Uint8Array.of(...wire('\x040011PV\x05'), ...reply('PV652.4'));
  expect(converse(family({ echo: true }), 'PV', [echoed]).reply).toMatchObject({ text: '652.4' });
  // Without the setting, where the echo comes at once.
  expect(converse(family(), 'PV', [echoed]).reply).toMatchObject({ text: '652.4' });
  expect(converse(family(), 'PV', [reply('PV652')]).reply).toMatchObject({ text: '652' });
});
