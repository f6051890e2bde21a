const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * Write a duration in at most two units.
 *
 * @param durationMs - milliseconds; below zero counts as zero.
 * @returns `0.4 s`, `12 s`, `3 min 12 s`, `2 h 5 min`, `3 d 4 h`.
 */
export function formatDuration(durationMs: number): string {
  if (durationMs < 9_950) return `${trim((Math.max(0, durationMs) / SECOND_MS).toFixed(1))} s`;
  // Rounded once and for all: 59.7 s is a minute, not 60 seconds.
  const ms = Math.round(durationMs / SECOND_MS) * SECOND_MS;
  if (ms < MINUTE_MS) return `${ms / SECOND_MS} s`;
  if (ms < HOUR_MS) return pair(ms, MINUTE_MS, 'min', SECOND_MS, 's');
  if (ms < DAY_MS) return pair(ms, HOUR_MS, 'h', MINUTE_MS, 'min');
  return pair(ms, DAY_MS, 'd', HOUR_MS, 'h');
}

/** Write how long ago something was: `now` within a second and a half, else `12 s ago`. */
export function formatAge(ageMs: number): string {
  return ageMs < 1_500 ? 'now' : `${formatDuration(Math.round(ageMs / SECOND_MS) * SECOND_MS)} ago`;
}

function pair(ms: number, largeMs: number, large: string, smallMs: number, small: string): string {
  const whole = Math.floor(ms / largeMs);
  const rest = Math.floor((ms - whole * largeMs) / smallMs);
  return rest === 0 ? `${whole} ${large}` : `${whole} ${large} ${rest} ${small}`;
}

const trim = (text: string) => text.replace(/\.0$/, '');
