// Lines to readings. Pure: the same bytes, layout, column kinds and former instant give the same readings, so a block
// read again after a crash is the same block.
//
// Plain cells are read straight from the bytes, the separator found and the number made in one pass. A line with a quote, a
// separator of several characters, or a cell that is no plain number takes the slow way, where every rule is spelled out.
// Rules: a cell is a number as a whole or not at all; an empty cell is no point; anything else in a column of numbers is a
// refusal with its text; a line with another number of cells than the file is refused whole, since its last may be cut.

import { findByte, hasText, indexOrEnd, isNoData, lineEndsOf, searchable, skipMarks } from '../cells/byte-scan.ts';
import { holdsSeveral, mayBeGrouped } from '../cells/cell-shape.ts';
import { splitCells } from '../cells/cells.ts';
import { decodeText } from '../cells/encoding.ts';
import { PlainCells } from '../cells/plain-cells.ts';
import { parseDecimal, parseDecimalText } from '../time/decimal.ts';
import { CellRules, MAY_BE_SHIFTED, NO_NUMBER } from './cell-rules.ts';
import { CODE, KIND } from './column-codes.ts';
import { isDataLine } from './data-line.ts';
import { tellHeader } from './header-again.ts';
import { type ColumnKind, isStreamed, type Layout, widthOf } from './layout.ts';
import { LineClock } from './line-clock.ts';
import { MisfitRun } from './misfit-run.ts';
import type { Block, LineParser, Outcome, ParsedBlock } from './parsed-block.ts';
import { QuotedNotes } from './quoted-lines.ts';
import { RefusalList } from './refusal-list.ts';
import { ShiftedCells } from './shifted-cells.ts';
import { StatusCells } from './status-cells.ts';
import { WordCells } from './word-cells.ts';

/** Why a line of a note is refused. */
const DATE_LATE = 'has the date of the day before, right behind midnight';
const OF_NOTE = 'is of a cell in quotes that a line before it opened';
const NO_NOTE: [end: number, taken: number] = [0, 0];

/** A column whose numbers were all whole so far. */
function isWhole(kind: ColumnKind): boolean {
  return kind === 'whole' || kind === 'affixed-whole';
}

/** The code of such a column once a number has shown the decimal mark. */
function isShown(code: number): boolean {
  return code === KIND.number || code === KIND.affixed;
}

/** The parser of files whose lines are rows of values. */
export class RowParser implements LineParser {
  readonly #layout: Layout;
  readonly #clock: LineClock;
  /** Byte of the separator; -1 when only the slow way can split. */
  readonly #separator: number;
  readonly #plain: PlainCells;
  readonly #rules: CellRules;
  readonly #words: WordCells;
  /** Cells of a line, and of one that is whole. */
  readonly #width: number;
  readonly #least: number;
  readonly #hasWords: boolean;
  readonly #statuses: StatusCells;
  readonly #notes: QuotedNotes;
  readonly #shifted: ShiftedCells;
  readonly #comment: Uint8Array;
  readonly #isHeaderRemark: boolean;
  readonly #textEncoding: string;
  readonly #otherMark: number;
  readonly #cellStart: Int32Array;
  readonly #cellEnd: Int32Array;

  // What the block being read has given so far.
  #block: Block = { bytes: new Uint8Array(), place: '', line: null, sinceMs: -Infinity, fileByteOf: (at) => at };
  #codes = new Uint8Array();
  #refusals = new RefusalList();
  /** Columns of which this line tells what they hold, and what was known of them before. */
  readonly #shown: { readonly column: number; readonly former: number }[] = [];
  #numbersLeftOut = new Map<number, number>();
  /** Where in a row of values each column stands; -1: nowhere. */
  #outOf = new Int32Array();
  /** Values of a row. */
  #outs = 0;
  /** A cell of the line is a number with the other decimal mark, or with another unit behind it. */
  #isAltered = false;
  /** A cell of the line, of a column of numbers, holds several: another separator than the file's cuts it. */
  #isCutElsewhere = false;
  /** A number of the block may be a thousand times as large. */
  #isDoubted = false;
  /** The line as it stands, when it is read the slow way. */
  #slowText: string | null = null;
  /** The line ends inside a cell in quotes. */
  #isQuoteOpen = false;

  constructor(layout: Layout) {
    this.#layout = layout;
    this.#clock = new LineClock(layout);
    const { delimiter } = layout;
    const isSimple = delimiter.length === 1 && delimiter.charCodeAt(0) < 128;
    // A comma between numbers with a decimal comma: every such number stands in quotes.
    this.#separator = isSimple && delimiter !== layout.decimal ? delimiter.charCodeAt(0) : -1;
    this.#comment = new TextEncoder().encode(layout.comment ?? '');
    this.#isHeaderRemark = layout.comment !== null && layout.headerText.startsWith(layout.comment);
    this.#textEncoding = /^utf-?16/i.test(layout.encoding) ? 'utf-8' : layout.encoding;
    this.#otherMark = layout.decimal === '.' ? 44 : 46;
    this.#rules = new CellRules(layout, this.#textEncoding);
    this.#plain = new PlainCells(this.#separator, layout.decimal.charCodeAt(0), this.#rules);
    this.#words = new WordCells(layout, this.#textEncoding);
    this.#hasWords = layout.masks.length + layout.affixes.length > 0;
    this.#width = widthOf(layout);
    this.#least = layout.leastCells ?? this.#width;
    this.#statuses = new StatusCells(layout);
    this.#shifted = new ShiftedCells(layout);
    this.#notes = new QuotedNotes(delimiter, this.#least, this.#width);
    this.#cellStart = new Int32Array(this.#width);
    this.#cellEnd = new Int32Array(this.#width);
  }

  parse(block: Block, kinds: readonly ColumnKind[], formerMs: number): ParsedBlock {
    // A column that was only empty and now shows a number or a text settles its kind for the whole block: read again. So does one
    // of whole numbers that shows the decimal mark of the file.
    let settled = [...kinds];
    for (;;) {
      const parsed = this.#parseOnce(block, settled, formerMs);
      // What is in doubt on one line another one may settle.
      const isTold = parsed !== null && this.#isDoubted && this.#showsMark();
      if (parsed !== null && !isTold) return parsed;
      const isMarkShown =
        isTold || settled.some((kind, column) => isWhole(kind) && isShown(this.#codes[column] as number));
      settled = settled.map((kind, column) => {
        if (isMarkShown && isWhole(kind)) return kind === 'whole' ? 'number' : 'affixed';
        return column >= this.#width || this.#codes[column] === CODE[kind] ? kind : this.#kindOf(column);
      });
    }
  }

  #kindOf(column: number): ColumnKind {
    const code = this.#codes[column];
    return code === KIND.number ? 'number' : code === KIND.whole ? 'whole' : 'text';
  }

  #parseOnce(block: Block, kinds: readonly ColumnKind[], formerMs: number): ParsedBlock | null {
    const { bytes } = block;
    this.#block = block;
    this.#codes = Uint8Array.from(kinds.slice(0, this.#width), (kind) => CODE[kind]);
    this.#refusals = new RefusalList();
    this.#shown.length = 0;
    this.#isDoubted = false;
    this.#numbersLeftOut = new Map();
    const columns = kinds.flatMap((kind, column) => (isStreamed(kind) ? [column] : []));
    const width = columns.length;
    this.#outs = width;
    const outOf = new Int32Array(kinds.length).fill(-1);
    columns.forEach((column, out) => {
      outOf[column] = out;
    });
    this.#outOf = outOf;
    const ends = lineEndsOf(bytes);
    const timesMs = new Float64Array(ends.length);
    const values = new Float64Array(ends.length * width);
    const view = searchable(bytes);
    let quote = -1;
    let rows = 0;
    let rowsRead = 0;
    let lineInBlock = 0;
    let lastMs = formerMs;
    let twice = 0;
    let stoppedAt: number | null = null;
    let never = 0;
    let linesRefused = 0;
    const misfits = new MisfitRun(this.#refusals);
    let isMisfit = false;
    const [quotedLines = '', steps = ''] = (block.carry ?? '').split(';');
    const quotedBefore = Number(quotedLines);
    this.#clock.begin(steps);
    let openHour: ParsedBlock['openHour'];
    // Lines up to this one are of a note in quotes.
    let [noteEnd, quoted] = quotedBefore > 0 ? this.#followNote(ends, 0, quotedBefore) : NO_NOTE;
    for (; lineInBlock < ends.length; lineInBlock++) {
      const lineStart = lineInBlock === 0 ? 0 : (ends[lineInBlock - 1] as number) + 1;
      let end = ends[lineInBlock] as number;
      const isCut = end === bytes.length;
      while (end > lineStart && bytes[end - 1] === 13) end -= 1;
      const start = skipMarks(bytes, lineStart, end);
      if (lineInBlock < noteEnd) {
        if (lastMs < block.sinceMs) continue;
        this.#refuse(lineInBlock, start, end, '', OF_NOTE);
        rowsRead += 1;
        linesRefused += 1;
        continue;
      }
      if (isNoData(bytes, start, end, this.#comment)) {
        if (this.#isOtherDay(start, end, lastMs)) {
          stoppedAt = lineStart;
          break;
        }
        // A header that is a remark, or begins with #, may come again with other names.
        if (!this.#isHeaderRemark || this.#tellHeader(start, end) !== 'changed') continue;
        stoppedAt = lineStart;
        break;
      }
      const at = rows * width;
      // The next quote is looked for once it is passed; without one that is once a block.
      if (quote < start) quote = indexOrEnd(view, 34, start);
      const isSlow = this.#separator < 0 || isCut || quote < end;
      this.#refusals.beginLine();
      this.#isAltered = this.#isQuoteOpen = this.#isCutElsewhere = false;
      this.#statuses.beginLine();
      if (this.#hasWords) values.fill(Number.NaN, at, at + width);
      const outcome = isSlow
        ? this.#readSlowly(start, end, lineInBlock, values, at)
        : this.#readPlain(start, end, lineInBlock, values, at);
      if (outcome === 'again') return null;
      // Behind the header that comes again relative times begin again, from where nobody knows.
      if (outcome === 'changed' || (outcome === 'header' && this.#layout.startMs !== null)) {
        stoppedAt = lineStart;
        break;
      }
      if (outcome === 'header') continue;
      if (this.#isQuoteOpen) [noteEnd, quoted] = this.#followNote(ends, lineInBlock + 1, 1);
      if (outcome === 'refused' && this.#isOtherDay(start, end, lastMs)) {
        this.#refusals.takeBackLine();
        stoppedAt = lineStart;
        break;
      }
      rowsRead += 1;
      const refused = outcome === 'refused' ? 1 : 0;
      linesRefused += refused;
      if (refused === 0 && !this.#isAltered) misfits.count = 0;
      else if (this.#isAltered || isDataLine(this.#textOf(start, end))) {
        const given = { rows, rowsRead: rowsRead - 1, linesRefused: linesRefused - refused, lastMs };
        const from = misfits.add({ ...given, line: lineInBlock, lineStart });
        if (from !== null) {
          ({ rows, rowsRead, linesRefused, lastMs, lineStart: stoppedAt, line: lineInBlock } = from);
          isMisfit = true;
          break;
        }
      }
      if (outcome === 'refused') continue;
      const stamp = this.#clock.instantOf(lastMs);
      openHour = this.#clock.openHour ?? undefined;
      if (
        openHour !== undefined ||
        this.#clock.isShorter ||
        (stamp < lastMs && this.#clock.beginsAgain(lastMs - stamp))
      ) {
        this.#refusals.takeBackLine();
        rowsRead -= 1;
        stoppedAt = lineStart;
        break;
      }
      if (stamp < lastMs && this.#clock.isDateLate(lastMs)) {
        this.#refusals.takeBackLine();
        this.#refuse(lineInBlock, start, end, '', DATE_LATE);
        linesRefused += 1;
        continue;
      }
      if (stamp < block.sinceMs) {
        this.#refusals.takeBackLine();
        rowsRead -= 1;
        lastMs = stamp;
        continue;
      }
      if (this.#clock.kind === 'twice') twice += 1;
      else if (this.#clock.kind === 'never') never += 1;
      lastMs = stamp;
      if (outcome === 'empty') continue;
      timesMs[rows] = stamp;
      rows += 1;
    }
    const isQuoteLeft = quoted > 0 && stoppedAt === null;
    const carry = `${isQuoteLeft ? quoted : ''}${this.#clock.carry === '' ? '' : `;${this.#clock.carry}`}`;
    return {
      timesMs: timesMs.subarray(0, rows),
      values: values.subarray(0, rows * width),
      columns,
      marks: [],
      kinds,
      rowsRead,
      lines: lineInBlock,
      refusals: this.#refusals.listed,
      refusedCount: this.#refusals.count,
      lastMs,
      ...(carry !== '' && { carry }),
      numbersLeftOut: [...this.#numbersLeftOut.keys()],
      linesRefused,
      misfitsAtEnd: misfits.count,
      isMisfit,
      stoppedAt,
      ...(openHour !== undefined && { openHour }),
      stampsTwice: twice,
      stampsNever: never,
    };
  }

  /**
   * A line without quotes, cut at a single byte. Plain numbers are read by `PlainCells`, as far as they follow one another;
   * whatever else a cell holds is judged here.
   */
  #readPlain(start: number, end: number, line: number, values: Float64Array, at: number): Outcome {
    const { bytes } = this.#block;
    const codes = this.#codes;
    const separator = this.#separator;
    const plain = this.#plain;
    const width = codes.length;
    plain.begin(start, at);
    let points = 0;
    let column = 0;
    for (;;) {
      column = plain.read(bytes, end, codes, column, values);
      if (column >= width || plain.place > end) break;
      const code = codes[column] as number;
      let begin = plain.place;
      while (bytes[begin] === 32 && begin < end) begin += 1;
      const next = findByte(bytes, begin, end, separator);
      let stop = next;
      while (stop > begin && bytes[stop - 1] === 32) stop -= 1;
      plain.place = next + 1;
      if (code === KIND.time) {
        this.#cellStart[column] = begin;
        this.#cellEnd[column] = stop;
      } else if (code <= KIND.whole) {
        const value = this.#readNumber(column, line, begin, stop);
        values[plain.out++] = value;
        if (!Number.isNaN(value)) points += 1;
      } else if (code >= KIND.affixed) {
        points += this.#readWord(column, line, begin, stop, values, at);
        if (code === KIND.affixed || code === KIND.affixedWhole) plain.out += 1;
      } else if (code !== KIND.skip && begin < stop) {
        this.#lookAtCell(code, column, line, begin, stop);
      }
      column += 1;
    }
    points += plain.points;
    const { place } = plain;
    const isShort = column < this.#least;
    // What a whole line lacks at its end is empty.
    if (column < width && !isShort) values.fill(Number.NaN, plain.out, at + this.#outs);
    const isLong = column === width && place <= end && hasText(bytes, place, end, separator);
    if (this.#statuses.hasBad) points -= this.#takeBad(line, values, at);
    return this.#finish(start, end, line, isShort, isLong, points);
  }

  /** Judge the line as a whole: number of cells first, then the stamp. */
  #finish(start: number, end: number, line: number, isShort: boolean, isLong: boolean, points: number): Outcome {
    const isWhole = !isShort && !isLong && !this.#statuses.isOther && !this.#isCutElsewhere;
    if (isWhole && this.#clock.read(this.#block.bytes, this.#cellStart, this.#cellEnd)) {
      if (this.#shown.length > 0) return 'again';
      return points > 0 ? 'points' : 'empty';
    }
    // What is no row shows nothing of the columns.
    for (const { column, former } of this.#shown.splice(0)) this.#codes[column] = former;
    this.#refusals.takeBackLine();
    const header = this.#tellHeader(start, end);
    if (header !== null) return header;
    const cells = isShort ? 'has fewer cells than the file' : 'has more cells than the file';
    let why = this.#statuses.isOther ? 'names other channels than the file' : 'no time stamp';
    if (this.#isCutElsewhere) why = 'has another separator than the file';
    this.#refuse(line, start, end, '', isShort || isLong ? cells : why);
    return 'refused';
  }

  /** A line among times of day tells a date, and not that of the line before: the times behind it are of that day. */
  #isOtherDay(start: number, end: number, formerMs: number): boolean {
    if (this.#layout.dayMs === null || Number.isNaN(formerMs) || start === end) return false;
    return this.#clock.isOtherDay(this.#textOf(start, end), formerMs);
  }

  /** A cell of numbers that is no plain one: its value, or NaN after having judged it. */
  #readNumber(column: number, line: number, begin: number, end: number): number {
    if (begin === end) return Number.NaN;
    const value = this.#rules.readNumber(this.#block.bytes, begin, end);
    if (this.#codes[column] === KIND.whole && !Number.isNaN(value))
      return this.#readMarked(column, line, begin, end, value, this.#textOf(begin, end));
    if (!Number.isNaN(value) || this.#rules.reason === '') return value;
    this.#refuseCell(line, column, begin, end, this.#rules.reason);
    // A number that is refused for its size is written as all others are.
    const isOther = this.#rules.reason === NO_NUMBER;
    if (isOther && holdsSeveral(this.#textOf(begin, end))) this.#isCutElsewhere = true;
    if (isOther && Number.isFinite(parseDecimal(this.#block.bytes, begin, end, this.#otherMark)))
      this.#isAltered = true;
    return value;
  }

  /** A number in a column of which all were whole so far: it shows the decimal mark of the file, or may be a thousand times as large. */
  #readMarked(column: number, line: number, begin: number, end: number, value: number, text: string): number {
    if (!text.includes(this.#layout.decimal)) return value;
    if (mayBeGrouped(text)) {
      const whole = text.replaceAll(this.#layout.decimal, '');
      this.#refuseCell(line, column, begin, end, `may be ${value} or ${whole}: all numbers before it were whole`);
      this.#isAltered = this.#isDoubted = true;
      return Number.NaN;
    }
    this.#show(column, this.#codes[column] === KIND.whole ? KIND.number : KIND.affixed);
    return value;
  }

  /** Some line of the block shows which mark is the decimal one, in a column of which all numbers were whole before it. */
  #showsMark(): boolean {
    const { decimal, delimiter } = this.#layout;
    const isShown = (cell: string, column: number) => {
      const number = this.#words.numberOf(cell, column);
      const isOpen = this.#codes[column] === KIND.whole || this.#codes[column] === KIND.affixedWhole;
      const isMarked = isOpen && number.includes(decimal) && !mayBeGrouped(number);
      return isMarked && Number.isFinite(parseDecimalText(number, decimal));
    };
    // A sentence among the rows may have as many words as they have cells.
    return decodeText(this.#block.bytes, this.#textEncoding)
      .split('\n')
      .map((line) => splitCells(line, delimiter))
      .some((cells) => cells.some(isShown) && this.#hasStamp(cells));
  }

  #hasStamp(cells: readonly string[]): boolean {
    if (cells.length < this.#least || cells.length > this.#width) return false;
    const encoder = new TextEncoder();
    let place = 0;
    for (const [column, cell] of cells.entries()) {
      this.#cellStart[column] = place;
      this.#cellEnd[column] = place + encoder.encode(cell).length;
      place = (this.#cellEnd[column] as number) + 1;
    }
    return this.#clock.read(encoder.encode(cells.join('\n')), this.#cellStart, this.#cellEnd);
  }

  #show(column: number, code: number): void {
    this.#shown.push({ column, former: this.#codes[column] as number });
    this.#codes[column] = code;
  }

  /** A cell of bits, or of a number with a text around it, or of a status. Gives the number of its points. */
  #readWord(column: number, line: number, begin: number, end: number, values: Float64Array, at: number): number {
    if (begin === end) return 0;
    if (this.#codes[column] === KIND.status) {
      this.#statuses.hear(column, this.#textOf(begin, end), begin, end);
      return 0;
    }
    const outcome = this.#words.read(this.#block.bytes, begin, end, column);
    if (typeof outcome === 'string') {
      this.#refuseCell(line, column, begin, end, outcome);
      const isNumber = /[+\d.,-]/.test(String.fromCharCode(this.#block.bytes[begin] as number));
      if (isNumber && this.#layout.affixes.some((affix) => affix.column === column)) this.#isAltered = true;
      return 0;
    }
    let points = 0;
    for (const [out, value] of outcome.values) {
      const isMarked = this.#codes[column] === KIND.affixedWhole && outcome.number !== undefined;
      const own = isMarked ? this.#readMarked(column, line, begin, end, value, outcome.number) : value;
      values[at + (this.#outOf[out] as number)] = own;
      if (!Number.isNaN(own)) points += 1;
    }
    return points;
  }

  /** Take back the values that the line itself calls bad. Returns how many there were. */
  #takeBad(line: number, values: Float64Array, at: number): number {
    const taken = this.#statuses.take((column, begin, end) => {
      const out = at + (this.#outOf[column] as number);
      if (this.#outOf[column] === -1 || Number.isNaN(values[out] as number)) return 0;
      values[out] = Number.NaN;
      this.#refuseCell(line, column, begin, end, 'has a status that is not one of the good ones');
      return 1;
    });
    if (this.#statuses.isAltered) this.#isAltered = true;
    return taken;
  }

  /** A cell of a column of which nothing is streamed: an open column may show what it holds. */
  #lookAtCell(code: number, column: number, line: number, begin: number, end: number): void {
    const kind = this.#rules.tell(this.#block.bytes, begin, end, code === KIND.open);
    if (code === KIND.open) {
      if (kind === 'token') this.#refuseCell(line, column, begin, end, NO_NUMBER);
      if (kind !== 'number' && kind !== 'state' && kind !== 'text') return;
      // Where one column is known to have the decimal mark of the file, all have.
      const isOpen =
        this.#codes.some((one) => one === KIND.whole || one === KIND.affixedWhole) ||
        !this.#codes.includes(KIND.number);
      const code = this.#layout.isMarkOpen === true && isOpen ? KIND.whole : KIND.number;
      this.#show(column, kind === 'text' ? KIND.text : code);
    } else if (kind === 'number' || kind === 'state') {
      this.#numbersLeftOut.set(column, (this.#numbersLeftOut.get(column) ?? 0) + 1);
      this.#refuseCell(line, column, begin, end, `a ${kind} in a column that is left out as text`);
    }
  }

  /** The complete way: quotes, separators of several characters. */
  #readSlowly(start: number, end: number, line: number, values: Float64Array, at: number): Outcome {
    const outer = this.#block;
    const text = decodeText(outer.bytes.subarray(start, end), this.#textEncoding);
    const cells = splitCells(text, this.#layout.delimiter);
    const width = this.#codes.length;
    const quoting = text.includes('"') ? this.#notes.judge(text) : 'whole';
    this.#isQuoteOpen = quoting === 'open';
    if (quoting === 'stray') {
      const header = tellHeader(text, this.#layout);
      if (header === null) this.#refuse(line, start, end, '', 'holds a quote that opens or closes no cell');
      return header ?? 'refused';
    }
    if (cells.length === 0) {
      this.#refuse(line, start, end, '', 'does not fit the pattern of the dialect');
      return 'refused';
    }
    while (cells.length > width && cells.at(-1) === '') cells.pop();
    while (cells.length >= this.#least && cells.length < width) cells.push('');
    if (cells.length === width && this.#shifted.isShifted(text, cells, this.#codes)) {
      const header = tellHeader(text, this.#layout);
      if (header === null) this.#refuse(line, start, end, '', MAY_BE_SHIFTED);
      return header ?? 'refused';
    }
    // What a quote opens and nothing closes was cut off, and so may be its number.
    if (this.#isQuoteOpen) cells.length = Math.min(cells.length, width) - 1;
    // Put the cells one behind the other, so that the same rules read them; places in the file stay those of the line.
    const joined = new TextEncoder().encode(cells.join('\n'));
    const fileByte = outer.fileByteOf(start);
    this.#block = { ...outer, bytes: joined, fileByteOf: () => fileByte };
    this.#slowText = text;
    let points = 0;
    let place = 0;
    for (let column = 0; column < Math.min(width, cells.length); column++) {
      const stop = findByte(joined, place, joined.length, 10);
      this.#cellStart[column] = place;
      this.#cellEnd[column] = stop;
      const code = this.#codes[column] as number;
      if (code >= KIND.affixed) points += this.#readWord(column, line, place, stop, values, at);
      else if (code <= KIND.whole) {
        const value = this.#readNumber(column, line, place, stop);
        values[at + (this.#outOf[column] as number)] = value;
        if (!Number.isNaN(value)) points += 1;
      } else if (code !== KIND.time && code !== KIND.skip && place < stop) {
        this.#lookAtCell(code, column, line, place, stop);
      }
      place = stop + 1;
    }
    if (this.#statuses.hasBad) points -= this.#takeBad(line, values, at);
    const outcome = this.#finish(0, joined.length, line, cells.length < width, cells.length > width, points);
    this.#block = outer;
    this.#slowText = null;
    return outcome;
  }

  /** The line behind a note that goes on at `from`, and the lines it has taken where the block ends within it (0: it does not). */
  #followNote(ends: Uint32Array, from: number, taken: number): [end: number, taken: number] {
    const lineAt = (index: number) => {
      const line = from + index;
      if (line >= ends.length) return null;
      return this.#textOf(line === 0 ? 0 : (ends[line - 1] as number) + 1, ends[line] as number).replace(/\r+$/, '');
    };
    const { count, isOpen } = this.#notes.follow(lineAt, taken);
    return [from + count, isOpen ? taken + count : 0];
  }

  #tellHeader(start: number, end: number): 'header' | 'changed' | null {
    const text = this.#slowText ?? this.#textOf(start, end);
    return tellHeader(text, this.#layout);
  }

  #textOf(start: number, end: number): string {
    return decodeText(this.#block.bytes.subarray(start, end), this.#textEncoding);
  }

  #refuseCell(line: number, column: number, begin: number, end: number, reason: string): void {
    this.#refuse(line, begin, end, this.#layout.columns[column]?.name ?? '', reason);
  }

  #refuse(line: number, begin: number, end: number, channel: string, reason: string): void {
    this.#refusals.add(this.#block, line, begin, end, channel, reason, this.#textEncoding);
  }
}
