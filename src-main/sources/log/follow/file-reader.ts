// One look into one file: its head for a layout, or its next lines.
//
// Bounds: a head of 64 KiB, 1 MiB where that holds no line of data, and the last 16 KiB; a block of 1 MiB at most.
// Invariant: a block is read only where the file still holds what was read of it before, and a read that fails moves nothing.

import { Buffer } from 'node:buffer';
import type { Dialect } from '../../../model/dialect.ts';
import type { OpenFile } from '../../../platform/files.ts';
import { readRange } from '../../../platform/read-range.ts';
import { detectEncoding, encodingOf } from '../cells/encoding.ts';
import { type Frame, frameLines, LINE_BYTES_MAX } from '../cells/framer.ts';
import { enterEra, moveOn } from '../files/file-changes.ts';
import { isSameFile, takeFingerprint } from '../files/file-identity.ts';
import { holeBytes } from '../files/leading-hole.ts';
import { isProved, type WatchedFile } from '../files/watched-file.ts';
import { type Folder, type Unreadable, withFile } from '../files/with-file.ts';
import { whyStopped } from '../notes/why-stopped.ts';
import type { Layout } from '../parse/layout.ts';
import { makeParser } from '../parse/make-parser.ts';
import type { ParsedBlock } from '../parse/parsed-block.ts';
import { countSharedStamps } from '../parse/shared-stamps.ts';
import { withAnswers } from '../recognise/answers.ts';
import { chooseDialect } from '../recognise/dialect-library.ts';
import { type Undecided, undecided } from '../recognise/header-line.ts';
import { recogniseLayout } from '../recognise/recognise.ts';
import type { Recognised } from '../recognise/recognised.ts';
import type { LastLines } from './last-lines.ts';
import { type LinePlace, withPassed } from './passed-lines.ts';

/** Head for recognition, bytes; the second when the first holds no data line. */
const HEAD_BYTES = [64 * 1024, 1024 * 1024] as const;
/** Bytes from the end of the file whose lines help with the date order. */
const LATER_BYTES = 16 * 1024;
/** Where nothing is known of a last line. */
const NEVER_FINAL: Pick<LastLines, 'isFinal'> = { isFinal: () => false };
/** Bytes of these of which the last line is looked for. */
const TAIL_BYTES = 4096;
/** Text of the block that is being read, of whichever file: a thread reads one after the other. */
const text = new Uint8Array(LINE_BYTES_MAX);

/**
 * A layout with the dialect that it was made by, the instants of the first and last data line (NaN: not readable), and how many
 * bytes at the head of the file nobody wrote.
 */
export type Opened = Recognised & {
  readonly dialect: string;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly holeBytes: number;
};

/**
 * Read the head of a file and make its layout.
 *
 * @param file - the file (as the last look found it).
 * @param timeZone - zone.
 * @param settledFormat - the time format settled by other files (null: none).
 * @param library - the dialects that `auto` knows.
 * @param nowMs - the clock of this PC (NaN: it does not tell).
 * @param lastLines - tells whether a last line without its end counts (left out: it does not).
 * @returns the layout with the instant of the first data line (NaN: not readable), or why there is none.
 */
export function readLayout(
  folder: Folder,
  file: Pick<WatchedFile, 'path' | 'seen'> & { readonly grownMs?: number },
  dialect: Dialect,
  timeZone: string,
  settledFormat: string | null,
  library: readonly Dialect[],
  nowMs = Number.NaN,
  lastLines: Pick<LastLines, 'isFinal'> = NEVER_FINAL,
): Opened | Undecided | Unreadable {
  const { path } = file;
  let result: Undecided | null = null;
  for (const headBytes of HEAD_BYTES) {
    // Closed before the recognition starts: the tool must be able to open its file.
    const head = withFile(folder, file, (handle) => readHead(handle, headBytes));
    if (typeof head === 'string') return head;
    // It was cut off since the look, or while it was read: the next one tells what became of it.
    const { size, hole, modifiedMs, laterLines } = head;
    const isCut = head.bytes.length < Math.min(size, headBytes);
    if (isCut || hole + size < (file.seen?.sizeBytes ?? 0)) return 'gone';
    const recognise = (bytes: Uint8Array): Opened | Undecided => {
      const chosen = chooseDialect(bytes.subarray(0, 4096), path, dialect, library);
      // Times that hang on the modification time of a file are wrong once it was copied: that is for a person to accept.
      if (chosen !== dialect && chosen.time.start?.from === 'file') return withAnswers(noStart(path, chosen), dialect);
      const known = { bytes, path, laterLines, settledFormat, modifiedMs, nowMs, isDialectFound: chosen !== dialect };
      const openedBy = (found: Recognised, { name }: Dialect) => ({
        ...found,
        dialect: name,
        dataByte: hole + found.dataByte,
        holeBytes: hole,
        firstMs: firstInstant(found, bytes),
        lastMs: lastInstant(found, bytes, laterLines),
      });
      const found = recogniseLayout(known, chosen, timeZone);
      if ('layout' in found) return openedBy(found, chosen);
      if (chosen === dialect || found.isWaiting) return found;
      // A file can look like that of a known tool and be written otherwise.
      const plain = recogniseLayout({ ...known, isDialectFound: false }, dialect, timeZone);
      return 'layout' in plain ? openedBy(plain, dialect) : plain;
    };
    const found = recognise(head.bytes);
    if ('layout' in found || found.code === 'log.no-start') return found;
    if (size <= headBytes) {
      // Its only row may have no end.
      const ended = withLineEnd(head.bytes, dialect);
      const whole = ended === head.bytes ? found : recognise(ended);
      return 'layout' in whole &&
        lastLines.isFinal({ path, sizeBytes: hole + size, modifiedMs, grownMs: file.grownMs ?? 0 })
        ? whole
        : found;
    }
    result = found.isWaiting ? neverToCome(path, head.bytes) : found;
  }
  return result as Undecided;
}

/** More lines behind the first MiB change nothing about it. */
function neverToCome(path: string, head: Uint8Array): Undecided {
  if (!head.includes(10)) {
    const hint = 'A log has lines, and this one never ends its first: exclude it with a narrower match.';
    return undecided('log.no-line-end', `${path} has no line end in its first MiB.`, hint);
  }
  const hint = 'What comes later is not looked at: let the tool write less above its rows, or leave it out.';
  return undecided('log.no-rows', `${path} holds no line with data in its first MiB.`, hint);
}

/** The bytes of a whole file of which the last line has no end, with one. */
function withLineEnd(bytes: Uint8Array, { encoding }: Dialect): Uint8Array {
  if (bytes.length === 0 || bytes.at(-1) === 10) return bytes;
  const unitBytes = detectEncoding(bytes, encoding)?.unitBytes ?? 1;
  return unitBytes === 1 ? Buffer.concat([bytes, Buffer.from([10])]) : bytes;
}

function readHead(handle: OpenFile, headBytes: number) {
  const { sizeBytes, modifiedMs } = handle.facts();
  const first = readRange(handle, 0, Math.min(sizeBytes, headBytes));
  const hole = holeBytes(handle, first);
  const size = sizeBytes - hole;
  const bytes = hole === 0 ? first : readRange(handle, hole, Math.min(size, headBytes));
  return { bytes, hole, size, modifiedMs, laterLines: size > headBytes ? readLaterLines(handle, sizeBytes) : [] };
}

function noStart(path: string, { name }: Dialect): Undecided {
  return {
    code: 'log.no-start',
    message: `${path} holds only seconds since a start that it does not tell.`,
    hint: `With the dialect ${name} the file's modification time stands for its last line, which holds as long as the tool itself writes it.`,
    isWaiting: false,
    answers: [{ like: name }],
  };
}

function readLaterLines(handle: OpenFile, size: number): string[] {
  const bytes = readRange(handle, size - LATER_BYTES, LATER_BYTES);
  return new TextDecoder().decode(bytes).split(/\r?\n/).slice(1, -1);
}

function firstInstant({ layout, kinds, dataByte }: Recognised, head: Uint8Array): number {
  const frame = frameLines(head.subarray(dataByte), dataByte, encodingOf(layout.encoding));
  const end = frame.bytes.indexOf(10) + 1;
  const bytes = frame.bytes.subarray(0, end);
  const parser = makeParser(layout);
  return parser.parse({ bytes, place: '', line: null, sinceMs: -Infinity, fileByteOf: (at) => at }, kinds, Number.NaN)
    .lastMs;
}

/** Instant of the last line; NaN where the end of a file alone does not tell it. */
function lastInstant({ layout, kinds, dataByte }: Recognised, head: Uint8Array, later: readonly string[]): number {
  if (layout.dayMs !== null || layout.heads !== undefined) return Number.NaN;
  const encoding = encodingOf(layout.encoding);
  const own = () => frameLines(head.subarray(dataByte), dataByte, encoding).bytes;
  const all = later.length === 0 ? own() : new TextEncoder().encode(`${later.join('\n')}\n`);
  const begin = all.length <= TAIL_BYTES ? 0 : all.indexOf(10, all.length - TAIL_BYTES) + 1;
  const bytes = all.subarray(begin);
  const block = { bytes, place: '', line: null, sinceMs: -Infinity, fileByteOf: (at: number) => at };
  return makeParser(layout).parse(block, kinds, Number.NaN).lastMs;
}

export interface BlockRead {
  /** What was taken; its text is gone by now. */
  readonly frame: Pick<Frame, 'takenBytes' | 'droppedBytes' | 'isDropping'>;
  /** A line that was taken without its end has grown by more than that end. */
  readonly hasGrown: boolean;
  /** The bytes of the file that were taken, headers and all, and where they begin; good until the next block is read. */
  readonly taken: { readonly fromByte: number; readonly bytes: Uint8Array };
  readonly parsed: ParsedBlock;
  /** More stood in the file than the look had seen, and was not read: nothing proved before what it is. */
  readonly isMore: boolean;
  /** Each whole line that the look had seen is read. */
  readonly isAll: boolean;
  /** The layout by which it was read: that of its era, which need not be the one that the file has reached. */
  readonly layout: Layout;
}

/**
 * Read the next lines of a file. Takes the file (its layout is known), its folder, what tells whether a last line without its end
 * counts (absent: it does not), and whether the first data of a file, now that they are read, are still what the look saw. The
 * file's position and what belongs to it move with the lines read.
 *
 * @returns the block; `changed` when the file no longer holds what was read of it; null when no whole line waits.
 */
export function readBlock(
  file: WatchedFile,
  folder: Folder,
  lastLines: Pick<LastLines, 'isFinal'> = NEVER_FINAL,
  areAsSeen: () => boolean = () => true,
): BlockRead | 'changed' | Unreadable | null {
  return withFile(folder, file, (handle) => {
    const { headerEndByte, endByte } = enterEra(file);
    if (file.layout === null || file.parser === null) return null;
    const encoding = encodingOf(file.layout.encoding);
    // As much as the longest line: then opening, comparing and closing the file cost little beside reading it.
    // Before any data of it are read nothing but the look tells what it is: no more is read than that has seen.
    const seenBytes = isProved(file) ? Number.POSITIVE_INFINITY : (file.seen?.sizeBytes ?? 0);
    const end = Math.min(file.stopAt, endByte, seenBytes);
    const blockAt = (byte: number) => {
      const wanted = Math.min(LINE_BYTES_MAX, end - byte);
      const seenEnd = Math.min(wanted, (file.seen?.sizeBytes ?? end) - byte);
      let filled = 0;
      // A share may give less than is there. What came since the look may wait for the next one.
      do {
        const { bytesRead } = handle.read(text, filled, Math.max(0, wanted - filled), byte + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      } while (filled < seenEnd);
      return text.subarray(0, filled);
    };
    const first = blockAt(file.byte);
    const fromByte = file.byte === 0 ? holeBytes(handle, first) : file.byte;
    const raw = fromByte === file.byte ? first : blockAt(fromByte);
    const isRest = file.isCut;
    let frame = frameLines(raw, fromByte, encoding, file.isDropping || isRest);
    const isTail = frame.takenBytes === 0 && !isRest && raw.length % encoding.unitBytes === 0;
    const isLast = isTail && isFinished(handle, { ...file, byte: fromByte }, raw.length, lastLines);
    if (isLast) frame = frameLines(raw, fromByte, encoding, false, true);
    if (frame.takenBytes === 0) return null;
    const { bytes, skipped, frame: data } = withoutHeader(frame, headerEndByte);
    const skippedLines = skipped.length;
    const line = file.line === null ? null : file.line + 1 + skippedLines;
    const rows = file.parser.parse(
      {
        bytes,
        place: file.path,
        line,
        sinceMs: Number.NEGATIVE_INFINITY,
        carry: file.carry,
        fileByteOf: data.fileByteOf,
      },
      file.kinds,
      file.lastMs,
    );
    const parsed = file.layout.isPassing === true ? withPassed(rows, skipped, frame, file) : rows;
    const { stoppedAt } = parsed;
    const toByte = stoppedAt === null ? fromByte + frame.takenBytes : data.fileByteOf(stoppedAt);
    const isDated = file.layout.startMs === null && file.layout.dayMs === null;
    const last = raw.subarray(Math.max(0, toByte - fromByte - LATER_BYTES), toByte - fromByte);
    const print = takeFingerprint(handle, toByte, file.dataByte, file.print, isDated);
    if (print === null) return 'changed';
    // What was read still stands where it was read, so nothing was cut off in between.
    const again = readRange(handle, toByte - last.length, last.length);
    if (Buffer.compare(last, again) !== 0) return 'changed';
    // Asked last: a file that was cut and has grown again holds something else from its beginning on, for good.
    if (!isSameFile(handle, file.byte, file.print)) return 'changed';
    const isFirst = !isProved(file) && toByte > file.dataByte;
    const sizeBytes = isFirst ? handle.facts().sizeBytes : seenBytes;
    // One that is shorter than the look saw it was cut since then.
    if (isFirst && (sizeBytes < seenBytes || !areAsSeen())) return 'changed';
    // From here on nothing fails: the file moves on together with the lines that are handed over.
    const taken = { fromByte, bytes: raw.subarray(0, toByte - fromByte) };
    // An over-long line counts where it ends.
    const passed = frame.droppedBytes > 0 && !frame.isDropping && file.isDropping && !isRest ? 1 : 0;
    const nextLine = file.line === null ? null : file.line + parsed.lines + skippedLines + passed;
    const there = { path: file.path, layout: file.layout, byte: toByte, line: nextLine };
    const misfits = misfitsBehind(file, parsed);
    const textEncoding = encoding.unitBytes === 2 ? 'utf-8' : encoding.name;
    moveOn(file, {
      byte: toByte,
      print,
      line: nextLine,
      problem: whyStopped(there, parsed, bytes, textEncoding, misfits) ?? file.problem,
      isDropping: frame.isDropping && !isRest,
      isCut: (isLast && stoppedAt === null) || (isRest && frame.isDropping),
      kinds: parsed.kinds,
      lastMs: parsed.lastMs,
      carry: parsed.carry ?? '',
      misfits,
      rowsRead: parsed.rowsRead,
      linesRefused: parsed.linesRefused,
      rowsShared: countSharedStamps(parsed, file.lastMs),
    });
    const hasGrown = isRest && !isLineEnd(raw.subarray(0, frame.droppedBytes));
    return {
      frame: isRest ? { ...frame, droppedBytes: 0 } : frame,
      hasGrown,
      taken,
      parsed,
      isMore: sizeBytes > seenBytes,
      isAll: stoppedAt === null && fromByte + raw.length >= (file.seen?.sizeBytes ?? Number.POSITIVE_INFINITY),
      layout: file.layout,
    };
  });
}

/** Count the lines at the end that do not fit, over the blocks: a line that the tool has just written is a block of its own. */
function misfitsBehind({ misfits }: WatchedFile, { rowsRead, misfitsAtEnd }: ParsedBlock): number {
  return (misfitsAtEnd === rowsRead ? misfits : 0) + misfitsAtEnd;
}

/** True for the rest of a file to which nothing more comes. */
function isFinished(
  handle: OpenFile,
  { path, byte, seen, stopAt, grownMs }: WatchedFile,
  rest: number,
  lastLines: Pick<LastLines, 'isFinal'>,
) {
  const isEnd = rest > 0 && rest < LINE_BYTES_MAX && byte + rest === Math.min(seen?.sizeBytes ?? 0, stopAt);
  if (!isEnd) return false;
  const { sizeBytes, modifiedMs } = handle.facts();
  return sizeBytes === byte + rest && lastLines.isFinal({ path, sizeBytes, modifiedMs, grownMs });
}

/** Nothing but a line end, in any encoding. */
function isLineEnd(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 10 || byte === 13 || byte === 0);
}

/** Leave out the lines before the data, when the block begins before them. */
function withoutHeader(frame: Frame, headerEndByte: number): { bytes: Uint8Array; skipped: LinePlace[]; frame: Frame } {
  let at = 0;
  const skipped: LinePlace[] = [];
  while (at < frame.bytes.length && frame.fileByteOf(at) < headerEndByte) {
    const end = frame.bytes.indexOf(10, at) + 1;
    skipped.push([at, end]);
    at = end;
  }
  const begin = at;
  const shifted: Frame = { ...frame, fileByteOf: (place) => frame.fileByteOf(begin + place) };
  return { bytes: frame.bytes.subarray(at), skipped, frame: shifted };
}
