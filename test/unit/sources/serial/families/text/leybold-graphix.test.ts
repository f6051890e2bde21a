import { expect, test } from 'vitest';
import { graphixCheck } from '../../../../../../src-main/sources/serial/families/text/leybold-graphix.ts';
import { bindFamily, converse, wire } from '../../../../../support/serial/serial-exchange.ts';

const family = (protocol = {}) => bindFamily('leybold-graphix', protocol);

function frame(body: string): Uint8Array {
  const checked = wire(body);
  return Uint8Array.of(...checked, graphixCheck(checked), 4);
}

test('asks as three open drivers do: SI, parameter, blank, check byte, EOT', () => {
  // 0f+31+3b+32+39+20 = 106 hex; 255 - 06 = f9.
  expect(converse(family(), '1;29', []).sent).toEqual([wire('hex 0f 31 3b 32 39 20 f9 04')]);
});

test('makes no check byte that is a control character', () => {
  for (let value = 0; value < 256; value++) expect(graphixCheck(Uint8Array.of(value))).toBeGreaterThanOrEqual(32);
  expect(graphixCheck(Uint8Array.of(255))).toBe(32);
  expect(graphixCheck(Uint8Array.of(224))).toBe(63);
  expect(graphixCheck(Uint8Array.of(223))).toBe(32);
});

test('reads a reply, and what stands before it for the end of another', () => {
  expect(converse(family(), '1;29', [frame('\x061.00E-03')]).reply).toMatchObject({ kind: 'text', text: '1.00E-03' });
  const cut = Uint8Array.of(...wire('E-05'), ...frame('\x061.00E-03'));
  expect(converse(family(), '1;29', [cut]).reply).toMatchObject({ text: '1.00E-03' });
});

test('refuses a wrong check byte, unless that is switched off', () => {
  const wrong = wire('\x061.00E-03!\x04');
  expect(converse(family(), '1;29', [wrong]).reply).toMatchObject({ kind: 'malformed', reason: 'wrong check byte' });
  const unchecked = family({ check_replies: false });
  expect(converse(unchecked, '1;29', [wrong]).reply).toMatchObject({ kind: 'text', text: '1.00E-03' });
});

test('tells a refusal, and waits for EOT', () => {
  expect(converse(family(), '1;29', [frame('\x1512')]).reply).toMatchObject({
    kind: 'refused',
    reason: 'it refuses 1;29: error 12',
  });
  expect(converse(family(), '1;29', [frame('\x061.00E-03').subarray(0, -1)]).reply).toBeNull();
});
