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
