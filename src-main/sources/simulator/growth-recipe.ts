// The recipe of the simulated growth: GaAs, AlGaAs and InGaAs layers on GaAs, over and over, as an MBE day would go.
// Times in seconds of growth time, temperatures in °C, rates in monolayers a second.

export interface Phase {
  readonly name: string;
  readonly durationS: number;
  /** Substrate set point at the end of the phase; the ramp goes there linearly in time. */
  readonly substrateC: number;
  readonly rotationRpm: number;
  /** Open shutters. */
  readonly open: readonly Shutter[];
}

export type Shutter = 'Ga' | 'Al' | 'In' | 'As';

/** Monolayers a second with the shutter open. */
export const RATES: Readonly<Record<Exclude<Shutter, 'As'>, number>> = { Ga: 0.5, Al: 0.22, In: 0.12 };

/** Set points of the cells, °C, and the beam pressure of each when open, Torr. */
export const CELLS: Readonly<
  Record<Shutter, { readonly setC: number; readonly idleC: number; readonly fluxTorr: number }>
> = {
  Ga: { setC: 912, idleC: 600, fluxTorr: 3.1e-7 },
  Al: { setC: 1048, idleC: 750, fluxTorr: 1.1e-7 },
  In: { setC: 768, idleC: 450, fluxTorr: 1.8e-7 },
  As: { setC: 364, idleC: 250, fluxTorr: 8.5e-6 },
};

const LAYERS: readonly Phase[] = Array.from({ length: 4 }, (): Phase[] => [
  { name: 'AlGaAs', durationS: 40, substrateC: 585, rotationRpm: 10, open: ['As', 'Ga', 'Al'] },
  { name: 'smooth', durationS: 15, substrateC: 585, rotationRpm: 0, open: ['As'] },
  { name: 'GaAs', durationS: 60, substrateC: 585, rotationRpm: 0, open: ['As', 'Ga'] },
  { name: 'cool', durationS: 30, substrateC: 510, rotationRpm: 10, open: ['As'] },
  { name: 'InGaAs', durationS: 30, substrateC: 510, rotationRpm: 10, open: ['As', 'Ga', 'In'] },
  { name: 'heat', durationS: 30, substrateC: 585, rotationRpm: 10, open: ['As'] },
]).flat();

/** Begins with a layer after half a minute, so that a trial shows oscillations at once. */
export const RECIPE: readonly Phase[] = [
  { name: 'desorb', durationS: 20, substrateC: 620, rotationRpm: 0, open: ['As'] },
  { name: 'settle', durationS: 10, substrateC: 585, rotationRpm: 0, open: ['As'] },
  { name: 'buffer', durationS: 60, substrateC: 585, rotationRpm: 0, open: ['As', 'Ga'] },
  { name: 'smooth', durationS: 20, substrateC: 585, rotationRpm: 10, open: ['As'] },
  ...LAYERS,
  { name: 'end', durationS: 60, substrateC: 300, rotationRpm: 0, open: [] },
  { name: 'idle', durationS: 60, substrateC: 300, rotationRpm: 0, open: [] },
  { name: 'load', durationS: 90, substrateC: 580, rotationRpm: 0, open: [] },
];

/** Length of the whole recipe, seconds; then it begins again. */
export const RECIPE_S = RECIPE.reduce((sum, { durationS }) => sum + durationS, 0);

export interface Moment {
  readonly phase: Phase;
  /** Seconds since the phase began. */
  readonly intoS: number;
  /** Substrate set point at the end of the phase before, °C. */
  readonly fromC: number;
  /** Seconds since each shutter last moved; infinite when it never did. */
  readonly sinceMoveS: number;
  /** Full turns of the recipe before this one. */
  readonly run: number;
}

/**
 * Find the place in the recipe.
 *
 * @param growthS - growth time, seconds >= 0.
 * @returns phase, time in it, and what came before.
 */
export function findMoment(growthS: number): Moment {
  const run = Math.floor(growthS / RECIPE_S);
  let intoS = growthS - run * RECIPE_S;
  let index = 0;
  while (index < RECIPE.length - 1 && intoS >= (RECIPE[index] as Phase).durationS) {
    intoS -= (RECIPE[index] as Phase).durationS;
    index += 1;
  }
  const phase = RECIPE[index] as Phase;
  const former = RECIPE[(index + RECIPE.length - 1) % RECIPE.length] as Phase;
  const hasMoved =
    phase.open.length !== former.open.length || phase.open.some((shutter) => !former.open.includes(shutter));
  return { phase, intoS, fromC: former.substrateC, sinceMoveS: hasMoved ? intoS : intoS + former.durationS, run };
}
