// An entry of the service with its series: which of them may carry a channel, and which holds the same under another name.
import type { HeldSeries } from '../../delivery/client/held-series.ts';

/** Points that must agree before a series of another name counts as the same, and the share of them. */
const ALIAS_POINTS = 8;
const ALIAS_SHARE = 0.95;
const ALIAS_LOOKED = 200;

export interface HeldEntry {
  readonly name: string;
  readonly series: ReadonlyMap<string, HeldSeries>;
}

/** Points of a channel in their order; NaN: none. */
interface ChannelPoints {
  readonly timesMs: Float64Array;
  readonly valueAt: (row: number) => number;
}

/** Is this the series of a channel? Its name may have been qualified differently: `v`, `v (log)`. */
function isOf(series: string, names: readonly string[]): boolean {
  return names.some((name) => series === name || series.startsWith(`${name} (`));
}

/**
 * @param names - how a channel is called.
 * @param heldEntry - the entry.
 * @returns series that may carry it, its own name first.
 */
export function seriesFor(names: readonly string[], { series }: HeldEntry): HeldSeries[] {
  const found = [...series].filter(([name]) => isOf(name, names));
  return found.sort(([a], [b]) => Number(b === names[0]) - Number(a === names[0])).map(([, one]) => one);
}

/**
 * Look for a series that is called otherwise and holds the same as a channel.
 *
 * @param names - names of the channel.
 * @param known - names that other channels have: their series are theirs.
 * @returns the entry and the series; null: there is none.
 */
export function findAlias(
  names: readonly string[],
  points: ChannelPoints,
  entries: readonly HeldEntry[],
  known: readonly string[],
): { entry: HeldEntry; name: string; series: HeldSeries } | null {
  for (const entry of entries) {
    if (seriesFor(names, entry).length > 0) continue;
    for (const [name, series] of entry.series) {
      if (!isOf(name, known) && isAlias(points, series)) return { entry, name, series };
    }
  }
  return null;
}

function isAlias({ timesMs, valueAt }: ChannelPoints, series: HeldSeries): boolean {
  const different = new Set<number>();
  let looked = 0;
  let found = 0;
  for (let row = 0; row < timesMs.length && looked < ALIAS_LOOKED; row++) {
    const [timeMs, value] = [timesMs[row] as number, valueAt(row)];
    if (Number.isNaN(value) || timeMs < series.firstMs - 1 || timeMs > series.lastMs + 1) continue;
    looked += 1;
    different.add(value);
    if (series.has(timeMs, value, false)) found += 1;
  }
  // Zeros stand in many channels at the same time.
  return looked >= ALIAS_POINTS && different.size > 2 && found >= looked * ALIAS_SHARE;
}
