// What was in a folder before the first look at it and is not read, as a sum.
import type { WatchedFile } from '../files/watched-file.ts';

/** What a folder held before the first look at it, and is not read. */
export interface PassedOver {
  readonly files: number;
  readonly bytes: number;
  /** First and last modification time, Unix ms. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** Add up what files hold; null when they hold nothing. */
export function addUp(files: readonly Pick<WatchedFile, 'seen'>[]): PassedOver | null {
  const held = files.flatMap(({ seen }) => (seen !== null && seen.sizeBytes > 0 ? [seen] : []));
  if (held.length === 0) return null;
  let bytes = 0;
  let fromMs = Number.POSITIVE_INFINITY;
  let toMs = Number.NEGATIVE_INFINITY;
  for (const { sizeBytes, modifiedMs } of held) {
    bytes += sizeBytes;
    fromMs = Math.min(fromMs, modifiedMs);
    toMs = Math.max(toMs, modifiedMs);
  }
  return { files: held.length, bytes, fromMs, toMs };
}
