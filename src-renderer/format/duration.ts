import { formatDuration } from '../../src-main/contract/format.ts';

export { formatDuration };

/** Write how long ago something was: `now` within a second and a half, else `12 s ago`. */
export function formatAge(ageMs: number): string {
  return ageMs < 1_500 ? 'now' : `${formatDuration(Math.round(ageMs / 1000) * 1000)} ago`;
}

/** Write a time from a zero, below it with a minus: `0:04:12`, `-0:00:30`, `26:00:00`. */
export function formatElapsed(elapsedMs: number): string {
  const whole = Math.round(Math.abs(elapsedMs) / 1000);
  const two = (part: number) => String(part).padStart(2, '0');
  const sign = elapsedMs < 0 && whole > 0 ? '-' : '';
  return `${sign}${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}
