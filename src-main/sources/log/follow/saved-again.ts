// A log that was saved again by an editor or a spreadsheet, or of which old lines were cut away at its head: other bytes, the
// same rows. They must not go out a second time. The witnesses that it is the same log are its path and columns, that it begins
// within the time that was read, and that the instant of the last row that was read stands in it.
//
// Bound: that row is searched in the first 64 MiB. Stamps that hang on a start tell nothing.
import { readRange } from '../../../platform/read-range.ts';
import { encodingOf } from '../cells/encoding.ts';
import { type Frame, frameLines, LINE_BYTES_MAX } from '../cells/framer.ts';
import { goOnAt } from '../files/file-changes.ts';
import { takeFingerprint } from '../files/file-identity.ts';
import { birthPath, isProved, type WatchedFile } from '../files/watched-file.ts';
import { type Folder, withFile } from '../files/with-file.ts';
import type { Layout } from '../parse/layout.ts';
import type { LineParser } from '../parse/parsed-block.ts';

const SEARCHED_BYTES = 64 * 1024 * 1024;

/**
 * Read a log that was saved again on from behind the rows that were read of it before.
 *
 * @param file - the file as it was opened; nothing was read of it.
 * @param earlier - what was read at its path before.
 * @returns true when it goes on there; false when it may be another log.
 */
export function goOnBehind(file: WatchedFile, earlier: WatchedFile, folder: Folder): boolean {
  const { layout, parser } = file;
  if (layout === null || parser === null || !mayHoldRows(file, layout, earlier)) return false;
  const found = withFile(folder, file, (handle) => {
    const encoding = encodingOf(layout.encoding);
    const end = Math.min(handle.facts().sizeBytes, SEARCHED_BYTES);
    let byte = file.dataByte;
    let behind = 0;
    while (byte < end) {
      const frame = frameLines(readRange(handle, byte, Math.min(LINE_BYTES_MAX, end - byte)), byte, encoding);
      if (frame.takenBytes === 0) break;
      behind = endOfRow(frame, parser, file, earlier.lastMs) ?? behind;
      byte += frame.takenBytes;
    }
    const print = behind === 0 ? null : takeFingerprint(handle, behind, file.dataByte);
    return print === null ? null : { byte: behind, print };
  });
  if (found === null || typeof found === 'string') return false;
  goOnAt(file, found.byte, found.print, earlier.lastMs);
  return true;
}

function mayHoldRows(file: WatchedFile, layout: Layout, earlier: WatchedFile): boolean {
  const { firstMs, byte, skip, path } = file;
  // What a rotation moved or copied is known by its bytes.
  const isInPlace = path === birthPath(file) && earlier.path === path && earlier.goneMs !== null;
  const columnsOf = ({ columns }: Layout) => JSON.stringify(columns.map(({ name, unit }) => [name, unit]));
  const isDated = layout.startMs === null && layout.dayMs === null;
  const isWithin = earlier.firstMs <= firstMs && firstMs < earlier.lastMs;
  const isSame = earlier.layout !== null && columnsOf(earlier.layout) === columnsOf(layout);
  return isInPlace && byte === 0 && skip === null && isProved(earlier) && isDated && isWithin && isSame;
}

/** The byte of the file behind the last row of an instant; null: no line of these has it. */
function endOfRow(
  { bytes, fileByteOf }: Frame,
  parser: LineParser,
  { kinds, path }: WatchedFile,
  timeMs: number,
): number | null {
  const instantOf = (text: Uint8Array) =>
    parser.parse({ bytes: text, place: path, line: null, sinceMs: -Infinity, fileByteOf }, kinds, Number.NaN);
  if (!instantOf(bytes).timesMs.includes(timeMs)) return null;
  let end: number | null = null;
  for (let begin = 0; begin < bytes.length; ) {
    const feed = bytes.indexOf(10, begin);
    const next = feed === -1 ? bytes.length : feed + 1;
    if (instantOf(bytes.subarray(begin, next)).timesMs.includes(timeMs)) end = fileByteOf(next);
    begin = next;
  }
  return end;
}
