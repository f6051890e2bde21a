/**
 * Thin a line for a plot so that no peak is lost.
 *
 * @param timesMs - stamps and values of the same length.
 * @param values - any order of stamps.
 * @param maxPoints - the most points wanted (>= 4).
 * @returns arrays with rising stamps: of each slice of time the first, the smallest, the largest and the last value, where
 *   there are more points than wanted; otherwise all of them.
 */
export function thin(
  timesMs: Float64Array,
  values: Float64Array,
  maxPoints: number,
): { timesMs: number[]; values: number[] } {
  const order = Array.from(timesMs.keys());
  if (!isRising(timesMs)) order.sort((a, b) => (timesMs[a] as number) - (timesMs[b] as number));
  const kept = order.length <= maxPoints ? order : extremes(order, values, Math.floor(maxPoints / 4));
  return { timesMs: kept.map((i) => timesMs[i] as number), values: kept.map((i) => values[i] as number) };
}

function isRising(timesMs: Float64Array): boolean {
  for (let i = 1; i < timesMs.length; i++) if ((timesMs[i] as number) < (timesMs[i - 1] as number)) return false;
  return true;
}

function extremes(order: readonly number[], values: Float64Array, slices: number): number[] {
  const kept: number[] = [];
  for (let slice = 0; slice < slices; slice++) {
    const from = Math.floor((slice * order.length) / slices);
    const to = Math.floor(((slice + 1) * order.length) / slices);
    let least = from;
    let most = from;
    for (let at = from; at < to; at++) {
      if ((values[order[at] as number] as number) < (values[order[least] as number] as number)) least = at;
      if ((values[order[at] as number] as number) > (values[order[most] as number] as number)) most = at;
    }
    const places = [...new Set([from, least, most, to - 1])].sort((a, b) => a - b);
    for (const at of places) kept.push(order[at] as number);
  }
  return kept;
}
