// Numbers the way the field writes them: a pressure is 3.2E-09, a temperature 612.3, a count 12,412.
export { formatCount, formatCounted } from '../../src-main/contract/format.ts';

const PRESSURE_UNITS = new Set(['torr', 'mtorr', 'mbar', 'bar', 'pa', 'hpa', 'kpa', 'psi', 'atm']);

/** Tell whether a unit is one of pressure, which the field writes and draws over decades. */
export const isPressureUnit = (unit: string): boolean => PRESSURE_UNITS.has(unit.trim().toLowerCase());

/**
 * Write a measured value without its unit.
 *
 * @param value - the value and its unit.
 * @param unit - which decides the notation: small pressures are always exponential.
 * @param digits - significant digits; absent: as many as the field writes.
 * @returns at most five significant digits, unless more are wanted; `3.2E-09` with a two-digit exponent outside 0.001 to 99,999.
 */
export function formatValue(value: number, unit: string, digits?: number): string {
  if (!Number.isFinite(value)) return 'no number';
  if (value === 0) return '0';
  const size = Math.abs(value);
  const isPressure = isPressureUnit(unit);
  if (size >= 1e5 || size < (isPressure ? 0.01 : 1e-3)) return formatExponential(value, digits ?? (isPressure ? 2 : 3));
  if (Number.isInteger(value)) return String(value);
  if (digits !== undefined) return String(Number(value.toPrecision(digits)));
  const decimals = size >= 1000 ? 1 : size >= 100 ? 2 : size >= 1 ? 3 : 4;
  return String(Number(value.toFixed(decimals)));
}

/** Write a measured value with its unit: `3.2E-09 Torr`. */
export function formatMeasured(value: number, unit: string): string {
  const text = formatValue(value, unit);
  return unit ? `${text} ${unit}` : text;
}

/** Write a number as it was read, every digit of it, exponents as `3.2E-09`; a dash where there is none. */
export function formatPlain(value: number | null): string {
  if (value === null) return '–';
  const [mantissa = '', exponent] = String(value).split('e');
  return exponent === undefined ? mantissa : `${mantissa}E${writeExponent(Number(exponent))}`;
}

function formatExponential(value: number, digits: number): string {
  const [mantissa = '', exponent = '0'] = value.toExponential(digits - 1).split('e');
  return `${mantissa}E${writeExponent(Number(exponent))}`;
}

function writeExponent(power: number): string {
  return `${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** Read a number as people type it, with a point or a comma; null: it is none. */
export function parseDecimal(text: string): number | null {
  const trimmed = text.trim().replace(',', '.');
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : null;
}

/** Write a measured number with its uncertainty, in the digits that are known: `10.0`, `30 ± 2`, `8.1 ± 0.3`. */
export function formatUncertain(value: number, uncertainty: number): string {
  if (uncertainty < 0.05) return value.toFixed(1);
  const digits = uncertainty < 0.95 ? 1 : 0;
  return `${value.toFixed(digits)} ± ${uncertainty.toFixed(digits)}`;
}
