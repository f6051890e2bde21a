// A counter that goes back has either run over its end or begun anew. The first loses nothing, so it is only believed where
// the numbers allow it: the way over the end must be about as long as the time that passed.

/** Ends at which counters run over: registers of 16, 24, 31 and 32 bits, and names of 3 to 9 digits. */
const ENDS = [2 ** 16, 2 ** 24, 2 ** 31, 2 ** 32, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
/** Frames that may lie between two looks anyhow, when the rate is not known yet. */
const SLACK_FRAMES = 32;

/**
 * Find the end over which a counter ran.
 *
 * **Takes**: its former and its new, smaller number; the frames that the time in between allows; the end that the settings
 * name (null: any usual one).
 * **Gives**: the end, so that `end - former + next` frames passed; null when it began anew.
 */
export function findRollover(
  former: number,
  next: number,
  framesAllowed: number,
  namedEnd: number | null,
): number | null {
  const most = Math.max(SLACK_FRAMES, 2 * framesAllowed);
  const fits = (end: number) => former < end && end - former + next <= most;
  if (namedEnd !== null) return fits(namedEnd) ? namedEnd : null;
  return ENDS.find(fits) ?? null;
}
