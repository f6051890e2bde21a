// Schedules: what a writer does to a folder of logs, and how many calls of the reader pass before each step of it. Long ones are
// drawn by a seed; short ones are counted through: any two deeds, each before any call.
import { Chance } from './random.ts';

/** How a tool gets rid of what it has written. */
export type Style = 'rename-chain' | 'copytruncate' | 'dated' | 'any';

export type Deed =
  | { readonly do: 'append'; readonly lines: number }
  | {
      readonly do:
        | 'half'
        | 'rotate'
        | 'rotate-busy'
        | 'rotate-often'
        | 'save-as'
        | 'recreate'
        | 'copy'
        | 'restore'
        | 'rewrite'
        | 'restart'
        | 'hold'
        | 'kill'
        | 'pause';
    }
  | { readonly do: 'fail'; readonly code: string };

/** A deed, and how many calls of the reader pass before each of its steps; the last number holds for all that follow. */
export type Planned = Deed & { readonly after: readonly number[] };

export interface Schedule {
  readonly style: Style;
  readonly match: string;
  /** The clock of the file system moves in steps of so many milliseconds. */
  readonly tickMs: number;
  readonly deeds: readonly Planned[];
  /** The line that names the columns, by its length (absent: short). */
  readonly names?: 'short' | 'long';
  /** So many rotated files are kept (absent: 5). */
  readonly keep?: number;
  /** The file system gives a file another number each time. */
  readonly isRenumbering?: boolean;
  /** The folder lists its names from the last to the first. */
  readonly isBackward?: boolean;
  /** At most one rotation or save falls within 200 ms, and one that was begun is over before the next look. */
  readonly isOrdinary?: boolean;
}

const KEEPING = ['append', 'append', 'append', 'half', 'rotate', 'rotate', 'kill', 'pause', 'fail'] as const;
const HARMLESS = [...KEEPING, 'rotate-busy', 'rotate-often'] as const;
const ANY = [...HARMLESS, 'save-as', 'recreate', 'copy', 'restore'] as const;
const CODES = ['EMFILE', 'EIO', 'EACCES', 'EBUSY'];
const STYLES = ['rename-chain', 'copytruncate', 'dated', 'any'] as const;
const MATCHES = ['log.csv', '*.csv', '*'];
const NAMES = ['short', 'long'] as const;

/**
 * Draw a schedule.
 */
export function drawSchedule(seed: number): Schedule {
  const chance = new Chance(seed);
  const style = chance.pick(STYLES);
  const kinds = style === 'any' ? ANY : HARMLESS;
  const match = chance.pick(MATCHES);
  const tickMs = chance.pick([0.001, 4, 2000]);
  const keep = chance.pick([1, 2, 5]);
  const isBackward = chance.happens(0.5);
  const length = chance.between(3, 14);
  const deeds = Array.from({ length }, (): Planned => {
    const kind = chance.pick(kinds);
    const far = chance.pick([2, 8, 30]);
    const after = Array.from({ length: 9 }, () => chance.between(0, far));
    if (kind === 'append') return { do: kind, lines: chance.between(1, 4), after };
    if (kind === 'fail') return { do: kind, code: chance.pick(CODES), after };
    return { do: kind, after };
  });
  return { style, match, tickMs, keep, isBackward, names: chance.pick(NAMES), deeds };
}

/** Calls of the reader up to which a deed of a short schedule is moved, after the one before. */
const REACH = 36;
/** Calls between the steps of one deed of a short schedule. */
const STEPS = [0, 1, 4];
const SHORT_DEEDS: readonly Deed[] = [
  { do: 'append', lines: 2 },
  { do: 'rotate' },
  { do: 'rotate-busy' },
  { do: 'save-as' },
  { do: 'recreate' },
  { do: 'copy' },
  { do: 'restore' },
  { do: 'half' },
  { do: 'kill' },
  { do: 'fail', code: 'EIO' },
  { do: 'fail', code: 'EMFILE' },
];
const SHORT_STYLES = ['rename-chain', 'copytruncate', 'dated'] as const;
const SIZES = [REACH, REACH, STEPS.length, SHORT_DEEDS.length, SHORT_DEEDS.length, SHORT_STYLES.length, 2, 2];

/** How many short schedules there are. */
const SHORT_SCHEDULES = SIZES.reduce((product, size) => product * size, 1);

/** Short schedules are taken in prime steps, so that any number of them is spread over all. */
const STRIDE = 1_000_003;

/**
 * The short schedules in an order in which any number of them is spread over all.
 *
 * @param number - a number from 0.
 */
export function spreadSchedule(number: number): Schedule {
  return shortSchedule((number * STRIDE) % SHORT_SCHEDULES);
}

/**
 * One of the short schedules: two lines are read, a copy is made; then come any two deeds, each before any call, and a line.
 *
 * @param number - its number, from 0.
 */
function shortSchedule(number: number): Schedule {
  let rest = number;
  const digits = SIZES.map((size) => {
    const digit = rest % size;
    rest = Math.floor(rest / size);
    return digit;
  });
  const [first = 0, second = 0, step = 0, one = 0, other = 0, style = 0, match = 0, way = 0] = digits;
  const between = STEPS[step] as number;
  const planned = (deed: number, at: number): Planned => ({ ...(SHORT_DEEDS[deed] as Deed), after: [at, between] });
  return {
    style: SHORT_STYLES[style] as Style,
    match: ['log.csv', '*'][match] as string,
    tickMs: 0.001,
    isBackward: way === 1,
    deeds: [
      { do: 'append', lines: 2, after: [0] },
      { do: 'copy', after: [0] },
      planned(one, first),
      planned(other, second),
      { do: 'append', lines: 1, after: [between] },
    ],
  };
}

/** Calls of the reader before any of which something happens all at once. */
const SWEPT = 80;
const SWEPT_DEEDS = ['rotate', 'rotate-busy', 'rotate-often', 'recreate', 'restart'] as const;
const SWEPT_SIZES = [SWEPT, SWEPT_DEEDS.length, SHORT_STYLES.length, 2, 2];

/** How many lives there are in which something happens all at once. */
const SWEPT_SCHEDULES = SWEPT_SIZES.reduce((product, size) => product * size, 1);

/**
 * A life in which a log is rotated or replaced and as much is written to the new one, all before one call.
 *
 * @param number - a number from 0.
 */
export function sweepSchedule(number: number): Schedule {
  let rest = (number * STRIDE) % SWEPT_SCHEDULES;
  const digits = SWEPT_SIZES.map((size) => {
    const digit = rest % size;
    rest = Math.floor(rest / size);
    return digit;
  });
  const [at = 0, deed = 0, style = 0, match = 0, way = 0] = digits;
  return {
    style: SHORT_STYLES[style] as Style,
    match: ['log.csv', '*'][match] as string,
    tickMs: 0.001,
    isBackward: way === 1,
    deeds: [
      { do: 'append', lines: 2, after: [0] },
      { do: SWEPT_DEEDS[deed] as (typeof SWEPT_DEEDS)[number], after: [at, 0] },
      { do: 'append', lines: 2, after: [0] },
    ],
  };
}

/** What most lives do without, each in the middle of a look that has found new lines. */
const RARE_DEEDS = ['rotate', 'recreate', 'rewrite', 'hold'] as const;
/** Calls between the steps of such a deed: a tool that rewrites its log does so within two seconds. */
const RARE_STEPS = [0, 3, 12];
const RARE_SIZES = [SWEPT, RARE_DEEDS.length, RARE_STEPS.length, SHORT_STYLES.length, 2];
const RARE_SCHEDULES = RARE_SIZES.reduce((product, size) => product * size, 1);

/**
 * A life in which a log grows, and from a call of the look that finds this on it is cut and grows beyond what it was; is rewritten
 * in place with all that it held; or is held by another program while it is rotated.
 *
 * @param number - a number from 0.
 */
export function rareSchedule(number: number): Schedule {
  let rest = (number * STRIDE) % RARE_SCHEDULES;
  const digits = RARE_SIZES.map((size) => {
    const digit = rest % size;
    rest = Math.floor(rest / size);
    return digit;
  });
  const [at = 0, kind = 0, step = 0, style = 0, match = 0] = digits;
  const deed = RARE_DEEDS[kind] as (typeof RARE_DEEDS)[number];
  const between = RARE_STEPS[step] as number;
  return {
    style: SHORT_STYLES[style] as Style,
    match: ['log.csv', '*'][match] as string,
    tickMs: 0.001,
    deeds: [
      { do: 'append', lines: 2, after: [0] },
      { do: 'append', lines: 1, after: [60] },
      { do: deed, after: [at, between] },
      { do: 'append', lines: 4, after: [0] },
    ],
  };
}
