// What it means that a file went on nowhere: nothing, or that lines of it may be missing.
//
// Rule: lines are missed unless something proves that there were none. The proof is that the tool had turned to another file
// before: the file was rotated away and the next one of its name is known, or a look after the last change found it read to its
// end while a later file was there. Where a rotation left files that nobody knew, the last file of which data were read must be
// among them; else nothing tells how many came and went in between.
import type { Entry } from './folder-scan.ts';
import { isRotated } from './heirs.ts';
import { birthPath, type WatchedFile } from './watched-file.ts';

/** A file that changed within this time before it vanished may have been written to after the last look, milliseconds. */
const RECENT_MS = 10 * 60_000;

/** What a look found around a file that went on nowhere. */
export interface Around {
  /** Another one has its path. */
  readonly isReplaced: boolean;
  /** Another one may hold all that was seen of it. */
  readonly isThere: boolean;
  /** Its name is one that a rotation gives, and the file of the name before is there. */
  readonly isAway: boolean;
  /** Files were found that a rotation made of its log, and that nobody knew. */
  readonly isRotated: boolean;
  /** The latest file that began at its path. */
  readonly last: WatchedFile | undefined;
  readonly present: readonly WatchedFile[];
}

/**
 * Tell what became of a file.
 *
 * @returns how lines of it may be missing; null: none are.
 */
export function fateOf(file: WatchedFile, around: Around, nowMs: number): 'restarted' | 'lost' | null {
  const { seen, byte, dataByte, layout, triedAtBytes } = file;
  const isEmpty = (seen?.sizeBytes ?? 0) <= dataByte && byte <= dataByte;
  // What was looked into as it was seen, and holds no data or is no log; and what stands whole in another file.
  const isNothing = !around.isRotated && (isEmpty || (layout === null && triedAtBytes === seen?.sizeBytes));
  if (file.copyOf !== null || isNothing || (around.isThere && byte <= dataByte)) return null;
  const isUnread = (seen?.sizeBytes ?? 0) > byte;
  const isFollowed = isMoved(file, around) || (!isUnread && isSettled(file, around));
  if (around.isReplaced && !isFollowed) return 'restarted';
  return isUnread || (nowMs - file.lookedMs < RECENT_MS && !isFollowed) ? 'lost' : null;
}

/** Rotated away, and the next file of its name is known. */
function isMoved(file: WatchedFile, around: Around): boolean {
  const isNextKnown = around.last !== undefined && around.last !== file;
  return file.path !== birthPath(file) && isNextKnown && (!around.isRotated || laterOf(file, around).length > 0);
}

/** Files of the same columns, of which data were read, that began after the last line of a file. */
function laterOf({ layoutKey, lastMs }: WatchedFile, { present }: Around): WatchedFile[] {
  return present.filter((one) => one.layoutKey === layoutKey && one.firstMs >= lastMs && one.byte > one.dataByte);
}

/** A look after its last change found it read to its end, and a later file was there by then: so a tool begins a new log. */
function isSettled(file: WatchedFile, around: Around): boolean {
  if (file.endedMs <= file.lookedMs) return false;
  const later = laterOf(file, around);
  if (around.isRotated && later.length === 0) return false;
  return around.isAway || later.some(({ foundMs }) => foundMs < file.endedMs);
}

/**
 * True for an entry that may well hold all that was seen of a file of which nothing was read: by the number that it had. Enough
 * to read it, and to tell no gap; not enough to take it for that file. What was rotated away is not written to any more, so there
 * one that changed has the number of another one that went.
 */
export function holdsUnread(
  { sizeBytes, modifiedMs, id }: Entry,
  { seen }: Pick<WatchedFile, 'seen'>,
  isAway: boolean,
): boolean {
  if (seen === null || id !== seen.id) return false;
  if (isAway) return sizeBytes === seen.sizeBytes && modifiedMs === seen.modifiedMs;
  return sizeBytes >= seen.sizeBytes && modifiedMs >= seen.modifiedMs;
}

/** True for an entry that may be a copy of what was seen of a file of which nothing was read, and which was cut since. */
export function copiesUnread({ path, sizeBytes, modifiedMs }: Entry, { key, seen }: WatchedFile): boolean {
  const isLater = seen !== null && sizeBytes >= seen.sizeBytes && modifiedMs >= seen.modifiedMs;
  return isLater && isRotated(path, birthPath({ key }));
}

/** Since when lines of a file may be missing, Unix ms: since it was last known to be read to its end; 0: not known. */
export function missedSince({ byte, seen, lookedMs, endedMs }: WatchedFile): number {
  if (byte >= (seen?.sizeBytes ?? 0)) return Math.max(lookedMs, endedMs);
  return endedMs > 0 ? endedMs : Math.min(lookedMs, seen?.modifiedMs ?? lookedMs);
}
