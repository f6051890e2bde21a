// The first look at a folder: what is there already is skipped, unless it is asked for. Files that have changed
// lately are taken up at their end at once. Older ones are only noted by size and modification time and opened when they
// grow: a folder can hold a hundred thousand of them. Bounds: lately is two days.

import { skipUnopened } from '../files/file-changes.ts';
import { skipToEnd } from '../files/skip-to-end.ts';
import type { WatchedFile } from '../files/watched-file.ts';
import type { RunOptions } from './run-options.ts';

/** A file that has not changed for this long is not expected to, milliseconds. */
const QUIET_MS = 2 * 86_400_000;

/**
 * Pass over what is not wanted of the files that were there at the first look.
 *
 * @param folder - the settings.
 * @param nowMs - the wall clock.
 * @returns the files that were skipped: their positions are where reading begins. One that another program holds is taken up
 *   there when it is free.
 */
export function passOver(
  files: readonly WatchedFile[],
  folder: Pick<RunOptions, 'backfill' | 'path' | 'files'>,
  nowMs: number,
): WatchedFile[] {
  const { backfill } = folder;
  if (backfill === 'all') return [];
  const isWanted = ({ seen }: WatchedFile) =>
    seen === null || (typeof backfill === 'object' && seen.modifiedMs >= backfill.fromMs);
  const passed = files.filter((file) => !isWanted(file));
  for (const file of passed) {
    const { sizeBytes: bytes = 0, modifiedMs = 0 } = file.seen ?? {};
    skipUnopened(file, bytes, modifiedMs);
    if (nowMs - modifiedMs < QUIET_MS) skipToEnd(file, folder, bytes);
  }
  return passed;
}
