import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { UDUNITS_SPELLINGS, udunits } from '../../../src-main/export/udunits.ts';

const isHere = spawnSync('udunits2', ['-V']).error === undefined;

test('signs that look alike are one unit, and what is not known is not translated', () => {
  expect(['°C', '℃', 'degC'].map(udunits)).toEqual(['degC', 'degC', 'degC']);
  expect(['\u00c5/s', '\u212b/s', 'A\u030a/s'].map(udunits)).toEqual(['angstrom/s', 'angstrom/s', 'angstrom/s']);
  expect(['\u00b5m', '\u03bcm', '\u2126', '\u03a9'].map(udunits)).toEqual(['um', 'um', 'ohm', 'ohm']);
  expect(['sccm', 'a.u.', '', 'C', 'constructor', 'toString'].map(udunits)).toEqual(Array(6).fill(null));
});

test.skipIf(!isHere)('UDUNITS itself knows each spelling that is given', () => {
  for (const unit of UDUNITS_SPELLINGS) {
    expect(() => execFileSync('udunits2', ['-H', unit, '-W', ''], { stdio: 'pipe' }), unit).not.toThrow();
  }
});
