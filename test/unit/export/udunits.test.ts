import { spawnSync } from 'node:child_process';
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
  const units = [...UDUNITS_SPELLINGS];
  // It asks what a unit is to be converted to where it knows it, and names on stderr what it does not know.
  const { stdout, stderr } = spawnSync('udunits2', {
    input: units.map((unit) => `${unit}\n\n`).join(''),
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(stdout.split('You want:').length - 1).toBe(units.length);
});
