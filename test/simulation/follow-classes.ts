// Classes of lives. An ordinary disk tells times of 100 ns to 1 ms; at most one rotation or save falls within 200 ms, and one that
// was begun is over before the next look. All others are hostile in one way.
import {
  type Deed,
  drawSchedule,
  type Planned,
  rareSchedule,
  type Schedule,
  spreadSchedule,
  sweepSchedule,
} from './follow-schedule.ts';
import { Chance } from './random.ts';

const SAFE = [
  'append',
  'append',
  'append',
  'half',
  'rotate',
  'rotate',
  'rotate-busy',
  'save-as',
  'rewrite',
  'kill',
  'pause',
] as const;
const ALL = [...SAFE, 'recreate', 'restart', 'recreate', 'restart'] as const;

/** Draw a life on an ordinary disk. */
function ordinarySchedule(seed: number): Schedule {
  const chance = new Chance(seed ^ 0x5bd1e995);
  const style = chance.pick(['rename-chain', 'copytruncate', 'dated', 'any'] as const);
  const kinds = style === 'any' ? ALL : SAFE;
  const deeds = Array.from({ length: chance.between(3, 14) }, (): Planned => {
    const kind = chance.pick(kinds);
    const after = Array.from({ length: 9 }, () => (chance.happens(0.4) ? 0 : chance.between(1, 30)));
    if (kind === 'append') return { do: kind, lines: chance.between(1, 4), after };
    return { do: kind, after } as Deed & { after: number[] };
  });
  return {
    ...{ style, deeds, isOrdinary: true, names: chance.pick(['short', 'long'] as const) },
    ...{ match: chance.pick(['log.csv', '*.csv', '*']), tickMs: chance.pick([0.0001, 0.001, 0.01, 1]) },
    ...{ keep: chance.pick([1, 2, 5]), isBackward: chance.happens(0.5) },
  };
}

/** A life by its number, by the name of its class. */
export const CLASSES: Readonly<Record<string, (number: number) => Schedule>> = {
  ordinary: ordinarySchedule,
  /** Times of whole seconds: numbers are given again, and nothing tells when a file was made. */
  coarse: (seed) => ({ ...ordinarySchedule(seed), tickMs: 2000 }),
  /** Each look at a file gives it another number, as some shares do. */
  renumbering: (seed) => ({ ...ordinarySchedule(seed), isRenumbering: true }),
  hostile: drawSchedule,
  short: spreadSchedule,
  sweep: sweepSchedule,
  rare: rareSchedule,
};
