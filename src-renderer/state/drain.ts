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

function judge(rising: readonly Seen[]): Drain {
  const [first, last] = [rising[0], rising.at(-1)];
  if (!first || !last || last.atMs - first.atMs < LOOK_BACK_MIN_MS) return { kind: 'unknown' };
  const perMs = (first.waiting - last.waiting) / (last.atMs - first.atMs);
  // What is stored and sent in the same breath goes up and down by a chunk or two.
  const part = Math.abs(first.waiting - last.waiting) / Math.max(first.waiting, last.waiting, 1);
  if (last.waiting === 0 || part < 0.05) return { kind: 'level' };
  return perMs > 0 ? { kind: 'draining', leftMs: last.waiting / perMs } : { kind: 'growing' };
}
