// Everything that changes a watched file. Its record is read in every room of the source and written here alone: each function is
// one thing that happens to a file, and leaves it such that its position can be committed.
import { isPlausibleTime } from '../../../model/plausible-clock.ts';
import type { Position } from '../../source.ts';
import { type Era, eraAt } from '../parse/eras.ts';
import type { Layout } from '../parse/layout.ts';
import type { LineParser } from '../parse/parsed-block.ts';
import { type ByteRange, withoutRanges } from './byte-ranges.ts';
import type { Fingerprint } from './file-identity.ts';
import { type Entry, isUnchanged } from './folder-scan.ts';
import { isCoarse } from './same-tick.ts';
import { isAtEnd, isProved, type PartState, type Problem, positionOf, type WatchedFile } from './watched-file.ts';

/** What a file known before may have grown while the agent was away and still count as live, bytes. */
const CATCH_UP_BYTES = 1024 * 1024;

/** The one place that may write. */
function writable(file: WatchedFile): { -readonly [Field in keyof WatchedFile]: WatchedFile[Field] } {
  return file;
}

/** A layout under its key, with the parser of all files that have it. */
export interface FiledLayout {
  readonly layoutKey: string;
  readonly layout: Layout;
  readonly parser: LineParser;
}

// --- Its position

/** Take the position of a file as it stands, to be committed: nothing of it is uncommitted from then on. */
export function takePosition(file: WatchedFile): Position {
  writable(file).isUncommitted = false;
  return positionOf(file);
}

/** Something of a file changed that is to be committed although none of its lines is read. */
export function noteUncommitted(file: WatchedFile): void {
  writable(file).isUncommitted = true;
}

// --- What a look finds

/** A look found the file so. */
export function noteSeen(file: WatchedFile, seen: Entry, nowMs: number): void {
  noteEnd(file);
  const own = writable(file);
  own.seen = seen;
  own.isInDoubt = false;
  own.seenByte = file.byte;
  own.lookedMs = nowMs;
  // Until data of it are read another one may have taken its place and its number.
  if (isProved(file)) return;
  own.foundMs = nowMs;
  // What was seen of it is known to the next run no later than what was read of others at this look.
  own.isUncommitted = true;
}

/** A look found it as the one before. `isNews`: that it is read to its end is to be known to the next run as well. */
export function noteStill(file: WatchedFile, isAtEnd: boolean, isNews: boolean, nowMs: number): void {
  const own = writable(file);
  own.seenByte = file.byte;
  if (!isAtEnd) return;
  if (isNews) own.isUncommitted = true;
  own.endedMs = nowMs;
}

/** Note when a file was last known to be read to its end. */
function noteEnd(file: WatchedFile): void {
  if (file.seen !== null && isAtEnd(file)) setEnded(file, Math.max(file.lookedMs, file.endedMs));
}

/** Since when what is missing of a file may be missing, Unix ms. */
export function setEnded(file: WatchedFile, endedMs: number): void {
  writable(file).endedMs = endedMs;
}

/** It was found longer than the look before had seen it, at this wall clock. */
export function noteGrown(file: WatchedFile, nowMs: number): void {
  writable(file).grownMs = nowMs;
}

/** It is shorter than what was read of it, since this monotonic time. */
export function noteShrunk(file: WatchedFile, sizeBytes: number, monotonicMs: number): void {
  const own = writable(file);
  if (file.shrunkSinceMs === null) {
    noteEnd(file);
    own.shrunkSinceMs = monotonicMs;
    own.isEmptied = true;
  }
  own.isEmptied &&= sizeBytes === 0;
}

/** It holds again what was read of it. */
export function noteWhole(file: WatchedFile): void {
  writable(file).shrunkSinceMs = null;
}

/** What stood there, longer than seen and read, could not be opened: it is the file, grown, or another one already. */
export function noteUnopened(file: WatchedFile, entry: Entry, nowMs: number): void {
  if (file.seen === null || file.skip !== null) return;
  if (entry.sizeBytes <= Math.max(file.seen.sizeBytes, file.byte)) return;
  writable(file).unopened = { entry, nowMs };
  // Known to the next run as well.
  if (!file.isInDoubt) noteUncommitted(file);
  forgetLook(file);
}

/**
 * A look can tell the file again. What stood there meanwhile counts as seen of it: a gap, should it be found nowhere. Unless that is
 * another one by now: then that one is what stood there, where it still looks so.
 *
 * @param other - what stands where the file was; undefined: the file, or nothing.
 */
export function settleUnopened(file: WatchedFile, other: Entry | undefined): void {
  const { unopened, seen } = file;
  const own = writable(file);
  own.unopened = null;
  if (unopened === null || seen === null) return;
  if (other !== undefined && isUnchanged(unopened.entry, other) && !isCoarse(other)) return;
  noteEnd(file);
  own.seen = { ...seen, sizeBytes: unopened.entry.sizeBytes };
  // A shadow is known since it was last compared.
  if (file.copyOf === null) own.lookedMs = unopened.nowMs;
}

/** Have the next look judge a file again. What was seen of it stays known. */
export function forgetLook(file: WatchedFile): void {
  writable(file).isInDoubt = true;
}

/** It stands under this path now; `isOutside`: a name that the match leaves out. */
export function noteMoved(file: WatchedFile, path: string, isOutside: boolean): void {
  const own = writable(file);
  own.path = path;
  own.isOutside = isOutside;
  own.shrunkSinceMs = null;
  own.goneMs = null;
  own.isUncommitted = true;
}

/** It is gone since this wall clock. */
export function noteGone(file: WatchedFile, nowMs: number): void {
  writable(file).goneMs = nowMs;
  noteUncommitted(file);
}

/** Since when a file is gone; what a clock that was not set has stamped counts from now. */
export function goneSince(file: WatchedFile, nowMs: number): number {
  const isUsable = file.goneMs !== null && isPlausibleTime(file.goneMs) && file.goneMs <= nowMs;
  const goneMs = isUsable ? (file.goneMs as number) : nowMs;
  writable(file).goneMs = goneMs;
  return goneMs;
}

// --- What is skipped, and read later

/** What stands in a file is not read, and the file is not opened. */
export function skipUnopened(file: WatchedFile, bytes: number, modifiedMs: number): void {
  writable(file).skip = { bytes, modifiedMs };
}

/** A file that was never opened: only its size tells whether what it held then still stands at its beginning. */
export function staySkipped(file: WatchedFile, { bytes }: { bytes: number }, { sizeBytes, modifiedMs }: Entry): void {
  if (sizeBytes > bytes) return;
  writable(file).skip = sizeBytes < bytes ? null : { bytes, modifiedMs };
  noteUncommitted(file);
}

/** Reading begins at a byte; what is before it is unread. */
export function beginAt(file: WatchedFile, byte: number, print: Fingerprint): void {
  const own = writable(file);
  own.print = print;
  own.byte = byte;
  own.line = byte === 0 ? 0 : null;
  own.skip = null;
  own.unread = byte === 0 ? [] : [[0, byte]];
}

/** Reading goes on behind a byte: what stands before it was read when it stood elsewhere, up to that instant. */
export function goOnAt(file: WatchedFile, byte: number, print: Fingerprint, lastMs: number): void {
  Object.assign(writable(file), { print, byte, line: null, lastMs, isUncommitted: true });
}

/** Its unread pieces are these, and none of them is begun. */
export function setUnread(file: WatchedFile, unread: readonly ByteRange[]): void {
  const own = writable(file);
  own.unread = unread;
  own.fill = null;
  own.isUncommitted = true;
}

/** A piece of what is unread was read; `fill`: how far in one that is not over. */
export function noteFilled(file: WatchedFile, range: ByteRange, fill: PartState | null): void {
  const own = writable(file);
  own.unread = withoutRanges(file.unread, [range]);
  own.fill = fill;
}

/** A copy is read on its own: of it only the pieces that its original never gave are unread. */
export function leaveOriginal(file: WatchedFile, left: readonly ByteRange[]): void {
  const own = writable(file);
  own.copyOf = null;
  own.unread = withoutRanges(file.unread, withoutRanges([[0, file.byte]], left));
}

// --- Reading

/** At the first look of a run: how much of a file is backfill, and where a drain ends. */
export function setOrigin(file: WatchedFile, isDrain: boolean): void {
  const size = file.seen?.sizeBytes ?? 0;
  if (isDrain) endAt(file, size);
  const isCatchUp = file.byte > 0 && size - file.byte <= CATCH_UP_BYTES;
  writable(file).backfillUntil = isCatchUp ? file.byte : size;
}

/** Reading ends at this byte. */
export function endAt(file: WatchedFile, byte: number): void {
  writable(file).stopAt = byte;
}

/** What a block moves of the file that it was read from. */
export type Moved = Pick<
  WatchedFile,
  'byte' | 'print' | 'line' | 'problem' | 'isDropping' | 'isCut' | 'kinds' | 'lastMs' | 'carry' | 'misfits'
> & { readonly rowsRead: number; readonly linesRefused: number; readonly rowsShared: number };

/** The file moves on together with the lines that are handed over. */
export function moveOn(file: WatchedFile, { rowsRead, linesRefused, rowsShared, ...moved }: Moved): void {
  const own = Object.assign(writable(file), moved);
  own.linesRead += rowsRead;
  own.linesRefused += linesRefused;
  own.rowsShared += rowsShared;
}

/**
 * Note how far a file was read after the look at this wall clock. Beyond what that had seen: it grew since, and all of that look
 * is read. Just as far, and the look had found it as one before did: it has not changed since then, and is read to its end. Less
 * far by half a line: what is missing of it one day has a stamp behind the last one that was read.
 *
 * @param isAll - each whole line that the look saw is read.
 */
export function noteReadOn(file: WatchedFile, lookMs: number, isAll: boolean): void {
  const { seen, byte, lookedMs, endedMs, lastMs } = file;
  if (seen === null) return;
  if (byte > seen.sizeBytes) writable(file).lookedMs = Math.max(lookedMs, lookMs);
  else if (byte === seen.sizeBytes && lookedMs < lookMs) setEnded(file, Math.max(endedMs, lookMs));
  else if (byte < seen.sizeBytes && isAll && !Number.isNaN(lastMs))
    setEnded(file, Math.max(endedMs, Math.min(lookMs, lastMs)));
}

/** A piece goes on where it stood. */
export function resumeAt(part: WatchedFile, state: PartState, print: Fingerprint): void {
  Object.assign(writable(part), state, { print });
}

/** Put a piece back to where it was before, to be read up to `stopAt`. */
export function putBack(part: WatchedFile, before: WatchedFile, stopAt: number): void {
  Object.assign(writable(part), before, { stopAt });
}

/** Take over what reading a piece up to its position has shown of the lines before. */
export function noteBefore(file: WatchedFile, { line, kinds, lastMs, carry }: WatchedFile): void {
  Object.assign(writable(file), { line, kinds, lastMs, carry });
}

/** Its last whole line ends sooner than was thought. */
export function endSooner(file: WatchedFile, { byte, print }: WatchedFile): void {
  Object.assign(writable(file), { byte, print, unread: [[0, byte]] });
}

/** Why it cannot be read on; null: it can. */
export function setProblem(file: WatchedFile, problem: Problem | null): void {
  writable(file).problem = problem;
}

/** A person says whether it is read. */
export function leaveOut(file: WatchedFile, isLeftOut: boolean): void {
  const own = writable(file);
  own.isLeftOut = isLeftOut;
  own.problem = null;
  own.triedAtBytes = -1;
}

// --- Layouts

/** Its layout is looked for, as it is now. */
export function noteTried(file: WatchedFile): void {
  writable(file).triedAtBytes = file.seen?.sizeBytes ?? 0;
}

/** Its layout is looked for again at the next occasion. `isRetried`: since another file settled the order of its dates. */
export function tryAgain(file: WatchedFile, isRetried = file.isRetried): void {
  const own = writable(file);
  own.triedAtBytes = -1;
  own.isRetried = isRetried;
}

/** The file has a layout, and its head told the rest. */
export function open(
  file: WatchedFile,
  filed: FiledLayout,
  head: Pick<WatchedFile, 'kinds' | 'dataByte' | 'firstMs'> & { readonly lastMs: number },
): void {
  const { kinds, dataByte, firstMs, lastMs: tailMs } = head;
  Object.assign(writable(file), filed, { kinds, dataByte, firstMs, tailMs, problem: null });
}

/** Give the file another layout; its first instant moves by so many milliseconds. */
export function giveLayout(file: WatchedFile, filed: FiledLayout, byMs = 0): void {
  const own = Object.assign(writable(file), filed);
  own.firstMs += byMs;
}

/** Link a restored file to its layouts; null: the one that it has no longer holds. */
export function linkLayouts(file: WatchedFile, eras: readonly Era[], filed: FiledLayout | null): void {
  Object.assign(writable(file), { eras }, filed ?? { layoutKey: null });
}

/** Another era of the file begins: from there on it is read by another layout. */
export function addEra(file: WatchedFile, era: Era): void {
  const { layoutKey, layout, parser, kinds, dataByte } = file;
  const isFirst = file.eras.length === 0 && layoutKey !== null;
  const first: Era[] = isFirst ? [{ fromByte: 0, dataByte, layoutKey, kinds, layout, parser }] : [];
  const own = writable(file);
  own.eras = [...file.eras.filter(({ fromByte }) => fromByte < era.fromByte), ...first, era];
  own.problem = null;
  own.isUncommitted = true;
  enterEra(file);
}

/**
 * Give a file the layout of the era in which it stands.
 *
 * @returns where the header of that era ends, and the byte at which the next one begins (Infinity: none).
 */
export function enterEra(file: WatchedFile): { headerEndByte: number; endByte: number } {
  const { by, ...bounds } = eraAt(file);
  Object.assign(writable(file), by);
  return bounds;
}

/** Have the layout made again from what the file holds now. */
export function forgetLayout(file: WatchedFile): void {
  const own = writable(file);
  own.layout = null;
  own.layoutKey = null;
  own.parser = null;
  own.kinds = [];
  own.eras = [];
  own.dataByte = 0;
  own.firstMs = Number.NaN;
  own.triedAtBytes = -1;
}

/** No data are read yet, so nothing tells whether a file is still what its layout and first instant were made from. */
export function forgetUnproved(file: WatchedFile): void {
  const { dataByte } = file;
  if (isProved(file)) return;
  noteEnd(file);
  forgetLayout(file);
  // As long as it is not opened again, what was read of it is still names of columns alone.
  writable(file).dataByte = dataByte;
}

// --- Copies

/** The file repeats another one; null: it no longer does. */
export function setOriginal(file: WatchedFile, original: WatchedFile | null): void {
  writable(file).copyOf = original?.key ?? null;
  noteUncommitted(file);
}

/** So many of its first bytes are those of its original: more than the look had seen, where it was being copied then. */
export function noteRepeated(file: WatchedFile, bytes: number): void {
  const { seen } = file;
  if (seen !== null && seen.sizeBytes < bytes) writable(file).seen = { ...seen, sizeBytes: bytes };
}

/** A longer file goes on where a shorter one of the same content ends, under its own names. */
export function goOnAfter(longer: WatchedFile, shorter: WatchedFile): void {
  const { byte, line, dataByte, print, layoutKey, layout, parser, kinds, lastMs, carry, firstMs, unread } = shorter;
  const position = { byte, line, dataByte, print, lastMs, carry, firstMs, unread };
  Object.assign(writable(longer), position, { layoutKey, layout, parser, kinds });
  setOriginal(longer, null);
}
