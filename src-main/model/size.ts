/** Write a size in bytes as people speak of disks: `0.35 GB`, `12.0 GB`. */
export function gigabytes(sizeBytes: number): string {
  return `${(sizeBytes / 1e9).toFixed(sizeBytes < 1e9 ? 2 : 1)} GB`;
}
