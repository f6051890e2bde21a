// A file whose first stamp lies in the hour that the end of summer time repeats: was it written as that hour came first, or as it
// came again? The order of the lines settles all stamps but the first, so something else has to tell that one.
import { ZoneClock } from './zone-clock.ts';

const HOUR_MS = 3_600_000;
/** A tool writes its lines to disk within this time. */
const CHANGE_MS = 600_000;
/** A step so many times as long as the usual one is a rest, after which anything may follow. */
const REST_STEPS = 3;

/**
 * Settle the first stamp of a file.
 *
 * @param stamps - its stamps as if UTC, Unix ms, in their order.
 * @param zone - the zone of their clock.
 * @param modifiedMs - the last change of the file, Unix ms; 0: not known.
 * @param stepMs - usual time between its lines: the last change tells no hour where a last line may be as far away.
 * @returns whether the hour is the second one; false where the stamp is plain; where nothing tells, the offsets from UTC of the
 *   first hour and of the second, minutes.
 */
export function tellHour(
  stamps: readonly number[],
  zone: string,
  modifiedMs: number,
  stepMs: number,
): boolean | { readonly offsets: readonly number[] } {
  const [first] = stamps;
  if (first === undefined) return false;
  const clock = new ZoneClock(zone);
  const isTwice = (localMs: number) => {
    clock.toInstant(localMs, Number.NaN);
    return clock.lastKind === 'twice';
  };
  if (!isTwice(first)) return false;
  const steps = stamps.slice(1).map((localMs, index) => localMs - (stamps[index] as number));
  // It goes back where the hour begins again.
  if (steps.some((step) => step < -HOUR_MS / 2)) return false;
  const end = stamps.findIndex((localMs) => !isTwice(localMs));
  const last = stamps[(end === -1 ? stamps.length : end) - 1] as number;
  const firstMs = clock.toInstant(last, Number.NaN);
  const laterMs = clock.toInstant(last, Number.POSITIVE_INFINITY);
  if (end === -1) {
    const isLast = (instantMs: number) => Math.abs(modifiedMs - instantMs) < CHANGE_MS;
    if (stepMs < CHANGE_MS && isLast(firstMs) !== isLast(laterMs)) return isLast(laterMs);
  } else {
    // Out of the hour without a rest it goes only where that came for the second time.
    const usual = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] as number;
    const isRest = (steps[end - 1] as number) > REST_STEPS * usual;
    if (!isRest && end > 1 && usual < HOUR_MS / (REST_STEPS + 1)) return true;
  }
  return { offsets: [firstMs, laterMs].map((instantMs) => (last - instantMs) / 60_000) };
}
