// One channel against its limits: a machine that a value moves and that only a person's word ends.
//
//   normal ---beyond, for the on-delay---> active <---beyond again--- cleared
//   active ---a person---> acknowledged          active ---within, for the off-delay---> cleared
//   acknowledged ---within, for the off-delay---> normal        cleared ---a person---> normal
//
// Invariants: an alarm that nobody has acknowledged is never over; time without readings changes nothing; the highest level
// that was reached stands until it is over; acknowledging a level does not acknowledge a worse one. It tells a person and
// acts on nothing: it is no interlock.

import type { ChannelLimit } from '../../model/channel.ts';

export type LimitLevel = 'hihi' | 'hi' | 'lo' | 'lolo';

export interface LimitState {
  readonly kind: 'normal' | 'active' | 'acknowledged' | 'cleared';
  /** The highest that was reached; null while normal. */
  readonly level: LimitLevel | null;
  /** The value that reached it. */
  readonly value: number | null;
  /** Stamp of that value, Unix milliseconds. */
  readonly sinceMs: number | null;
  /** Since when values are beyond (a level that is not told yet) or within without a break, Unix milliseconds. */
  readonly beyondMs: number | null;
  readonly withinMs: number | null;
}

export type LimitInput =
  | { readonly kind: 'reading'; readonly timeMs: number; readonly value: number }
  | { readonly kind: 'acknowledge' }
  /** It is not watched any more: the growth has ended, or the limit was taken away. */
  | { readonly kind: 'off' };

export const NORMAL: LimitState = {
  kind: 'normal',
  level: null,
  value: null,
  sinceMs: null,
  beyondMs: null,
  withinMs: null,
};

const RANK = { hihi: 2, lolo: 2, hi: 1, lo: 1 } as const;

/** The worst level that a value is beyond; null: none. */
export function levelOf({ hihi, hi, lo, lolo }: ChannelLimit, value: number): LimitLevel | null {
  if (hihi !== null && value >= hihi) return 'hihi';
  if (lolo !== null && value <= lolo) return 'lolo';
  if (hi !== null && value >= hi) return 'hi';
  return lo !== null && value <= lo ? 'lo' : null;
}

/** Whether a value is so far inside of all limits that it counts as within again. */
function isWithin(limit: ChannelLimit, value: number): boolean {
  return levelOf(limit, value + limit.deadband) === null && levelOf(limit, value - limit.deadband) === null;
}

/** What follows. Pure. */
export function stepLimit(limit: ChannelLimit, state: LimitState, input: LimitInput): LimitState {
  if (input.kind === 'acknowledge') {
    if (state.kind === 'cleared') return NORMAL;
    return state.kind === 'active' ? { ...state, kind: 'acknowledged' } : state;
  }
  if (input.kind === 'off') return over(state);
  const { timeMs, value } = input;
  const level = levelOf(limit, value);
  const isNews = level !== null && (state.kind === 'normal' || state.kind === 'cleared' || isWorse(level, state.level));
  if (isNews) {
    const beyondMs = state.beyondMs ?? timeMs;
    if (timeMs - beyondMs < limit.onDelayMs) return { ...state, beyondMs, withinMs: null };
    const highest = state.level !== null && !isWorse(level, state.level) ? state.level : level;
    return { kind: 'active', level: highest, value, sinceMs: timeMs, beyondMs: null, withinMs: null };
  }
  if (state.kind === 'normal' || state.kind === 'cleared')
    return state.beyondMs === null ? state : { ...state, beyondMs: null };
  if (!isWithin(limit, value)) return { ...state, beyondMs: null, withinMs: null };
  const withinMs = state.withinMs ?? timeMs;
  return timeMs - withinMs >= limit.offDelayMs ? over(state) : { ...state, beyondMs: null, withinMs };
}

/** Of two levels on opposite sides the one that is new is worse: it was not told. */
function isWorse(level: LimitLevel, than: LimitLevel | null): boolean {
  if (than === null) return true;
  const isOtherSide = level.startsWith('hi') !== than.startsWith('hi');
  return isOtherSide || RANK[level] > RANK[than];
}

/** The value is within again, or nobody looks any more: what was not acknowledged stays until it is. */
function over(state: LimitState): LimitState {
  if (state.kind === 'active') return { ...state, kind: 'cleared', beyondMs: null, withinMs: null };
  return state.kind === 'cleared' ? { ...state, beyondMs: null, withinMs: null } : NORMAL;
}
