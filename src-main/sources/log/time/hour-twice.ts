// Stamps in the hour that the end of summer time repeats: were they written as that hour came first, or as it came again? Where
// the lines go back they tell. Where they go through the hour once, a rest tells; and where a file begins in it, its last change.
import { ZoneClock } from './zone-clock.ts';

const HOUR_MS = 3_600_000;
/** A tool writes its lines to disk within this time. */
const CHANGE_MS = 600_000;
/** A step so many times as long as the usual one is a rest, after which anything may follow. */
const REST_STEPS = 3;
/** Lines of one instant or two may change places. */
const DISORDER_MS = 60_000;

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
  const isTwice = twiceBy(clock);
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

/**
 * Tell whether stamps go through the hour that comes twice once only, so that their order does not say which one it was.
 *
 * They skipped an hour somewhere. That is no news where they rest; and where exactly one place is left for it, behind the
 * hour, all of them are of the first one.
 *
 * @param stamps - as if UTC, Unix ms, in their order, none left out.
 * @param zone - the zone of their clock.
 * @returns false too where they do not come from before that hour.
 */
export function isHourOpen(stamps: readonly number[], zone: string): boolean {
  const isTwice = twiceBy(new ZoneClock(zone));
  const begin = stamps.findIndex(isTwice);
  if (begin < 1) return false;
  const stepTo = (at: number) => (stamps[at] as number) - (stamps[at - 1] as number);
  const length = stamps.slice(begin).findIndex((localMs) => !isTwice(localMs));
  const end = length === -1 ? stamps.length : begin + length;
  const places = Array.from({ length: end - begin + 1 }, (_, index) => begin + index);
  const isBack = places.some((at) => stepTo(at) < -DISORDER_MS);
  if (isBack) return false;
  const steps = stamps.slice(1).map((_, index) => stepTo(index + 1));
  const usual = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] as number;
  // The step to each line, if the hour was skipped before the line at a place; behind the last line nothing is seen of it.
  const stepBy = (place: number, at: number) => stepTo(at) + (at === place ? HOUR_MS : 0);
  const isEven = (place: number) =>
    places.every((at) => at === stamps.length || Math.abs(stepBy(place, at) - usual) <= usual / 4);
  if (places.filter(isEven).length === 1) return false;
  const isRest = (stepMs: number) => stepMs > REST_STEPS * usual;
  const left = places.filter(
    (place) => place === stamps.length || isRest(stepTo(place)) || !isRest(stepBy(place, place)),
  );
  return left.length !== 1 || left[0] !== end;
}

/** A stamp, as if UTC, that the clock of a zone never shows. */
export function isSkipped(localMs: number, zone: string): boolean {
  const clock = new ZoneClock(zone);
  clock.toInstant(localMs, Number.NaN);
  return clock.lastKind === 'never';
}

/** The clock is set forward between the first stamp and the last, or at one of them. */
export function passesSpring(stamps: readonly number[], zone: string): boolean {
  const [first, last] = [stamps[0], stamps.at(-1)];
  if (first === undefined || last === undefined) return false;
  const clock = new ZoneClock(zone);
  const offsetOf = (localMs: number) => localMs - clock.toInstant(localMs, Number.NaN);
  return offsetOf(first) < offsetOf(last) || isSkipped(first, zone) || isSkipped(last, zone);
}

/** Instant of the last of stamps that follow one another. */
export function lastInstant(stamps: readonly number[], zone: string): number {
  const clock = new ZoneClock(zone);
  return stamps.reduce((formerMs, localMs) => clock.toInstant(localMs, formerMs), Number.NaN);
}

/** The clock is set back between the first stamp and the last, or at one of them. */
export function passesChange(stamps: readonly number[], zone: string): boolean {
  const clock = new ZoneClock(zone);
  const offsetOf = (localMs: number | undefined) =>
    localMs === undefined ? Number.NaN : localMs - clock.toInstant(localMs, Number.NaN);
  const [before, behind] = [offsetOf(stamps[0]), offsetOf(stamps.at(-1))];
  return clock.lastKind === 'twice' || before > behind;
}

/** Whether a stamp falls into an hour that a clock shows twice. */
function twiceBy(clock: ZoneClock): (localMs: number) => boolean {
  return (localMs) => {
    clock.toInstant(localMs, Number.NaN);
    return clock.lastKind === 'twice';
  };
}
