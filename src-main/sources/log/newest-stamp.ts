// The newest line of a log against the clock of this PC: where the zone is wrong, that tells it before anything is recorded.
import type { Files } from '../../platform/files.ts';
import { readRange } from '../../platform/read-range.ts';
import { decodeText, encodingOf } from './cells/encoding.ts';
import { frameLines } from './cells/framer.ts';
import { makeParser } from './parse/make-parser.ts';
import type { Recognised } from './recognise/recognised.ts';
import { FIT_MS, fittingZones } from './time/fitting-zones.ts';

/** Of the end of the file, so much is read. */
const TAIL_BYTES = 64 * 1024;
/** Rows that are compared. */
const ROWS = 5;
/** A file that was changed longer ago is not being written: its last change may be that of a copy, milliseconds. */
const LIVE_MS = 10 * 60_000;

/** What the newest line says, where it contradicts the clock. */
export interface ClockDoubt {
  readonly stampMs: number;
  /** When it was written, by the clock of this PC. */
  readonly writtenMs: number;
  /** Zones in which it would fit, the likeliest first; empty: the zone is not what is wrong. */
  readonly zones: readonly string[];
}

interface Looked {
  readonly files: Pick<Files, 'open'>;
  readonly file: string;
  readonly result: Recognised;
  /** In which stamps without a zone were read. */
  readonly timeZone: string;
  readonly nowMs: number;
  /** The same file with another zone; null: it cannot be read so. */
  readonly readIn: (zone: string) => Recognised | null;
}

/**
 * Compare the newest line of a file that is being written with the clock.
 *
 * @returns null: they agree, or nothing can be told (the file rests, or its end holds no stamp).
 */
export function findClockDoubt({ files, file, result, timeZone, nowMs, readIn }: Looked): ClockDoubt | null {
  const { tail, modifiedMs } = readTail(files, file, result);
  const stampMs = newestStamp(result, tail, file);
  if (stampMs === null) return null;
  const isAhead = stampMs - nowMs > FIT_MS;
  const isWritten = nowMs - modifiedMs <= LIVE_MS;
  if (!isAhead && (!isWritten || Math.abs(modifiedMs - stampMs) <= FIT_MS)) return null;
  const writtenMs = Math.min(modifiedMs, nowMs);
  const found = fittingZones(stampMs, writtenMs, timeZone, [Intl.DateTimeFormat().resolvedOptions().timeZone]);
  const [first] = found;
  const other = first === undefined ? null : readIn(first);
  // Stamps that carry a zone of their own are the same in every zone.
  const zones = other !== null && newestStamp(other, tail, file) !== stampMs ? found : [];
  return zones.length > 0 || isAhead ? { stampMs, writtenMs, zones } : null;
}

/** The last rows of a log by two time zones. */
export interface ZoneChange {
  /** Instants by the old zone and by the new one, Unix ms; null: the line has no time. */
  readonly rows: readonly { readonly text: string; readonly oldMs: number | null; readonly timeMs: number | null }[];
  /** When the file was written last, by the clock of this PC. */
  readonly writtenMs: number;
}

/**
 * Read the last rows of a file by two time zones. Takes the files, the file as the new zone reads it and as the old one
 * does, and how much of a line is shown, characters.
 */
export function compareZones(
  files: Pick<Files, 'open'>,
  file: string,
  [old, result]: readonly [Recognised | null, Recognised],
  textMax: number,
): ZoneChange {
  const { tail, modifiedMs } = readTail(files, file, result);
  const encoding = /^utf-?16/i.test(result.layout.encoding) ? 'utf-8' : result.layout.encoding;
  const lines: Uint8Array[] = [];
  for (let to = tail.lastIndexOf(10); to > 0 && lines.length < ROWS; ) {
    const from = tail.lastIndexOf(10, to - 1);
    lines.unshift(tail.subarray(from + 1, to + 1));
    to = from;
  }
  const rows = lines.map((line) => ({
    text: decodeText(line, encoding).trim().slice(0, textMax),
    oldMs: old && newestStamp(old, line, file),
    timeMs: newestStamp(result, line, file),
  }));
  return { rows: rows.filter(({ text }) => text !== ''), writtenMs: modifiedMs };
}

function readTail(
  files: Pick<Files, 'open'>,
  file: string,
  { dataByte, layout }: Recognised,
): { tail: Uint8Array; modifiedMs: number } {
  const handle = files.open(file);
  try {
    const { sizeBytes, modifiedMs } = handle.facts();
    const tail = readRange(handle, Math.max(dataByte, sizeBytes - TAIL_BYTES), TAIL_BYTES);
    return { tail: frameLines(tail, dataByte, encodingOf(layout.encoding)).bytes, modifiedMs };
  } finally {
    handle.close();
  }
}

/** The latest stamp of whole lines at the end of a file, Unix ms; null: there is none. */
function newestStamp({ layout, kinds }: Recognised, tail: Uint8Array, place: string): number | null {
  const [from, to] = [tail.indexOf(10) + 1, tail.lastIndexOf(10) + 1];
  const bytes = tail.subarray(from < to ? from : 0, to);
  if (bytes.length === 0) return null;
  const parsed = makeParser(layout).parse(
    { bytes, place, line: null, sinceMs: -Infinity, carry: '', fileByteOf: (at) => at },
    kinds,
    Number.NaN,
  );
  const times = [...parsed.timesMs, ...parsed.marks.map(({ timeMs }) => timeMs)].filter(Number.isFinite);
  return times.reduce<number | null>((latest, timeMs) => Math.max(latest ?? timeMs, timeMs), null);
}
