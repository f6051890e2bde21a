// Rotated logs that were compressed, by their names: `log.csv.1.gz`.

const GZIP = /\.gz$/i;

/** True for a name that gzip gives. */
export function isGzip(path: string): boolean {
  return GZIP.test(path);
}

/** The name that a file had before gzip compressed it; the same where it did not. */
export function withoutGzip(path: string): string {
  return path.replace(GZIP, '');
}
