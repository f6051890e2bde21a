// What could not be read of a block: all of it counted, the first 100 in full, each up to 200 characters of its text.
import type { Refusal } from '../../source.ts';
import { decodeText } from '../cells/encoding.ts';
import type { Block } from './parsed-block.ts';

/** Refusals kept in full of one block; the count goes on. */
const REFUSALS_MAX = 100;
const REFUSAL_TEXT_MAX = 200;

export class RefusalList {
  readonly listed: Refusal[] = [];
  count = 0;
  #countBefore = 0;
  #listedBefore = 0;
  #marked: [count: number, listed: number] = [0, 0];

  /** Remember where a line begins: one that is refused whole takes back the refusals of its cells. */
  beginLine(): void {
    this.#countBefore = this.count;
    this.#listedBefore = this.listed.length;
  }

  /** Remember where the line begins from which on everything may be taken back. */
  mark(): void {
    this.#marked = [this.#countBefore, this.#listedBefore];
  }

  takeBackToMark(): void {
    [this.count, this.listed.length] = this.#marked;
  }

  /** The line is refused whole: what was said of its cells since `beginLine` goes. */
  takeBackLine(): void {
    this.count = this.#countBefore;
    this.listed.length = this.#listedBefore;
  }

  /** Add a cell or line: its place in the block as bytes, the number of its line in the block, and why. */
  add(
    { bytes, place, line: firstLine, fileByteOf }: Pick<Block, 'bytes' | 'place' | 'line' | 'fileByteOf'>,
    line: number,
    begin: number,
    end: number,
    channel: string,
    reason: string,
    encoding: string,
  ): void {
    this.count += 1;
    if (this.listed.length >= REFUSALS_MAX) return;
    const cut = bytes.subarray(begin, Math.min(end, begin + 4 * REFUSAL_TEXT_MAX));
    this.listed.push({
      place,
      line: firstLine === null ? null : firstLine + line,
      byte: fileByteOf(begin),
      channel,
      text: decodeText(cut, encoding).slice(0, REFUSAL_TEXT_MAX),
      reason,
    });
  }
}
