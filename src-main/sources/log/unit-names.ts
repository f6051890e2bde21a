// Units as instruments and logs write them: after a name, or in a line of their own.

/** For `name (unit)`; square brackets need no list. */
const UNITS = new Set(
  (
    'Torr mTorr uTorr µTorr μTorr mbar µbar bar Pa hPa kPa MPa psi psig psia atm mmHg °C °F ºC C F K degC deg_C V VDC VAC ADC AAC mV kV uV µV A mA uA µA nA pA ' +
    'W kW mW Wh kWh Hz kHz MHz GHz s sec ms us µs ns min h hr hrs sccm sccm/min slm slpm rpm 1/min % deg ° nm um µm mm cm m in Å A/s Å/s kÅ nm/s ' +
    'nm/min µm/h um/h ML ML/s eV keV Ohm ohm Ω kΩ kOhm L/min l/min l/h L/h g kg mg ug µg g/cm3 g/cm³ cps counts cts a.u. arb.u. arb. dB dBm T mT G Oe J mJ ' +
    '°/s °/min °C/min K/min C/min ppm ppb V/A N kN mol kA kOe SCCM TORR Mbar mBar MBAR RPM U/min l/s L/s mbar*l/s mbar.l/s lpm deg.C °K Deg mOhm MΩ MOhm mol% at% at.% wt% cm2 cm² /s 1/s #'
  ).split(' '),
);
/** How a recorder describes the cells of its time columns: YYYY/MM/DD, hh:mm:ss, ms. */
const STAMP_FORM = /^[yYmMdDhHsSfFaApP]+(?:[-/.: ,T][yYmMdDhHsSfFaApP]+)+$/;

/** True for a unit that people write. */
export function isUnit(text: string): boolean {
  return UNITS.has(text.trim());
}

/**
 * True for a row that holds units and nothing else: in brackets, or such as everybody knows.
 * **Takes**: the row, and the row of names above it: some programs repeat a name that has no unit.
 */
export function isUnitsRow(row: readonly string[], names: readonly string[] = []): boolean {
  const isRepeated = (cell: string, index: number) => cell.toLowerCase() === names[index]?.toLowerCase();
  const said = row.filter((cell, index) => cell !== '' && !isRepeated(cell, index));
  const isBracketed = (cell: string) => /^\[.*\]$|^\(.*\)$/.test(cell);
  const isSaid = (cell: string) => isBracketed(cell) || isUnit(cell) || STAMP_FORM.test(cell) || /^[-#]+$/.test(cell);
  const known = said.filter(isSaid).length;
  // One that is not on the list does not make the line one of names, as long as it is as short as units are.
  const isShort = said.every((cell) => cell.length <= 8 && !cell.includes(' '));
  const isMost = known === said.length || (known >= 2 && known * 3 >= said.length * 2 && isShort);
  return row.length > 1 && isMost && said.some((cell) => isBracketed(cell) || isUnit(cell));
}

/**
 * The units of a row of units, by column.
 * **Takes**: the row, the names above it, the number of columns, those of the time. **Gives**: one for each column; none at all when the row
 * has fewer cells than there are columns and it cannot be told which belongs where.
 */
export function unitsOf(
  row: readonly string[],
  names: readonly string[],
  width: number,
  timeColumns: readonly number[],
): string[] {
  const clean = row.map((cell, index) => {
    const isRepeated = cell.toLowerCase() === names[index]?.toLowerCase();
    return isRepeated || (!isUnit(cell) && STAMP_FORM.test(cell)) ? '' : cell.replace(/^[[(]|[\])]$/g, '');
  });
  if (clean.length >= width) return clean.slice(0, width);
  const others = Array.from({ length: width }, (_, index) => index).filter((index) => !timeColumns.includes(index));
  if (clean.length !== others.length) return [];
  const units = Array.from({ length: width }, () => '');
  for (const [at, column] of others.entries()) units[column] = clean[at] as string;
  return units;
}
