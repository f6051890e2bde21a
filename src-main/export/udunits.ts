// Units as UDUNITS-2 writes them, which NeXus asks for. A unit that is not in the list is not translated: it stands in the file
// as it was captured, and a reader sees that no translation is given.
// Source: UDUNITS-2 unit database (udunits2-base, -derived, -accepted, -common, -prefixes).

const SAME = [
  ...['Pa', 'hPa', 'kPa', 'MPa', 'mbar', 'bar', 'ubar', 'Torr', 'mTorr', 'atm', 'psi'],
  ...['K', 'mK', 'degC', 'degF', 's', 'ms', 'us', 'ns', 'min', 'h', 'd', 'Hz', 'kHz', 'MHz', 'GHz'],
  ...['V', 'mV', 'uV', 'kV', 'A', 'mA', 'uA', 'nA', 'pA', 'W', 'mW', 'kW', 'ohm', 'kohm', 'T', 'mT'],
  ...[
    'm',
    'mm',
    'um',
    'nm',
    'pm',
    'cm',
    'angstrom',
    'kg',
    'g',
    'mg',
    'l',
    'ml',
    'l/min',
    'ml/min',
    'm/s',
    'nm/s',
    'nm/min',
  ],
  ...['angstrom/s', 'mol', 'rad', 'degree', 'rpm', 'eV', 'keV', 'J', 'kJ', 'N', '%', '1', 'l/s', 'm^3/s', 'mbar.l/s'],
];

/** Keys as they are after the compatibility composition of Unicode (NFKC), which makes one sign of those that look alike. */
const OTHERS: Readonly<Record<string, string>> = {
  '°C': 'degC',
  '°F': 'degF',
  Å: 'angstrom',
  'Å/s': 'angstrom/s',
  μm: 'um',
  μA: 'uA',
  μs: 'us',
  μbar: 'ubar',
  Ω: 'ohm',
  kΩ: 'kohm',
  torr: 'Torr',
  '1/s': 's-1',
  '°': 'degree',
  deg: 'degree',
  'L/s': 'l/s',
  'mbar l/s': 'mbar.l/s',
  'mbar*l/s': 'mbar.l/s',
  'm3/s': 'm^3/s',
};

/**
 * Say a unit as UDUNITS does.
 *
 * @param unit - as it was captured.
 * @returns the same unit, unscaled; null where no translation is known (`sccm`, `a.u.`), or there is no unit.
 */
export function udunits(unit: string): string | null {
  const plain = unit.normalize('NFKC');
  if (SAME.includes(plain)) return plain;
  return Object.hasOwn(OTHERS, plain) ? (OTHERS[plain] as string) : null;
}

/** Every spelling that `udunits` gives. */
export const UDUNITS_SPELLINGS: readonly string[] = [...new Set([...SAME, ...Object.values(OTHERS)])];
