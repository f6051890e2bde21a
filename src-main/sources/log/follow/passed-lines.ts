// Lines of data above the rows of a file: a person has said that they are skipped. They are not lost in silence: a receipt
// lists them with what was refused.
import { Buffer } from 'node:buffer';
import { decodeText, encodingOf } from '../cells/encoding.ts';
import type { Frame } from '../cells/framer.ts';
import type { WatchedFile } from '../files/watched-file.ts';
import { isDataLine } from '../parse/data-line.ts';
import type { ParsedBlock } from '../parse/parsed-block.ts';
import { RefusalList } from '../parse/refusal-list.ts';

/** Where a line begins and ends. */
export type LinePlace = readonly [begin: number, end: number];

const PASSED = 'stands above the rows: skipped, as the settings say (preamble)';

/**
 * Add the lines of data above the rows to what was refused of a block.
 *
 * @param parsed - what the block gave.
 * @param skipped - the lines above the rows, as places in the frame.
 * @param file - its place before the block.
 */
export function withPassed(
  parsed: ParsedBlock,
  skipped: readonly LinePlace[],
  frame: Frame,
  { path, line, layout }: WatchedFile,
): ParsedBlock {
  const encoding = encodingOf(layout?.encoding ?? 'utf-8');
  const list = new RefusalList();
  const block = {
    bytes: frame.bytes,
    place: path,
    line: line === null ? null : line + 1,
    fileByteOf: frame.fileByteOf,
  };
  for (const [index, [begin, end]] of skipped.entries()) {
    const name = encoding.unitBytes === 2 ? 'utf-8' : encoding.name;
    const text = decodeText(frame.bytes.subarray(begin, end), name).trim();
    if (isDataLine(text)) list.add(block, index, begin, begin + Buffer.byteLength(text), '', PASSED, name);
  }
  const { refusals, refusedCount } = parsed;
  return { ...parsed, refusals: [...list.listed, ...refusals], refusedCount: list.count + refusedCount };
}
