// What the instruments of the simulated tool show at a moment of growth time. A pure function of seed and time: nothing
// is carried over from the reading before, so any moment can be asked for in any order.
import type { ChannelDeclaration } from '../../model/channel.ts';
import { CELLS, findMoment, RATES, type Shutter } from './growth-recipe.ts';
import { makeDrift, makeNoise } from './seeded-noise.ts';

/** Camera frames a second. */
const FRAMES_PER_S = 30;
/** Time in which RHEED oscillations die away while a layer grows, and in which intensity recovers afterwards, seconds. */
const DAMPING_S = 14;
const RECOVERY_S = 9;

const SHUTTERS: readonly Shutter[] = ['Ga', 'Al', 'In', 'As'];

type Made = Pick<ChannelDeclaration, 'name' | 'quantity' | 'unit'>;

const CHANNELS: readonly Made[] = [
  { name: 'substrate temperature', quantity: 'temperature', unit: '°C' },
  { name: 'substrate setpoint', quantity: 'temperature', unit: '°C' },
  ...SHUTTERS.map((cell): Made => ({ name: `${cell} cell temperature`, quantity: 'temperature', unit: '°C' })),
  { name: 'chamber pressure', quantity: 'pressure', unit: 'Torr' },
  ...SHUTTERS.map((cell): Made => ({ name: `${cell} flux`, quantity: 'pressure', unit: 'Torr' })),
  ...SHUTTERS.map((cell): Made => ({ name: `${cell} shutter`, quantity: 'state', unit: '' })),
  { name: 'RHEED intensity', quantity: 'intensity', unit: 'counts' },
  { name: 'substrate rotation', quantity: 'rotation', unit: 'rpm' },
  { name: 'frame', quantity: 'count', unit: '' },
];

/** The channels of the simulated tool, in the order of the values. */
export function declareGrowth(intervalMs: number): ChannelDeclaration[] {
  return CHANNELS.map((channel) => ({ ...channel, origin: 'simulated growth', expectedIntervalMs: intervalMs }));
}

export class GrowthModel {
  readonly #noise: ReadonlyMap<string, (step: number) => number>;
  readonly #drift: ReadonlyMap<string, (timeS: number) => number>;

  constructor(seed: number) {
    const names = CHANNELS.map(({ name }) => name);
    this.#noise = new Map(names.map((name) => [name, makeNoise(seed, name)]));
    this.#drift = new Map(names.map((name) => [name, makeDrift(seed, name, 7)]));
  }

  /**
   * Read all instruments.
   *
   * @param growthS - growth time, seconds >= 0.
   * @returns one value for each channel, rounded as the instrument would.
   */
  valuesAt(growthS: number): number[] {
    const moment = findMoment(growthS);
    const { phase, intoS, fromC, sinceMoveS } = moment;
    const step = Math.round(growthS * 1000);
    const noise = (name: string) => this.#noise.get(name)?.(step) ?? 0;
    const drift = (name: string) => this.#drift.get(name)?.(growthS) ?? 0;

    const ramp = Math.min(1, intoS / Math.min(phase.durationS, 25));
    const setC = fromC + (phase.substrateC - fromC) * ramp;
    // A PID loop follows its ramp a little late and rings for a while after it.
    const ringing = Math.exp(-intoS / 20) * Math.sin(intoS / 3.2) * (phase.substrateC - fromC) * 0.018;
    const substrateC = setC + ringing + 0.35 * drift('substrate temperature') + 0.06 * noise('substrate temperature');

    const isOpen = (cell: Shutter) => phase.open.includes(cell);
    const isIdle = phase.name === 'idle';
    const cellsC = SHUTTERS.map((cell) => {
      const name = `${cell} cell temperature`;
      // An opened cell loses heat to the cold chamber: it dips, and the loop brings it back.
      const dip = isOpen(cell) ? -1.6 * Math.exp(-sinceMoveS / 6) * (1 - Math.exp(-sinceMoveS / 0.8)) : 0;
      const idle = isIdle
        ? (CELLS[cell].idleC - CELLS[cell].setC) * 0.05 * Math.sin((Math.PI * intoS) / phase.durationS)
        : 0;
      return CELLS[cell].setC + dip + idle + 0.12 * drift(name) + 0.03 * noise(name);
    });
    const fluxes = SHUTTERS.map((cell, index) => {
      const excess = (cellsC[index] as number) - CELLS[cell].setC;
      const open = CELLS[cell].fluxTorr * Math.exp(0.019 * excess) * (1 + 0.12 * Math.exp(-sinceMoveS / 3));
      const name = `${cell} flux`;
      const background = CELLS[cell].fluxTorr * 0.004;
      return (isOpen(cell) ? open : background) * Math.exp(0.012 * noise(name));
    });
    const beams = SHUTTERS.reduce((sum, cell, index) => sum + (isOpen(cell) ? (fluxes[index] as number) * 0.22 : 0), 0);
    const pressure = (1.4e-10 + beams) * Math.exp(0.05 * drift('chamber pressure') + 0.025 * noise('chamber pressure'));

    return [
      round(substrateC, 2),
      round(setC, 2),
      ...cellsC.map((value) => round(value, 2)),
      toFourDigits(pressure),
      ...fluxes.map(toFourDigits),
      ...SHUTTERS.map((cell) => (isOpen(cell) ? 1 : 0)),
      round(this.#rheed(growthS, moment) + 9 * noise('RHEED intensity'), 0),
      round(phase.rotationRpm === 0 ? 0 : phase.rotationRpm + 0.02 * noise('substrate rotation'), 2),
      Math.floor(growthS * FRAMES_PER_S),
    ];
  }

  /** Specular spot: damped oscillations, one a monolayer, while a layer grows; recovery afterwards. */
  #rheed(growthS: number, { phase, intoS }: ReturnType<typeof findMoment>): number {
    const rate = growthRate(phase.open);
    const smooth = 1450;
    // A turning sample modulates the spot twice a turn.
    const turn = phase.rotationRpm === 0 ? 1 : 1 + 0.16 * Math.sin((4 * Math.PI * phase.rotationRpm * growthS) / 60);
    if (phase.substrateC < 400 && phase.open.length === 0) return 420 * turn;
    if (rate === 0) return (smooth - 330 * Math.exp(-intoS / RECOVERY_S)) * turn;
    const damping = Math.exp(-intoS / DAMPING_S);
    const level = smooth - 330 * (1 - damping);
    return (level - 240 * damping * (1 - Math.cos(2 * Math.PI * rate * intoS))) * turn;
  }
}

/** Monolayers a second that grow with these shutters open; nothing grows without arsenic. */
export function growthRate(open: readonly Shutter[]): number {
  if (!open.includes('As')) return 0;
  return open.reduce((sum, shutter) => sum + (shutter === 'As' ? 0 : RATES[shutter]), 0);
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

function toFourDigits(value: number): number {
  return Number(value.toPrecision(4));
}
