import { formatDuration } from '../../src-main/contract/format.ts';

export { formatDuration };

/** Write how long ago something was: `now` within a second and a half, else `12 s ago`. */
export function formatAge(ageMs: number): string {
  return ageMs < 1_500 ? 'now' : `${formatDuration(Math.round(ageMs / 1000) * 1000)} ago`;
}
