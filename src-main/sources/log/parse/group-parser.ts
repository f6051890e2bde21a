// Lines whose columns do not share one time: a time stands before each group of columns, or rows count from a start that each
// channel has for itself. Pure, like the row parser, with the same rules for cells.

import { decodeText } from '../cells/encoding.ts';
import { parseDecimal } from '../time/decimal.ts';
import { HourWatch } from '../time/hour-watch.ts';
import type { StampReader } from '../time/stamp-reader.ts';
import { compileTimeFormat } from '../time/time-format.ts';
import { ZoneClock } from '../time/zone-clock.ts';
import { CellRules } from './cell-rules.ts';
import { GroupPoints } from './group-points.ts';
import { type ColumnKind, isStreamed, type Layout, type TimeGroup } from './layout.ts';
import { LvmSegments } from './lvm-segments.ts';
import type { Block, LineParser, ParsedBlock } from './parsed-block.ts';
import { beginsAgain, PlainGroups } from './plain-groups.ts';
import { RefusalList } from './refusal-list.ts';

/** What follows the last row of an export. */
const END_OF_FILE = 'EOF';

export class GroupParser implements LineParser {
  readonly #layout: Layout;
  readonly #rules: CellRules;
  readonly #textEncoding: string;
  readonly #separator: number;
  readonly #mark: number;
  /** Where the cells of a line begin and end. */
  #begins: number[] = [];
  #ends: number[] = [];
  readonly #reader: StampReader;
  readonly #zone: ZoneClock;
  /** Stamps of the block in the hour that comes twice, and in the one that does not exist. */
  #twice = 0;
  #never = 0;
  readonly #watch: HourWatch;
  /** The line has a stamp of such an hour, and which instant it is nobody has said. */
  #openHour: ParsedBlock['openHour'];

  constructor(layout: Layout) {
    this.#layout = layout;
    this.#textEncoding = /^utf-?16/i.test(layout.encoding) ? 'utf-8' : layout.encoding;
    this.#rules = new CellRules(layout, this.#textEncoding);
    this.#separator = layout.delimiter.charCodeAt(0);
    this.#mark = layout.decimal.charCodeAt(0);
    this.#reader = compileTimeFormat(layout.timeFormat, { decimal: layout.decimal });
    this.#zone = new ZoneClock(layout.zone);
    this.#watch = new HourWatch(this.#zone, 0, layout);
  }

  parse(block: Block, kinds: readonly ColumnKind[], formerMs: number): ParsedBlock {
    const { bytes } = block;
    const carry = block.carry ?? '';
    const isSegmented = this.#layout.heads !== undefined;
    const state = isSegmented ? new LvmSegments(this.#layout, carry) : new PlainGroups(this.#layout, carry);
    const columns = kinds.flatMap((kind, column) => (isStreamed(kind) ? [column] : []));
    const outOf = new Map(columns.map((column, out) => [column, out]));
    const points = new GroupPoints(columns.length);
    const refusals = new RefusalList();
    const own = [...kinds];
    let lastMs = formerMs;
    [this.#twice, this.#never] = [0, 0];
    this.#watch.begin('');
    let rowsRead = 0;
    let lines = 0;
    let stoppedAt: number | null = null;
    for (let begin = 0; begin < bytes.length; lines++) {
      const feed = bytes.indexOf(10, begin);
      const start = begin;
      let end = feed === -1 ? bytes.length : feed;
      begin = end + 1;
      if (end > start && bytes[end - 1] === 13) end -= 1;
      const text = decodeText(bytes.subarray(start, end), this.#textEncoding).replace(/^\uFEFF+/, '');
      if (text.trim() === '' || text.trim() === END_OF_FILE) continue;
      const kind = state.take(text);
      if (kind === 'head') continue;
      this.#split(bytes, start, end);
      const { groups } = state;
      this.#openHour = undefined;
      const times = groups.map((group) => this.#timeOf(bytes, group, state.row, lastMs));
      if (this.#openHour !== undefined || kind === 'changed' || beginsAgain(state, times)) {
        stoppedAt = start;
        break;
      }
      rowsRead += 1;
      state.row += 1;
      const refuse = (from: number, to: number, column: number, reason: string) =>
        refusals.add(block, lines, from, to, this.#layout.columns[column]?.name ?? '', reason, this.#textEncoding);
      const fault = this.#fault(groups);
      if (fault !== '') {
        refuse(start, end, -1, fault);
        continue;
      }
      for (const [index, group] of groups.entries()) {
        const timeMs = times[index] as number;
        if (Number.isNaN(timeMs)) this.#refuseGroup(bytes, group, refuse);
        if (!(timeMs >= block.sinceMs)) continue;
        state.last[index] = timeMs;
        lastMs = timeMs;
        for (const column of group.columns) {
          const out = outOf.get(column);
          const [from, to] = [this.#begins[column] ?? 0, this.#ends[column] ?? 0];
          if (out === undefined || from === to) continue;
          const value = this.#rules.readNumber(bytes, from, to);
          if (!Number.isNaN(value)) points.add(timeMs, out, value);
          else if (this.#rules.reason !== '') refuse(from, to, column, this.#rules.reason);
        }
      }
      this.#lookAtRemark(own);
    }
    const { timesMs, values } = points.finish();
    return {
      timesMs,
      values,
      columns,
      marks: [],
      kinds: own,
      rowsRead,
      lines,
      refusals: refusals.listed,
      refusedCount: refusals.count,
      lastMs,
      carry: state.carry,
      numbersLeftOut: [],
      linesRefused: 0,
      misfitsAtEnd: 0,
      isMisfit: false,
      stoppedAt,
      ...(stoppedAt !== null && this.#openHour !== undefined && { openHour: this.#openHour }),
      stampsTwice: this.#twice,
      stampsNever: this.#never,
    };
  }

  #split(bytes: Uint8Array, start: number, end: number): void {
    this.#begins = [];
    this.#ends = [];
    for (let at = start; at <= end; ) {
      let stop = at;
      while (stop < end && bytes[stop] !== this.#separator) stop += 1;
      let [from, to] = [at, stop];
      while (from < to && bytes[from] === 32) from += 1;
      while (to > from && bytes[to - 1] === 32) to -= 1;
      this.#begins.push(from);
      this.#ends.push(to);
      at = stop + 1;
    }
  }

  #isEmpty(column: number): boolean {
    return (this.#begins[column] ?? 0) === (this.#ends[column] ?? 0);
  }

  /** Why a line is refused whole; empty: it is not. */
  #fault(groups: readonly TimeGroup[]): string {
    const { columns } = this.#layout;
    for (let column = columns.length; column < this.#begins.length; column++) {
      if (!this.#isEmpty(column)) return 'has more cells than the file';
    }
    // A group that has ended before others leaves no cells; a line that ends within a group may be cut.
    const isCut = groups.some((group) => {
      const own = [...(group.time === null ? [] : [group.time]), ...group.columns];
      const isBegun = own.some((column) => column < this.#begins.length && !this.#isEmpty(column));
      return isBegun && own.some((column) => column >= this.#begins.length);
    });
    return isCut ? 'has fewer cells than the file' : '';
  }

  /** Instant of a group in the line; NaN: none. */
  #timeOf(bytes: Uint8Array, { time, zeroMs, unitMs, format }: TimeGroup, row: number, formerMs: number): number {
    if (time === null) return zeroMs + row * unitMs;
    const [from, to] = [this.#begins[time] ?? 0, this.#ends[time] ?? 0];
    if (format !== undefined) return this.#stampOf(bytes, from, to, formerMs);
    // A power of ten is applied to the digits, so that nothing is rounded twice.
    const shift = Math.log10(unitMs);
    const timeMs = Number.isInteger(shift)
      ? zeroMs + parseDecimal(bytes, from, to, this.#mark, shift)
      : zeroMs + parseDecimal(bytes, from, to, this.#mark) * unitMs;
    return Number.isFinite(timeMs) ? timeMs : Number.NaN;
  }

  #stampOf(bytes: Uint8Array, from: number, to: number, formerMs: number): number {
    if (!this.#reader.read(bytes, from, to)) return Number.NaN;
    const { stampMs, hasZone } = this.#reader;
    if (hasZone) return stampMs;
    const instantMs = this.#zone.toInstant(stampMs, formerMs);
    const { lastKind } = this.#zone;
    if (lastKind === 'twice') this.#twice += 1;
    else if (lastKind === 'never') this.#never += 1;
    const settledMs = this.#watch.settle(stampMs, formerMs, instantMs, lastKind);
    this.#openHour = this.#watch.open ?? this.#openHour;
    return settledMs;
  }

  /** Values without a time; nothing to refuse where there are none either. */
  #refuseGroup(
    bytes: Uint8Array,
    { time, columns }: TimeGroup,
    refuse: (from: number, to: number, column: number, reason: string) => void,
  ): void {
    const said = columns.filter((column) => !this.#isEmpty(column));
    const isTimeEmpty = time === null || this.#isEmpty(time);
    if (!isTimeEmpty) refuse(this.#begins[time] ?? 0, this.#ends[time] ?? 0, columns[0] ?? -1, 'no time stamp');
    else
      for (const column of said)
        refuse(this.#begins[column] ?? 0, this.#ends[column] ?? bytes.length, column, 'no time stamp');
  }

  /** A column of remarks shows the first. */
  #lookAtRemark(kinds: ColumnKind[]): void {
    const column = kinds.length - 1;
    if (kinds[column] === 'open' && !this.#isEmpty(column)) kinds[column] = 'text';
  }
}
