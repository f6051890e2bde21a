// What a quantity can be at all, wherever it is measured: a number beyond it is noise on the line, or what an instrument says
// in the place of a reading. A profile says more exactly what an instrument can read (`range`).
//
// The bounds are wide on purpose: a reading that is only strange is a reading. Manometers show zero and less than nothing.

interface Bounds {
  readonly least: number;
  readonly greatest: number;
  /** Nothing but zero is nearer to zero. */
  readonly smallest: number;
  /** What one of a unit is in the unit of the bounds; other units are not compared with them. Left out: any. */
  readonly units?: Readonly<Record<string, number>>;
}

/** Nothing that an instrument of a growth tool measures, in any unit. */
const ANYTHING: Bounds = { least: -1e15, greatest: 1e15, smallest: 1e-40 };

const symmetric = (greatest: number, units: Readonly<Record<string, number>>): Bounds => ({
  ...ANYTHING,
  least: -greatest,
  greatest,
  units,
});

/** From 1e-13 mbar, below which no gauge reads, to 10 bar; in mbar. */
const PRESSURE: Bounds = {
  least: -1100,
  greatest: 1e4,
  smallest: 1e-13,
  units: {
    mbar: 1,
    hpa: 1,
    pa: 0.01,
    kpa: 10,
    bar: 1000,
    torr: 1.33322,
    mmhg: 1.33322,
    atm: 1013.25,
    mtorr: 1.33322e-3,
    micron: 1.33322e-3,
    microns: 1.33322e-3,
    psi: 68.9476,
    psia: 68.9476,
    psig: 68.9476,
  },
};

const BY_QUANTITY: Readonly<Record<string, Bounds>> = {
  pressure: PRESSURE,
  voltage: symmetric(1e6, { v: 1, mv: 1e-3, kv: 1000 }),
  current: symmetric(1e4, { a: 1, ma: 1e-3, µa: 1e-6, na: 1e-9, pa: 1e-12 }),
  'ion current': symmetric(1, { a: 1, ma: 1e-3, µa: 1e-6, na: 1e-9, pa: 1e-12 }),
  power: symmetric(1e7, { w: 1, kw: 1000 }),
  frequency: { ...ANYTHING, least: 0, greatest: 1e12, units: { hz: 1, khz: 1000, mhz: 1e6 } },
  emissivity: { ...ANYTHING, least: 0, greatest: 1.5 },
};

/** The lowest temperature by unit, which is none: 0 K is what an input without a sensor says. And none is as hot. */
const COLDEST: Readonly<Record<string, number>> = { k: 0, '°c': -273.15, c: -273.15, '°f': -459.67, f: -459.67 };
const HOTTEST = 10_000;

function isPossible(value: number, quantity: string, unit: string): boolean {
  const one = unit.toLowerCase();
  const coldest = COLDEST[one];
  if (quantity.endsWith('temperature') && coldest !== undefined) return value > coldest && value < HOTTEST;
  const bounds = BY_QUANTITY[quantity] ?? ANYTHING;
  const factor = bounds.units === undefined ? 1 : bounds.units[one];
  const { least, greatest, smallest } = factor === undefined ? ANYTHING : bounds;
  const size = value * (factor ?? 1);
  return size >= least && size <= greatest && (size === 0 || Math.abs(size) >= smallest);
}

/** Why a number cannot be a reading of this quantity in this unit, the same for all such numbers; null when it can. */
export function findImplausible(value: number, quantity: string, unit: string): string | null {
  if (isPossible(value, quantity.toLowerCase(), unit)) return null;
  const what = quantity === '' ? 'reading' : quantity;
  return `implausible: such a number is no ${what}${unit === '' ? '' : ` in ${unit}`}`;
}
