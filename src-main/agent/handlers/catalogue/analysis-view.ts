// XPS and SIMS results as the screen draws them. The interface names neither the fields of a peak nor what a species'
// metadata hold, so they are looked for.
import type { z } from 'zod';
import type { SimsView, XpsView } from '../../../contract/catalogue.ts';
import type { SimsProfile, XpsResult } from '../../../interface/resources.ts';
import { thin } from '../../../model/thin.ts';
import { cut, fieldsOf, readStamp } from './entry-view.ts';

/** Points of a curve that are told at most; a wide screen has about half as many columns. */
const POINTS_MAX = 4000;
const PEAKS_MAX = 200;
const ELEMENTS_MAX = 120;

interface Curve {
  readonly points: number;
  readonly xs: number[];
  readonly ys: number[];
}

/** Pair two lists, leave out what has a hole, put it in rising order and thin it keeping extremes. */
function curveOf(xs: readonly (number | null)[], ys: readonly (number | null)[]): Curve {
  const pairs: [number, number][] = [];
  for (let at = 0; at < Math.min(xs.length, ys.length); at++) {
    const [x, y] = [xs[at], ys[at]];
    if (x !== null && x !== undefined && y !== null && y !== undefined) pairs.push([x, y]);
  }
  const kept = thin(
    Float64Array.from(pairs, ([x]) => x),
    Float64Array.from(pairs, ([, y]) => y),
    POINTS_MAX,
  );
  return { points: pairs.length, xs: kept.timesMs, ys: kept.values };
}

const POSITION = /pos|energ|^be$|^ev$|^x$|centre|center/i;
const LABEL = /label|element|name|assign|line|peak/i;

/**
 * Read a peak whose field names are not given (2.8).
 *
 * @returns the text that labels it (empty: none) and its position in eV (null: none); the first field whose name says so, else
 *   the first text and the first number.
 */
function readPeak(peak: Readonly<Record<string, unknown>>): { label: string; energyEv: number | null } {
  const fields = Object.entries(peak);
  const numbers = fields.filter((field): field is [string, number] => typeof field[1] === 'number');
  const texts = fields.filter((field): field is [string, string] => typeof field[1] === 'string');
  const [, energyEv = null] = numbers.find(([name]) => POSITION.test(name)) ?? numbers[0] ?? [];
  const [, label = ''] = texts.find(([name]) => LABEL.test(name)) ?? texts[0] ?? [];
  return { label: cut(label), energyEv };
}

const words = (list: readonly (string | null)[] | null | undefined): string[] =>
  (list ?? [])
    .filter((word) => word !== null)
    .slice(0, ELEMENTS_MAX)
    .map(cut);

/** Form what is shown of an XPS result (2.8). */
export function viewXps(result: XpsResult): z.infer<typeof XpsView> {
  const peaks = (result.detected_peaks ?? []).slice(0, PEAKS_MAX).map(readPeak);
  const uncertainty = new Map(Object.entries(result.composition_uncertainty ?? {}));
  const composition = Object.entries(result.predicted_composition ?? {})
    .slice(0, ELEMENTS_MAX)
    .map(([element, fraction]) => ({ element: cut(element), fraction, uncertainty: uncertainty.get(element) ?? null }))
    .sort((a, b) => (b.fraction ?? 0) - (a.fraction ?? 0));
  return {
    ...curveOf(result.binding_energies ?? [], result.intensities ?? []),
    peaks: peaks.flatMap(({ label, energyEv }) => (energyEv === null ? [] : [{ label, energyEv }])),
    unplacedPeaks: peaks.filter(({ energyEv }) => energyEv === null).length,
    composition,
    formula: cut(result.predicted_formula ?? ''),
    setElements: words(result.set_elements),
    foundElements: words(result.predicted_elements),
    updatedMs: readStamp(result.last_updated),
  };
}

/** Form what is shown of a depth profile (2.9). */
export function viewSims(profile: SimsProfile): z.infer<typeof SimsView> {
  return {
    ...curveOf(profile.depths ?? [], profile.concentrations ?? []),
    species: cut(profile.species_name ?? ''),
    depthUnit: cut(profile.depth_units ?? ''),
    unit: cut(profile.concentration_units ?? ''),
    more: fieldsOf(profile.species_metadata ?? {}, []),
  };
}
