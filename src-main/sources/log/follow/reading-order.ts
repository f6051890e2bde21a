// Which file is read next.
import { byFormer, compareRotated, formerPaths, logsOf } from '../files/rotated-names.ts';
import { birthPath, generationOf, isProved, isUnopened, type WatchedFile } from '../files/watched-file.ts';
import type { ParsedBlock } from '../parse/parsed-block.ts';

/** A file with more to read than this is backlog and lets the others go first, bytes. */
const NEWS_BYTES = 64 * 1024;

/** How long what follows a rotated file by its name waits until that can be opened, milliseconds. */
const AWAITED_MS = 60_000;

/**
 * Put the files that have something to read in order.
 *
 * @param files - all files.
 * @param exhausted - those that gave nothing at this look.
 * @param seriesOf - the family whose channels a file has.
 * @param unreadable - the files that could not be read.
 * @param lookMs - wall clock of the look, Unix milliseconds.
 * @param isLog - true for a path at which a file was ever found.
 * @returns those with little first, then backlog; of a family always the earlier first, and a later one not before the earlier
 *   one is read to its end. What follows a file that cannot be read now, and that began at its path, waits for it; what comes
 *   after it by its rotated name does for a minute: an old file that nobody may read must not hold up its log.
 */
export function inReadingOrder(
  files: readonly WatchedFile[],
  exhausted: ReadonlySet<WatchedFile>,
  seriesOf: (file: WatchedFile) => string,
  unreadable: ReadonlySet<WatchedFile>,
  lookMs: number,
  isLog: (path: string) => boolean,
): WatchedFile[] {
  // Nothing proves that it is what the look before saw.
  const isDoubtful = (file: WatchedFile) => file.isInDoubt && !isProved(file);
  const awaited = files.filter((file) => unreadable.has(file) || isUnopened(file) || isDoubtful(file));
  const born = Map.groupBy(awaited, birthPath);
  const lately = awaited.filter(({ lookedMs }) => lookMs - lookedMs <= AWAITED_MS);
  const rotated = byFormer(lately, ({ path }) => path);
  const isBehind = (file: WatchedFile) =>
    (rotated.size > 0 && isRotatedBehind(file, rotated, isLog)) ||
    (born.get(birthPath(file)) ?? []).some((one) => comesBefore(one, file));
  // Whether such a file is rewritten or over is not told yet, so nothing is read that may repeat it or follow it.
  const shrunk = files.filter(({ shrunkSinceMs, isEmptied }) => shrunkSinceMs !== null && !isEmptied);
  const shrunkAt = new Set(shrunk.map(birthPath));
  const shrunkAs = new Set(shrunk.map(({ layoutKey }) => layoutKey));
  const isHeldUp = (file: WatchedFile) =>
    shrunk.length > 0 &&
    ((!isProved(file) && shrunkAs.has(file.layoutKey)) || logsOf(birthPath(file)).some((log) => shrunkAt.has(log)));
  const waiting = files.filter(
    (file) =>
      file.layout !== null &&
      file.problem === null &&
      !file.isLeftOut &&
      file.copyOf === null &&
      file.shrunkSinceMs === null &&
      !isDoubtful(file) &&
      file.seen !== null &&
      Math.min(file.seen.sizeBytes, file.stopAt) > file.byte &&
      !exhausted.has(file) &&
      !isHeldUp(file) &&
      !isBehind(file),
  );
  // Of files that begin alike the longest goes first, then the one with the shorter name: the others are its copies.
  const sizeOf = ({ seen }: WatchedFile) => seen?.sizeBytes ?? 0;
  const byName = (a: WatchedFile, b: WatchedFile) => a.path.length - b.path.length || (a.path < b.path ? -1 : 1);
  const byAge = (a: WatchedFile, b: WatchedFile) => Number(comesBefore(b, a)) - Number(comesBefore(a, b));
  waiting.sort((a, b) => compareStarts(a, b) || byAge(a, b) || sizeOf(b) - sizeOf(a) || byName(a, b));
  const blocked = new Set<string>();
  const news: WatchedFile[] = [];
  const backlog: WatchedFile[] = [];
  for (const file of waiting) {
    const family = seriesOf(file);
    const isNews = Math.min(file.seen?.sizeBytes ?? 0, file.stopAt) - file.byte <= NEWS_BYTES;
    // Order within a channel is the order of its files: what follows a long one waits until that is read.
    if (blocked.has(family)) continue;
    if (!isNews) blocked.add(family);
    (isNews ? news : backlog).push(file);
  }
  return [...news, ...backlog];
}

/** Of two files that began at one path: the one that was moved away from it, or the one found there before. */
function comesBefore(one: WatchedFile, other: WatchedFile): boolean {
  const born = birthPath(one);
  if (born !== birthPath(other)) return false;
  if (other.path === born || one.path === born) return other.path === born && one !== other;
  return generationOf(one) < generationOf(other);
}

/** True where one of these was rotated from the path of this file, or was rotated away earlier than it. */
function isRotatedBehind(
  { path }: WatchedFile,
  rotated: ReadonlyMap<string, readonly WatchedFile[]>,
  isLog: (path: string) => boolean,
): boolean {
  if (rotated.has(path) && isLog(path)) return true;
  const before = formerPaths(path)
    .filter(isLog)
    .flatMap((log) => rotated.get(log) ?? []);
  return before.some((one) => compareRotated(one.path, path) < 0);
}

/** Were these lines written since the look before the one at `lookMs`, and the newest is among them? */
export function isNews(file: WatchedFile, { rowsRead }: ParsedBlock, lookMs: number): boolean {
  const isGrown = file.grownMs > 0 && file.grownMs === lookMs;
  return isGrown && rowsRead > 0 && file.byte >= (file.seen?.sizeBytes ?? 0);
}

/** By the first stamp; a file without one comes last. */
function compareStarts(a: WatchedFile, b: WatchedFile): number {
  const [first, second] = [a.firstMs, b.firstMs].map((ms) => (Number.isNaN(ms) ? Number.MAX_VALUE : ms)) as [
    number,
    number,
  ];
  return first - second;
}
