// A schedule written by hand, as one reads it.
import type { Deed, Planned } from './follow-schedule.ts';

/** A deed whose steps each wait for so many calls of the reader; the last number holds for all that follow. */
export const at = (deed: Deed | Exclude<Deed['do'], 'append' | 'fail'>, ...after: number[]): Planned => ({
  ...(typeof deed === 'string' ? { do: deed } : deed),
  after: [...after],
});

/** So many lines are appended. */
export const append = (lines: number): Deed => ({ do: 'append', lines });

/** The next call of the reader fails with this code. */
export const fail = (code: string): Deed => ({ do: 'fail', code });
