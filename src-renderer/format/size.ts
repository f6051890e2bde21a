const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** Write a size in bytes in decimal units, three digits at most: `412 MB`, `1.25 GB`. */
export function formatBytes(sizeBytes: number): string {
  let size = sizeBytes;
  let step = 0;
  // 999.5 would be rounded up to a four-digit 1000.
  while (size >= 999.5 && step < units.length - 1) {
    size /= 1000;
    step += 1;
  }
  const digits = step === 0 || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  return `${size.toFixed(digits)} ${units[step]}`;
}
