// Units as a schema in SI wants them: which quantity a unit measures, and how its numbers become SI.
// Source: UDUNITS-2 unit database; sccm is a cubic centimetre a minute at 0 °C and 101,325 Pa, as the schema of NOMAD
// defines its flow rates, too.
import { udunits } from './udunits.ts';

type Quantity = 'pressure' | 'temperature' | 'power' | 'standardFlow';

/** A number in SI is `(number + offset) * factor`. */
interface ToSi {
  readonly quantity: Quantity;
  readonly factor: number;
  readonly offset: number;
}

const scaled = (quantity: Quantity, factors: Readonly<Record<string, number>>): [string, ToSi][] =>
  Object.entries(factors).map(([unit, factor]) => [unit, { quantity, factor, offset: 0 }]);

const TORR_PA = 101_325 / 760;

/** No units of UDUNITS, so their case is as it comes; a plain ml/min does not say at which pressure. */
const FLOWS: ReadonlyMap<string, ToSi> = new Map(
  scaled('standardFlow', { sccm: 1e-6 / 60, slm: 1e-3 / 60, slpm: 1e-3 / 60 }),
);

/** By their spelling in UDUNITS: there Mbar is another unit than mbar. */
const BY_UNIT: ReadonlyMap<string, ToSi> = new Map([
  ...scaled('pressure', { Pa: 1, hPa: 100, kPa: 1e3, MPa: 1e6, mbar: 100, bar: 1e5, ubar: 0.1, Torr: TORR_PA }),
  ...scaled('pressure', { mTorr: TORR_PA / 1000, atm: 101_325, psi: 6894.757293168361 }),
  ...scaled('temperature', { K: 1, mK: 1e-3 }),
  ['degC', { quantity: 'temperature', factor: 1, offset: 273.15 }],
  ['degF', { quantity: 'temperature', factor: 5 / 9, offset: 459.67 }],
  ...scaled('power', { W: 1, mW: 1e-3, kW: 1e3 }),
]);

/**
 * Tell how a unit becomes SI.
 *
 * @param unit - as it was captured.
 * @returns quantity, factor and offset; null where that is not known.
 */
export function toSi(unit: string): ToSi | null {
  const known = udunits(unit);
  return (known === null ? FLOWS.get(unit.trim().toLowerCase()) : BY_UNIT.get(known)) ?? null;
}
