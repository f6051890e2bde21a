// How fast the backlog goes: from the points that waited lately, as the snapshots told them.
import { useEffect, useState } from 'react';
import type { Snapshot } from '../../src-main/contract/snapshot.ts';

/** The rate is taken over this long, milliseconds; */
const LOOK_BACK_MS = 60_000;
/** and not believed before this. */
const LOOK_BACK_MIN_MS = 8_000;

/** `unknown`: seen too shortly. `level`: nothing waits, or what waits neither falls nor rises. */
export type Drain =
  | { readonly kind: 'unknown' | 'level' | 'growing' }
  | { readonly kind: 'draining'; readonly leftMs: number };

interface Seen {
  readonly atMs: number;
  readonly waiting: number;
}

let seen: readonly Seen[] = [];

/** Follow how long the backlog takes to drain at the rate of the last minute. */
export function useDrain({ atMs, store }: Pick<Snapshot, 'atMs' | 'store'>): Drain {
  const [drain, setDrain] = useState<Drain>({ kind: 'unknown' });
  const waiting = store?.waitingPoints ?? null;
  useEffect(() => {
    if (waiting === null) return;
    seen = [...seen.filter((one) => one.atMs > atMs - LOOK_BACK_MS && one.atMs < atMs), { atMs, waiting }];
    setDrain(judge(seen));
  }, [atMs, waiting]);
  return drain;
}

/** A backlog is not said to grow before this: the first chunks take their time, milliseconds. */
const GROWS_AFTER_MS = 30_000;

/**
 * Judge by what waited at least in the first half and in the second: what is stored all the time and sent chunk by chunk goes
 * up and down like a saw. Takes what was seen, rising in time.
 */
export function judge(rising: readonly Seen[]): Drain {
  const [first, last] = [rising[0], rising.at(-1)];
  if (!first || !last || last.atMs - first.atMs < LOOK_BACK_MIN_MS) return { kind: 'unknown' };
  const overMs = last.atMs - first.atMs;
  const middleMs = first.atMs + overMs / 2;
  const least = (half: readonly Seen[]) => Math.min(...half.map(({ waiting }) => waiting));
  const before = least(rising.filter(({ atMs }) => atMs < middleMs));
  const after = least(rising.filter(({ atMs }) => atMs >= middleMs));
  const part = Math.abs(before - after) / Math.max(before, after, 1);
  if (after === 0 || part < 0.025) return { kind: 'level' };
  if (after < before) return { kind: 'draining', leftMs: (last.waiting / (before - after)) * (overMs / 2) };
  return { kind: overMs < GROWS_AFTER_MS ? 'unknown' : 'growing' };
}
