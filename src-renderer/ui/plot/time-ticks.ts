// Positions and labels of the ticks of an axis of time: round times of the zone in force, for plots and for the
// timeline of a growth.
import { formatClock, formatDay } from '../../format/time.ts';
import { offsetMs, zoneInForce } from '../../format/time-zone.ts';
import type { PlotSpan } from './plotted-line.ts';

const DAY_MS = 86_400_000;
const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1000, 60_000, 3_600_000];
/** Steps of an axis of time: those that people count in. */
export const TIME_STEPS_MS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((step) => step * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((step) => step * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((step) => step * HOUR_MS),
  ...[1, 2, 5, 10, 30, 100].map((step) => step * DAY_MS),
];

/**
 * Find the places of ticks on an axis of time.
 *
 * @param span - Unix milliseconds.
 * @param most - how many steps the axis has room for; there may be one tick more.
 * @param zone - an IANA name.
 * @returns rising Unix milliseconds at which the zone shows a round time, also behind a change of its clock.
 */
export function findTicks({ from, to }: PlotSpan, most: number, zone = zoneInForce()): number[] {
  const wantedMs = (to - from) / most;
  const stepMs = TIME_STEPS_MS.find((step) => step >= wantedMs) ?? Math.ceil(wantedMs / DAY_MS) * DAY_MS;
  const ticks: number[] = [];
  // Two steps before, since a change of the clock between there and `from` moves the first one.
  let tick = roundNear(Math.floor(from) - 2 * stepMs, stepMs, zone);
  while (tick <= to) {
    if (tick >= from) ticks.push(tick);
    tick = roundNear(tick + stepMs, stepMs, zone);
  }
  return ticks;
}

/**
 * Move a tick to the nearest round time of the zone: behind a change of the clock the old rhythm shows odd hours. Half a step
 * goes forward, so that ticks rise.
 */
function roundNear(timeMs: number, stepMs: number, zone: string): number {
  const over = overStep(timeMs, stepMs, zone);
  const moved = timeMs + (2 * over >= stepMs ? stepMs - over : -over);
  // A day that begins at 01:00, since the change leaves out its midnight.
  return overStep(moved, stepMs, zone) === 0 ? moved : timeMs;
}

function overStep(timeMs: number, stepMs: number, zone: string): number {
  return (((timeMs + offsetMs(timeMs, zone)) % stepMs) + stepMs) % stepMs;
}

/** Write what ticks say: times of day, with the date where the span is longer than a day. */
export function tickTexts(ticks: readonly number[], { from, to }: PlotSpan): string[] {
  const isLong = to - from > DAY_MS;
  return ticks.map((tick) => {
    const clock = formatClock(tick);
    return isLong ? `${formatDay(tick)} ${clock.slice(0, 5)}` : clock;
  });
}
