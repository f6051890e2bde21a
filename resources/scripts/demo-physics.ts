// The physics behind the demo data: simple models, seeded noise, and the source of every number that is not chosen.

/** Seeded random numbers in [0, 1): mulberry32. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A number from the normal distribution (Box-Muller). */
export function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Round to some decimals; keeps the files small. */
export function round(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}

/** Error function, to 1.5e-7 (Abramowitz and Stegun, 7.1.26). */
export function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const sum = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.sign(x) * (1 - sum * Math.exp(-x * x));
}

/** A photoemission line: element, name, binding energy (eV), relative sensitivity (C 1s = 1), full width (eV). */
export interface Line {
  readonly element: string;
  readonly name: string;
  readonly energyEv: number;
  readonly sensitivity: number;
  readonly widthEv: number;
}

/**
 * Lines of strontium titanate with adventitious carbon, for Al K-alpha.
 *
 * Energies: Moulder et al., Handbook of X-ray Photoelectron Spectroscopy (1992), shifted to C 1s at 284.8 eV.
 * Sensitivities: Scofield's cross-sections relative to C 1s, rounded; spin-orbit pairs share theirs 3:2 (d) and 2:1 (p).
 */
export const titanateLines: readonly Line[] = [
  { element: 'Sr', name: 'Sr 3d5/2', energyEv: 133.0, sensitivity: 3.0, widthEv: 1.3 },
  { element: 'Sr', name: 'Sr 3d3/2', energyEv: 134.8, sensitivity: 2.05, widthEv: 1.3 },
  { element: 'Sr', name: 'Sr 3p3/2', energyEv: 269.0, sensitivity: 3.6, widthEv: 2.6 },
  { element: 'Sr', name: 'Sr 3p1/2', energyEv: 279.5, sensitivity: 1.8, widthEv: 2.8 },
  { element: 'Sr', name: 'Sr 3s', energyEv: 358.0, sensitivity: 1.1, widthEv: 4.5 },
  { element: 'Ti', name: 'Ti 3p', energyEv: 37.2, sensitivity: 0.8, widthEv: 2.4 },
  { element: 'Ti', name: 'Ti 2p3/2', energyEv: 458.5, sensitivity: 5.2, widthEv: 1.2 },
  { element: 'Ti', name: 'Ti 2p1/2', energyEv: 464.2, sensitivity: 2.65, widthEv: 2.1 },
  { element: 'Ti', name: 'Ti 2s', energyEv: 565.0, sensitivity: 3.2, widthEv: 5.5 },
  { element: 'O', name: 'O 1s', energyEv: 529.7, sensitivity: 2.93, widthEv: 1.4 },
  { element: 'O', name: 'O 2s', energyEv: 22.0, sensitivity: 0.14, widthEv: 3.0 },
  { element: 'C', name: 'C 1s', energyEv: 284.8, sensitivity: 1.0, widthEv: 1.5 },
];

/**
 * Survey spectrum: Gaussian-Lorentzian lines on a background that steps up behind each of them, with counting noise.
 *
 * @param fractions - atomic fractions by element.
 * @param energiesEv - the energies (eV).
 * @param random - a random source.
 * @returns counts at each energy.
 */
export function surveyCounts(
  lines: readonly Line[],
  fractions: Readonly<Record<string, number>>,
  energiesEv: readonly number[],
  random: () => number,
): number[] {
  const scale = 60_000;
  return energiesEv.map((energyEv) => {
    let counts = 900 + 0.9 * energyEv;
    for (const { element, energyEv: centreEv, sensitivity, widthEv } of lines) {
      const area = scale * sensitivity * (fractions[element] ?? 0);
      const u = (energyEv - centreEv) / (widthEv / 2);
      const gauss = Math.exp(-Math.LN2 * u * u);
      const lorentz = 1 / (1 + u * u);
      counts += (area * (0.7 * gauss + 0.3 * lorentz)) / widthEv;
      // Electrons that lost energy on their way out: a step on the side of higher binding energy, falling off slowly.
      const behindEv = energyEv - centreEv;
      counts += (0.03 * area * (1 + erf(behindEv / widthEv)) * Math.exp(-Math.max(behindEv, 0) / 300)) / 2;
    }
    return Math.max(0, Math.round(counts + Math.sqrt(counts) * normal(random)));
  });
}

/** A layer as SIMS sees it: thickness (nm) and concentrations (atoms/cm^3) by species. */
export interface SimsLayer {
  readonly thicknessNm: number;
  readonly concentrations: Readonly<Record<string, number>>;
}

/**
 * Depth profile of a species: each interface smeared out by mixing, with multiplicative noise and a floor of detection.
 * Takes layers from the surface down (the last is the substrate), the species, depths (nm), mixing length (nm), floor.
 */
export function depthProfile(
  layers: readonly SimsLayer[],
  species: string,
  depthsNm: readonly number[],
  { mixingNm, floor, random }: { mixingNm: number; floor: number; random: () => number },
): number[] {
  return depthsNm.map((depthNm) => {
    let value = layers[0]?.concentrations[species] ?? 0;
    let interfaceNm = 0;
    for (const [at, layer] of layers.slice(0, -1).entries()) {
      interfaceNm += layer.thicknessNm;
      const step = (layers[at + 1]?.concentrations[species] ?? 0) - (layer.concentrations[species] ?? 0);
      value += (step * (1 + erf((depthNm - interfaceNm) / (Math.SQRT2 * mixingNm)))) / 2;
    }
    const seen = Math.max(value, 0) * Math.exp(0.03 * normal(random)) + floor * Math.exp(0.4 * normal(random));
    return Number(seen.toPrecision(4));
  });
}

/**
 * Colour of a glowing body as a camera with a fixed exposure sees it.
 *
 * @param temperatureK - temperature, kelvin.
 * @returns red, green, blue, 0 to 255: Planck's law at 620, 540, 460 nm, to scale with one another, full red at 1150 K.
 */
export function glow(temperatureK: number): [number, number, number] {
  const HC_OVER_K = 0.014387769; // second radiation constant, m K (CODATA 2018)
  const radiance = (wavelengthNm: number) =>
    wavelengthNm ** -5 / (Math.exp(HC_OVER_K / (wavelengthNm * 1e-9 * temperatureK)) - 1);
  const full = 620 ** -5 / (Math.exp(HC_OVER_K / (620e-9 * 1150)) - 1);
  const [red = 0, green = 0, blue = 0] = [620, 540, 460].map((wavelengthNm) => {
    return Math.round(255 * Math.min(1, (radiance(wavelengthNm) / full) ** (1 / 2.2)));
  });
  return [red, green, blue];
}
