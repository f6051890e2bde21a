// Rotated logs that were compressed, by their names: `log.csv.1.gz`, `log-20261120.csv.xz`.

/** What unpacked-files.ts shows as what it holds. */
const GZIP = /\.gz$/i;
/** What is named, and not read. */
const OTHER = /\.(?:bz2|xz|zst|zip|7z|lz4|Z)$/;

/** True for a name that gzip gives. */
export function isGzip(path: string): boolean {
  return GZIP.test(path);
}

/** The name that a file had before gzip compressed it; the same where it did not. */
export function withoutGzip(path: string): string {
  return path.replace(GZIP, '');
}

/** The name that a file had before any program compressed it; null where none did. */
export function withoutPacking(path: string): string | null {
  const plain = withoutGzip(path).replace(OTHER, '');
  return plain === path ? null : plain;
}
