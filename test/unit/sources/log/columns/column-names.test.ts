import { describe, expect, test } from 'vitest';
import { nameColumns } from '../../../../../src-main/sources/log/columns/column-names.ts';

const namesOf = (headers: string[]) => nameColumns(headers).map(({ name }) => name);

describe('column names', () => {
  test('split the unit off where it is one', () => {
    expect(nameColumns(['P [Torr]', 'T (°C)', 'I / µA', 'Value [0,700]', 'Sensor (left)', 'Rate [Å/s]'])).toMatchObject(
      [
        { name: 'P', unit: 'Torr' },
        { name: 'T', unit: '°C' },
        { name: 'I', unit: 'µA' },
        { name: 'Value [0,700]', unit: '' },
        { name: 'Sensor (left)', unit: '' },
        { name: 'Rate', unit: 'Å/s' },
      ],
    );
  });

  test.each([
    'P*1e9 (mbar)',
    'P * 10^9 [mbar]',
    'Pressure x1E-6 (mbar)',
    'Pressure x 1000, mbar',
    'P e-6 [mbar]',
    'P 1e-6/mbar',
    'P 10^-6 (Torr)',
  ])('take no unit of numbers that have a factor: %s', (header) => {
    const [column] = nameColumns([header]);
    expect([column?.name, column?.unit]).toEqual([header, '']);
  });

  test.each([
    ['Gun e1 (mA)', 'Gun e1'],
    ['PID10 (%)', 'PID10'],
    ['Cell 10 (°C)', 'Cell 10'],
    ['Flux x (mm)', 'Flux x'],
    ['Stage-2 (K)', 'Stage-2'],
  ])('take a number in a name for no factor: %s', (header, name) => {
    expect(nameColumns([header])[0]?.name).toBe(name);
  });

  test('number what comes twice and what has no name', () => {
    expect(namesOf(['T', '', 'T', 'T'])).toEqual(['T', 'column 2', 'T (2)', 'T (3)']);
  });

  test('keep the unit where only it tells two columns apart', () => {
    expect(nameColumns(['p [Torr]', 'p [mbar]'])).toMatchObject([
      { name: 'p [Torr]', unit: 'Torr' },
      { name: 'p [mbar]', unit: 'mbar' },
    ]);
  });

  test('fit 255 characters and stay apart when cut', () => {
    const long = 'x'.repeat(300);
    const names = namesOf([`${long}a`, `${long}b`, `${long}a`]);
    expect(new Set(names).size).toBe(3);
    for (const name of names) expect(name.length).toBeLessThanOrEqual(255);
  });
});
