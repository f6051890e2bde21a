// Which channels a grower looks at first: temperatures, pressures, rates, powers; then what else is measured; states and
// counters; what a camera's counter says of itself comes last.

interface Measured {
  readonly channel: string;
  readonly unit: string;
}

const KINDS: readonly RegExp[] = [
  /^(°|deg ?)?[CF]$|^℃$|^K$/i,
  /^[munµp]?(torr|bar)$|^[hkmMG]?Pa$|^psi$|^atm$/i,
  /^(Å|A|nm|µm|um|ML|monolayers?)\/(s|min|h)$|^Hz\/s$|^s?ccm$|^slm$/i,
  /^[kmMµ]?[WVA]$/,
];
const OTHER = KINDS.length;
const STATES = OTHER + 1;
const HOUSEKEEPING = STATES + 1;

/** What counters and clocks say of themselves. */
const OF_ITSELF = /^(frames?|clock|stalls|restarts|rollovers)\b/i;
/** A set value stands behind the measured ones of its kind. */
const IS_SET = /\b(set ?point|set|soll|sp)\b|_(sp|set|soll)$/i;

function rankOf({ channel, unit }: Measured): number {
  if (OF_ITSELF.test(channel)) return HOUSEKEEPING;
  if (unit === '') return STATES;
  const kind = KINDS.findIndex((units) => units.test(unit));
  return (kind < 0 ? OTHER : kind) + (IS_SET.test(channel) ? 0.5 : 0);
}

/**
 * Put channels into the order in which a grower looks at them.
 *
 * @param channels - in the order of their sources, which stays within a kind.
 */
export function inOrderOfInterest<C extends Measured>(channels: readonly C[]): C[] {
  return [...channels].sort((one, other) => rankOf(one) - rankOf(other));
}

/**
 * Add keys behind those that are shown.
 *
 * @param shown - in their order.
 * @param keys - all there are now; empty: not known yet, and nothing changes.
 * @param most - how many are shown at most.
 */
export function addBehind(shown: readonly string[], keys: readonly string[], most: number): readonly string[] {
  if (keys.length === 0) return shown;
  const still = shown.filter((key) => keys.includes(key));
  return [...still, ...keys.filter((key) => !still.includes(key))].slice(0, most);
}
