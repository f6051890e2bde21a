// Counts, sizes, times and durations as text: one form of each, in every message, on the screen and on paper.

const UNITS = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
  { name: 's', ms: 1000 },
] as const;

const SIZES = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Made once: making it takes far longer than writing a number with it. */
const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** Write a whole number with thousands apart: `12,412`. */
export function formatCount(count: number): string {
  return WHOLE.format(count);
}

/** Write a count with its noun: `1 point`, `12,412 points`. */
export function formatCounted(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/** Write a size in bytes in decimal units, three digits at most: `412 MB`, `1.25 GB`. */
export function formatBytes(sizeBytes: number): string {
  // 999.5 would be rounded up to a four-digit 1000.
  const step = SIZES.findIndex((_, at) => sizeBytes < 999.5 * 1000 ** at || at === SIZES.length - 1);
  const size = sizeBytes / 1000 ** step;
  const digits = step === 0 || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  return `${size.toFixed(digits)} ${SIZES[step]}`;
}

/** Write an instant (Unix milliseconds) in a sentence: `2026-11-01 08:00:00 UTC`. The screen writes it in its own zone. */
export function formatSecond(timeMs: number): string {
  return `${formatTime(timeMs).slice(0, 19).replace('T', ' ')} UTC`;
}

/** Write a time (Unix milliseconds) in UTC as ISO 8601 does; one that no calendar has as its number. */
export function formatTime(timeMs: number): string {
  const date = new Date(timeMs);
  return Number.isNaN(date.getTime()) ? `${timeMs} ms` : date.toISOString();
}

/**
 * Write a duration in at most two units.
 *
 * @param durationMs - milliseconds; below zero counts as zero.
 * @returns `0 s`, `250 ms`, `1.5 s`, `12 s`, `3 min 12 s`, `2 h`, `3 d 4 h`.
 */
export function formatDuration(durationMs: number): string {
  if (durationMs < 0.5) return '0 s';
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
