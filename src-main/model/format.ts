// Counts, sizes, times and durations as text: one form of each, in every message and on paper.

const UNITS = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
  { name: 's', ms: 1000 },
] as const;

/** Write a whole number with thousands apart: `12,412`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** Write a size in bytes as people speak of disks: `0.35 GB`, `12.0 GB`. */
export function formatSize(sizeBytes: number): string {
  return `${(sizeBytes / 1e9).toFixed(sizeBytes < 1e9 ? 2 : 1)} GB`;
}

/** Write a time (Unix milliseconds) in UTC as ISO 8601 does; one that no calendar has as its number. */
export function formatTime(timeMs: number): string {
  const date = new Date(timeMs);
  return Number.isNaN(date.getTime()) ? `${timeMs} ms` : date.toISOString();
}

/**
 * Write a duration in at most two units.
 *
 * @param durationMs - milliseconds, not below zero.
 * @returns `250 ms`, `1.5 s`, `12 s`, `3 min 12 s`, `2 h`, `3 d 4 h`.
 */
export function formatDuration(durationMs: number): string {
  if (durationMs < 999.5) return `${Math.round(durationMs)} ms`;
  if (durationMs < 9950) return `${Number((durationMs / 1000).toFixed(1))} s`;
  // Rounded once: 59.7 s is a minute, not 60 seconds.
  const wholeMs = Math.round(durationMs / 1000) * 1000;
  const at = UNITS.findIndex(({ ms }) => wholeMs >= ms);
  const [large, small] = [UNITS[at] ?? UNITS[3], UNITS[at + 1]];
  const rest = small ? Math.floor((wholeMs % large.ms) / small.ms) : 0;
  const text = `${Math.floor(wholeMs / large.ms)} ${large.name}`;
  return small && rest > 0 ? `${text} ${rest} ${small.name}` : text;
}
