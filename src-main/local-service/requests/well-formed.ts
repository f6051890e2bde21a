// Half of a surrogate pair is no character: written as UTF-8 it becomes another one, so that what is stored is not what was
// sent, and the same text sent again is not found. Such texts are refused where they come in.

/** Deeper than anything the interface knows; below it nothing is read, so nothing needs looking at. */
const DEPTH_MAX = 100;

type Step = string | number;

/**
 * Find a text that is not well-formed Unicode.
 *
 * @param value - a parsed JSON value.
 * @returns the way to the first such text or name, or null. It makes nothing on its way, since a body may have millions of
 *   values.
 */
export function placeOfIllFormed(value: unknown, depth = 0): Step[] | null {
  if (typeof value === 'string') return value.isWellFormed() ? null : [];
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return null;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const place = placeOfIllFormed(value[at], depth + 1);
      if (place) return [at, ...place];
    }
    return null;
  }
  for (const name of Object.keys(value)) {
    const place = name.isWellFormed() ? placeOfIllFormed((value as Record<string, unknown>)[name], depth + 1) : [];
    if (place) return [name, ...place];
  }
  return null;
}
