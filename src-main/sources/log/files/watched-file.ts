// One file of a watched folder, as one identity: what is read of it, and how.
import { z } from 'zod';
import type { Position } from '../../source.ts';
import { type Era, packEra, StoredEra, unpackEra } from '../parse/eras.ts';
import { type ColumnKind, isStreamed, type Layout, packKinds, unpackKinds } from '../parse/layout.ts';
import type { LineParser } from '../parse/parsed-block.ts';
import type { ByteRange } from './byte-ranges.ts';
import { Fingerprint, NO_FINGERPRINT } from './file-identity.ts';
import type { Entry } from './folder-scan.ts';

/** Key of the mark that says the folder was surveyed once: files without a position are new since then. */
export const FOLDER_KEY = '@folder';
/** Key of the channel names given so far. */
export const NAMES_KEY = '@names';
/** Key of what the queue has lost of files, and is read again; the queue writes it (queue/store/repair/salvage.ts). */
export const REREAD_KEY = '@reread';
/** Keys of layouts begin so; files cite them, so that a wide header is not written with every position. */
export const LAYOUT_PREFIX = '@layout:';
/** Whole: a file may be called as it likes, but its key ends with its number. */
const LAYOUT_KEY = /^@layout:[0-9a-f]{16}:[0-9a-f]{16}$/;

export function isLayoutKey(key: string): boolean {
  return LAYOUT_KEY.test(key);
}

/** True for the position of a file; false for those of the folder as a whole. */
export function isFilePosition(key: string): boolean {
  return key !== FOLDER_KEY && key !== NAMES_KEY && key !== REREAD_KEY && !isLayoutKey(key);
}

/** What a position says, as JSON. */
export const StoredFile = z.object({
  path: z.string(),
  /** Bytes of the file that are read and committed. */
  byte: z.int().nonnegative(),
  /** Lines before it; null when the file was taken up in the middle. */
  line: z.int().nullable(),
  dataByte: z.int(),
  print: Fingerprint,
  layout: z.string().nullable(),
  kinds: z.string(),
  /** Instant of the last line, to settle the hour that comes twice; null before the first. */
  lastMs: z.number().nullable(),
  /** What its parser must know of the lines before besides; empty: nothing. */
  carry: z.string().default(''),
  firstMs: z.number().nullable(),
  isDropping: z.boolean(),
  /** Its last line was taken without a line end. */
  isCut: z.boolean().default(false),
  copyOf: z.string().nullable(),
  lookedMs: z.number(),
  /** Wall clock of the last look that found it read to its end, or not there yet; 0: of none. */
  endedMs: z.number().default(0),
  /** As it was found when it was last looked at; null: not known. */
  seen: z
    .object({ sizeBytes: z.number(), modifiedMs: z.number(), id: z.string().default('') })
    .nullable()
    .default(null),
  /** What stood in it when the folder was first looked at, and is not read; null: it was opened, then or since. */
  skip: z.object({ bytes: z.int(), modifiedMs: z.number() }).nullable().default(null),
  /** Bytes that were skipped and can be read later, rising. */
  unread: z.array(z.tuple([z.int(), z.int()])).default([]),
  /** How far the reading of the first of them has come, to go on with; null: not begun. */
  fill: z
    .object({
      byte: z.int(),
      line: z.int().nullable(),
      kinds: z.string(),
      lastMs: z.number().nullable(),
      carry: z.string().default(''),
    })
    .nullable()
    .default(null),
  /** Since when it is no longer there, Unix ms; null: it is. */
  goneMs: z.number().nullable().default(null),
  /** Its layouts by the byte from which each holds; empty: one for all of it. */
  eras: z.array(StoredEra).default([]),
  /** A person said that it is not to be read. */
  isLeftOut: z.boolean().default(false),
  /** It stands under a name that the match leaves out. */
  isOutside: z.boolean().default(false),
  /** What the last look found of it is not believed. */
  isInDoubt: z.boolean().default(false),
});
export type StoredFile = z.infer<typeof StoredFile>;

/** Read everywhere, changed by file-changes.ts alone. */
export interface WatchedFile {
  readonly key: string;
  readonly path: string;
  readonly byte: number;
  readonly line: number | null;
  readonly dataByte: number;
  readonly print: Fingerprint;
  readonly layoutKey: string | null;
  readonly layout: Layout | null;
  readonly parser: LineParser | null;
  readonly kinds: readonly ColumnKind[];
  readonly lastMs: number;
  /** What its parser must know of the lines before besides; empty: nothing. */
  readonly carry: string;
  readonly firstMs: number;
  /** Instant of the last line that it held when it was opened; NaN: not known. */
  readonly tailMs: number;
  readonly isDropping: boolean;
  /** Its last line was taken without a line end: what comes next still belongs to that. */
  readonly isCut: boolean;
  /** Key of the file whose content this one repeats; null: none. */
  readonly copyOf: string | null;
  /** Wall clock of the look that found it first, in this run; 0: in an earlier one. */
  readonly foundMs: number;
  /** Wall clock of the last look that found it changed, Unix ms. */
  readonly lookedMs: number;
  /** Wall clock of the last look that found it read to its end, or not there yet, Unix ms; 0: of none. */
  readonly endedMs: number;
  /** It is taken up behind what it held at the first look at the folder, and was not opened yet; null: it was. */
  readonly skip: StoredFile['skip'];
  /** Bytes that were skipped and can be read later, rising. */
  readonly unread: readonly ByteRange[];
  /** How far the reading of the first of them has come; null: not begun. */
  readonly fill: PartState | null;
  /** Since when it is no longer there, Unix ms; null: it is. */
  readonly goneMs: number | null;
  /** As the last look found it; null before the first. */
  readonly seen: Entry | null;
  /** What stood at its path, longer, when it last could not be opened, and when that was; null: it was opened since. */
  readonly unopened: { readonly entry: Entry; readonly nowMs: number } | null;
  /** What the last look found of it is not believed any more: the next one judges it again, whatever it shows. */
  readonly isInDoubt: boolean;
  /** Bytes of it that were read when it was last looked at; 0 at a start. */
  readonly seenByte: number;
  /** Wall clock of the look at which it had grown since the look before, in this run; 0: at none. */
  readonly grownMs: number;
  /** It was renamed to a name that the match leaves out, and is followed until it is read to its end. */
  readonly isOutside: boolean;
  /** Something of it changed since its position was last committed, such as its path or its original. */
  readonly isUncommitted: boolean;
  /** Monotonic ms since which it is found shorter than read; null: it is not. */
  readonly shrunkSinceMs: number | null;
  /** It was cut to nothing, and nothing else was seen in it since: what it held stands in a copy of it, or nowhere. */
  readonly isEmptied: boolean;
  /** Rows before this byte are older than the agent's start. */
  readonly backfillUntil: number;
  /** Reading ends at this byte (drain); Infinity: no end. */
  readonly stopAt: number;
  /** Size at which recognition last failed; it is tried again when the file has grown. */
  readonly triedAtBytes: number;
  /** Recognition was tried again because another file settled the date order. */
  readonly isRetried: boolean;
  /** Why it cannot be read; null: it can. */
  readonly problem: Problem | null;
  /** Its layouts by the byte from which each holds, rising; empty: one for all of it. */
  readonly eras: readonly Era[];
  /** A person said that it is not to be read. */
  readonly isLeftOut: boolean;
  /** Lines of data one behind the other, up to where it is read, that did not fit; and all lines read and refused in this run. */
  readonly misfits: number;
  readonly linesRead: number;
  readonly linesRefused: number;
  /** Rows read in this run that have the stamp of the row before. */
  readonly rowsShared: number;
}

/** Why a file cannot be read on. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  /** Where its columns change or its time begins again, and the number of that line from 1 (null: not counted). */
  readonly at?: { readonly byte: number; readonly line: number | null };
}

/** How far a piece of a file has come. */
export interface PartState {
  readonly byte: number;
  readonly line: number | null;
  readonly kinds: readonly ColumnKind[];
  /** Instant of the last line before it; NaN: none. */
  readonly lastMs: number;
  readonly carry: string;
}

/** The path under which the file was first seen: its names and its family go by that, wherever it was moved since. */
export function birthPath({ key }: Pick<WatchedFile, 'key'>): string {
  return key.slice(0, key.lastIndexOf('@'));
}

/** Which file of the path under which it was first seen it is, from 1. */
export function generationOf({ key }: Pick<WatchedFile, 'key'>): number {
  return Number(key.slice(key.lastIndexOf('@') + 1));
}

/** Begin with a file that has no position. */
export function newFile(key: string, path: string): WatchedFile {
  return {
    key,
    path,
    byte: 0,
    line: 0,
    dataByte: 0,
    print: NO_FINGERPRINT,
    layoutKey: null,
    layout: null,
    parser: null,
    kinds: [],
    lastMs: Number.NaN,
    carry: '',
    firstMs: Number.NaN,
    tailMs: Number.NaN,
    isDropping: false,
    isCut: false,
    copyOf: null,
    foundMs: 0,
    lookedMs: 0,
    endedMs: 0,
    isInDoubt: false,
    seenByte: 0,
    skip: null,
    unread: [],
    fill: null,
    goneMs: null,
    seen: null,
    unopened: null,
    grownMs: 0,
    isOutside: false,
    isUncommitted: false,
    shrunkSinceMs: null,
    isEmptied: false,
    backfillUntil: 0,
    stopAt: Number.POSITIVE_INFINITY,
    triedAtBytes: -1,
    isRetried: false,
    problem: null,
    eras: [],
    isLeftOut: false,
    misfits: 0,
    linesRead: 0,
    linesRefused: 0,
    rowsShared: 0,
  };
}

/** Lines refused from which on, and share of all lines from which on, a file is not read as it should be. */
const REFUSED_MANY = 10;
const REFUSED_SHARE = 0.05;

/** True for a file of which so much is refused that a person must look. */
export function isMuchRefused({ linesRead, linesRefused }: Pick<WatchedFile, 'linesRead' | 'linesRefused'>): boolean {
  return linesRefused >= REFUSED_MANY && linesRefused > linesRead * REFUSED_SHARE;
}

/** Rows with the stamp of the row before from which on, and share of all lines from which on, it is no chance. */
const SHARED_MANY = 10;
const SHARED_SHARE = 0.05;

/** True for a file whose rows come faster than its stamps tell. */
export function hasSharedStamps({ linesRead, rowsShared }: Pick<WatchedFile, 'linesRead' | 'rowsShared'>): boolean {
  return rowsShared >= SHARED_MANY && rowsShared > linesRead * SHARED_SHARE;
}

/** Take a file up again from its committed position. The layout is linked by the caller. */
export function restoreFile(key: string, stored: StoredFile): WatchedFile {
  return {
    ...newFile(key, stored.path),
    byte: stored.byte,
    backfillUntil: stored.byte,
    line: stored.line,
    dataByte: stored.dataByte,
    print: stored.print,
    layoutKey: stored.layout,
    kinds: unpackKinds(stored.kinds),
    lastMs: stored.lastMs ?? Number.NaN,
    carry: stored.carry,
    firstMs: stored.firstMs ?? Number.NaN,
    isDropping: stored.isDropping,
    isCut: stored.isCut,
    copyOf: stored.copyOf,
    lookedMs: stored.lookedMs,
    endedMs: stored.endedMs,
    seen: stored.seen === null ? null : { path: stored.path, ...stored.seen },
    skip: stored.skip,
    unread: stored.unread,
    fill:
      stored.fill === null
        ? null
        : { ...stored.fill, kinds: unpackKinds(stored.fill.kinds), lastMs: stored.fill.lastMs ?? Number.NaN },
    goneMs: stored.goneMs,
    eras: stored.eras.map(unpackEra),
    isLeftOut: stored.isLeftOut,
    isOutside: stored.isOutside,
    isInDoubt: stored.isInDoubt,
  };
}

function seenOf({ seen }: WatchedFile): StoredFile['seen'] {
  return seen === null ? null : { sizeBytes: seen.sizeBytes, modifiedMs: seen.modifiedMs, id: seen.id };
}

/** The position of a file as it stands now. */
export function positionOf(file: WatchedFile): Position {
  const numberOrNull = (value: number) => (Number.isNaN(value) ? null : value);
  const stored: z.input<typeof StoredFile> = {
    path: file.path,
    byte: file.byte,
    line: file.line,
    dataByte: file.dataByte,
    print: file.print,
    layout: file.layoutKey,
    kinds: packKinds(file.kinds),
    lastMs: numberOrNull(file.lastMs),
    carry: file.carry,
    firstMs: numberOrNull(file.firstMs),
    isDropping: file.isDropping,
    isCut: file.isCut,
    copyOf: file.copyOf,
    lookedMs: file.lookedMs,
    endedMs: file.endedMs,
    seen: seenOf(file),
    skip: file.skip,
    unread: file.unread.map(([from, to]) => [from, to]),
    fill:
      file.fill === null
        ? null
        : { ...file.fill, kinds: packKinds(file.fill.kinds), lastMs: numberOrNull(file.fill.lastMs) },
    goneMs: file.goneMs,
    eras: file.eras.map(packEra),
    isLeftOut: file.isLeftOut,
    isOutside: file.isOutside,
    isInDoubt: file.isInDoubt,
  };
  return { key: file.key, value: JSON.stringify(stored) };
}

/**
 * True when data of a file were read, so that its content tells which file it is. Until then it is whatever its path leads to:
 * names of columns are the same in many files, and an object number is given again at once.
 */
export function isProved({ byte, dataByte }: Pick<WatchedFile, 'byte' | 'dataByte'>): boolean {
  return byte > dataByte;
}

/** Of the files that began where this one did: the latest before it of which it is known how it was read. */
export function formerOf(file: WatchedFile, born: Iterable<WatchedFile>): WatchedFile | undefined {
  return [...born]
    .filter((one) => generationOf(one) < generationOf(file) && one.layout !== null)
    .sort((a, b) => generationOf(a) - generationOf(b))
    .at(-1);
}

/** When the last file of each log of which data were read was last changed, Unix ms, by the name of the log. */
export function provedMsByLog(files: Iterable<WatchedFile>): Map<string, number> {
  const provedMs = new Map<string, number>();
  for (const file of files) {
    if (!isProved(file) || file.seen === null) continue;
    const born = birthPath(file);
    provedMs.set(born, Math.max(file.seen.modifiedMs, provedMs.get(born) ?? Number.NEGATIVE_INFINITY));
  }
  return provedMs;
}

/** Names within the file of the columns that carry points. */
export function streamedNames({ layout, kinds }: Pick<WatchedFile, 'layout' | 'kinds'>): string[] {
  return (layout?.columns ?? []).flatMap(({ name }, index) => (isStreamed(kinds[index]) ? [name] : []));
}

/** True when nothing waits in a file as it was seen: all of it is read, or it was looked into and holds no data yet. */
export function isAtEnd({ byte, seen, layout, problem, triedAtBytes }: WatchedFile): boolean {
  const bytes = seen?.sizeBytes ?? 0;
  return byte >= bytes || (layout === null && problem === null && triedAtBytes === bytes);
}

/** True for a file that holds something and could not be opened at this look. */
export function isUnopened({ layout, problem, isLeftOut, copyOf, skip, seen, triedAtBytes }: WatchedFile): boolean {
  const isWanted = layout === null && problem === null && !isLeftOut && copyOf === null && skip === null;
  return isWanted && triedAtBytes === -1 && seen !== null && seen.sizeBytes > 0;
}
