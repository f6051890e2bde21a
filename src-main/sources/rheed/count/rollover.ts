// A counter that goes back has wrapped around its end or begun again. The first loses nothing, so it is only believed where
// the numbers allow it.

/** Registers wrap around at 16, 24, 31 and 32 bits; the numbers of names and lines at 3 to 9 digits as well. */
const REGISTER_ENDS = [2 ** 16, 2 ** 24, 2 ** 31, 2 ** 32];
const NAME_ENDS = [...REGISTER_ENDS, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
/** Where each frame is seen, no more than this can be missing over the end: a recording may be stopped near it as well. */
const EACH_FRAMES = 16;

export interface SmallerNumber {
  readonly former: number;
  readonly next: number;
  readonly kind: 'each' | 'value';
  /** Frames that may have passed since somebody last looked, a late burst of the camera included. */
  readonly framesAllowed: number;
  /** The end that the settings name; null: any usual one. */
  readonly namedEnd: number | null;
}

/**
 * Find the end at which a counter wrapped around.
 *
 * @param smallerNumber - its former and its new, smaller number, and what is known of the time between.
 * @returns the end, so that `end - former + next` frames passed; null when it began again.
 */
export function findRollover({ former, next, kind, framesAllowed, namedEnd }: SmallerNumber): number | null {
  const most = kind === 'each' ? EACH_FRAMES : framesAllowed;
  const fits = (end: number) => former < end && end - former + next <= most;
  // A person knows where it wraps around: then the shorter way round is the right one, however long nobody looked.
  if (namedEnd !== null) return former < namedEnd && namedEnd - former + next <= namedEnd / 2 ? namedEnd : null;
  return (kind === 'each' ? NAME_ENDS : REGISTER_ENDS).find(fits) ?? null;
}
