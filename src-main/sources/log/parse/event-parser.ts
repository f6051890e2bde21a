// Lines of an event log to marks. Pure, like the row parser: the same bytes give the same marks.
import { MARK_TEXT_MAX, type Mark } from '../../../model/marks.ts';
import { splitCells } from '../cells/cells.ts';
import { decodeText } from '../cells/encoding.ts';
import { tellHeader } from './header-again.ts';
import type { ColumnKind, Layout } from './layout.ts';
import { LineClock } from './line-clock.ts';
import type { Block, LineParser, ParsedBlock } from './parsed-block.ts';
import { RefusalList } from './refusal-list.ts';

/** Reads event logs. A line is a mark as soon as it has a stamp; how many cells it has does not matter. */
export class EventParser implements LineParser {
  readonly #layout: Layout;
  readonly #clock: LineClock;
  readonly #textEncoding: string;
  readonly #cellStart: Int32Array;
  readonly #cellEnd: Int32Array;

  constructor(layout: Layout) {
    this.#layout = layout;
    this.#clock = new LineClock(layout);
    this.#textEncoding = /^utf-?16/i.test(layout.encoding) ? 'utf-8' : layout.encoding;
    const cells = Math.max(0, ...layout.timeColumns) + 1;
    this.#cellStart = new Int32Array(cells);
    this.#cellEnd = new Int32Array(cells);
  }

  parse(block: Block, kinds: readonly ColumnKind[], formerMs: number): ParsedBlock {
    const { bytes } = block;
    const refusals = new RefusalList();
    const marks: Mark[] = [];
    let rowsRead = 0;
    let lines = 0;
    let lastMs = formerMs;
    let stampsTwice = 0;
    let stampsNever = 0;
    let stoppedAt: number | null = null;
    this.#clock.begin(block.carry ?? '');
    for (let begin = 0; begin < bytes.length; lines++) {
      const feed = bytes.indexOf(10, begin);
      const end = feed === -1 ? bytes.length : feed;
      const start = begin;
      begin = end + 1;
      const text = decodeText(bytes.subarray(start, end), this.#textEncoding).replace(/^\uFEFF+/, '');
      if (this.#isNoEvent(text)) continue;
      const cells = splitCells(text.trimEnd(), this.#layout.delimiter);
      if (!this.#readStamp(cells)) {
        if (tellHeader(text.trim(), this.#layout) === 'header') continue;
        rowsRead += 1;
        refusals.add(block, lines, start, end, '', 'no time stamp', this.#textEncoding);
        continue;
      }
      const timeMs = this.#clock.instantOf(lastMs);
      if (this.#clock.openHour !== null) {
        stoppedAt = start;
        break;
      }
      lastMs = timeMs;
      if (timeMs < block.sinceMs) continue;
      rowsRead += 1;
      if (this.#clock.kind === 'twice') stampsTwice += 1;
      else if (this.#clock.kind === 'never') stampsNever += 1;
      const line = block.line === null ? null : block.line + lines;
      marks.push({
        timeMs,
        text: cutText(this.#textOf(text, cells)),
        place: block.place,
        line,
        byte: block.fileByteOf(start),
      });
    }
    return {
      timesMs: new Float64Array(),
      values: new Float64Array(),
      columns: [],
      marks,
      kinds,
      rowsRead,
      lines,
      refusals: refusals.listed,
      refusedCount: refusals.count,
      lastMs,
      numbersLeftOut: [],
      linesRefused: 0,
      misfitsAtEnd: 0,
      isMisfit: false,
      stoppedAt,
      ...(stoppedAt !== null && this.#clock.openHour !== null && { openHour: this.#clock.openHour }),
      ...(this.#clock.carry !== '' && { carry: this.#clock.carry }),
      stampsTwice,
      stampsNever,
    };
  }

  #isNoEvent(text: string): boolean {
    const { comment } = this.#layout;
    return text.trim() === '' || (comment !== null && text.startsWith(comment));
  }

  #readStamp(cells: readonly string[]): boolean {
    const encoder = new TextEncoder();
    const joined = encoder.encode(cells.slice(0, this.#cellStart.length).join('\n'));
    let place = 0;
    for (let column = 0; column < this.#cellStart.length; column++) {
      const stop = joined.indexOf(10, place);
      const end = stop === -1 ? joined.length : stop;
      this.#cellStart[column] = Math.min(place, joined.length);
      this.#cellEnd[column] = end;
      place = end + 1;
    }
    return this.#clock.read(joined, this.#cellStart, this.#cellEnd);
  }

  /** The cells that are its text. A line with other cells than the header names is kept as it stands: its text held a separator. */
  #textOf(line: string, cells: readonly string[]): string {
    const { eventText, columns, timeColumns, delimiter } = this.#layout;
    const named = eventText ?? [];
    const isTable = named.length > 0 && cells.length === columns.length;
    if (!isTable) {
      const rest = restOf(line, timeColumns, delimiter);
      if (rest !== null) return rest;
    }
    return cells
      .filter((_, index) => !timeColumns.includes(index) && (!isTable || named.includes(index)))
      .filter((cell) => cell !== '')
      .join(' | ');
  }
}

/** What follows the stamp of a line, unaltered; null where the stamp does not come first or a quote stands in the line. */
function restOf(line: string, timeColumns: readonly number[], delimiter: string): string | null {
  if (timeColumns.some((column, index) => column !== index) || line.includes('"')) return null;
  if (delimiter === 'whitespace' || delimiter === 'wide') {
    const gap = delimiter === 'wide' ? /[ \t]{2,}|\t/ : /[ \t]+/;
    let rest = line.trim();
    for (const _ of timeColumns) {
      const found = gap.exec(rest);
      rest = found === null ? '' : rest.slice(found.index + found[0].length);
    }
    return rest;
  }
  let at = 0;
  for (const _ of timeColumns) {
    const stop = line.indexOf(delimiter, at);
    at = stop === -1 ? line.length : stop + delimiter.length;
  }
  return line.slice(at).trim();
}

function cutText(text: string): string {
  return text.length <= MARK_TEXT_MAX ? text : `${text.slice(0, MARK_TEXT_MAX - 3)}...`;
}
