// The layout of an export of TwinCAT Scope, from its own head: lines that name the columns and say what they are, and a column
// of milliseconds before each channel, or before several that were sampled together. The start is a Windows FILETIME (UTC),
// with the date spelled out in the language beside it. Source: exports of TwinCAT 3 Scope 3.4, and Beckhoff's manual TE13xx,
// "CSV export".

import type { TimeGroup } from '../parse/layout.ts';
import { instantOf } from '../parse/lvm-heads.ts';
import { DAY_MS } from '../time/calendar.ts';
import { parseDecimalText } from '../time/decimal.ts';
import { ZoneClock } from '../time/zone-clock.ts';
import { isOpen, makeGroupLayout } from './group-layout.ts';
import { type Undecided, undecided } from './header-line.ts';
import type { Recognised, Settled } from './recognised.ts';

const START = 'Starttime of export';
const START_LINES = 10;
/** FILETIME counts 100 ns since 1601, UTC. */
const FILETIME_ZERO_MS = Date.UTC(1601, 0, 1);
const FILETIME = /^\d{17,18}$/;
/** Milliseconds since the start of an export never come near this: a year. */
const COUNT_MOST_MS = 366 * 86_400_000;

/** True for the lines of such an export whose times nobody has settled otherwise. */
export function isScope({ lines, dialect }: Settled): boolean {
  const head = lines.slice(0, START_LINES);
  const isNamed = /^Name[\t;,]/.test(lines[0]?.text ?? '');
  return isOpen(dialect) && isNamed && head.some(({ text }) => text.startsWith(START));
}

/**
 * Make the layout.
 *
 * @returns it, or the question that is open.
 */
export function settleScope(settled: Settled): Recognised | Undecided {
  const { lines, head, dialect, timeZone } = settled;
  const startLine = lines.find(({ text }) => text.startsWith(START))?.text ?? '';
  const delimiter = startLine.charAt(START.length);
  const rows = lines.map(({ text }) => text.split(delimiter).map((cell) => cell.trim()));
  const startAt = lines.findIndex(({ text }) => text === startLine);
  const namesAt = rows.findIndex((row, index) => index > startAt && row[0] === 'Name');
  const isData = (row: readonly string[]) => row.length > 1 && /^[+-]?\d/.test(row[0] ?? '');
  const first = rows.findIndex((row, index) => namesAt !== -1 && index > namesAt && isData(row));
  if (first === -1) {
    const message = `${head.path} holds no line with data yet.`;
    return undecided('log.no-rows-yet', message, 'It is read as soon as it does.', true);
  }
  const data = [...rows.slice(first), ...head.laterLines.map((line) => line.split(delimiter))];
  const decimal = markOf(data);
  const startMs = startOf(rows[startAt] ?? [], new ZoneClock(dialect.time.zone ?? timeZone));
  if (typeof startMs === 'string' || decimal === null) {
    const what = typeof startMs === 'string' ? startMs : 'its numbers have a comma in some cells and a point in others';
    return undecided(
      'log.scope-unclear',
      `${head.path} is an export of TwinCAT Scope that cannot be read for certain: ${what}.`,
      'Export it again, with one decimal mark and with the start in its head; or leave the file out with a narrower match.',
    );
  }
  const meta = rows.slice(namesAt, first).filter((row) => row.length > 1);
  const names = [...(rows[namesAt] ?? [])];
  while (names.at(-1) === '') names.pop();
  // Above a time each line repeats what it says.
  const isTime = (column: number) => meta.every((row) => row[column] === row[0]);
  const groups = groupsOf(names, isTime, startMs, rows[first] ?? [], decimal);
  if (typeof groups === 'string') {
    return undecided('log.scope-unclear', `${head.path}: ${groups}.`, 'Export it again with times in milliseconds.');
  }
  const units = (meta.find((row) => row[0] === 'Unit') ?? []).map(unitOf);
  const headerText = (lines[namesAt]?.text ?? '').trim();
  const { layout, kinds } = makeGroupLayout(
    { delimiter, decimal, names, units, groups, hasRemarks: false, headerText },
    settled,
  );
  const reasons = [
    `an export of TwinCAT Scope: ${names.length} columns, ${groups.length} of them times`,
    `begins at ${new Date(startMs).toISOString()} by its head`,
  ];
  const assumed = { start: false, seconds: false };
  const dataByte = lines[first]?.byte ?? 0;
  return { layout, kinds, dataByte, dataLine: first, startFrom: 'header', assumed, reasons };
}

/** The decimal mark of the cells; null: some have one, some the other. */
function markOf(data: readonly (readonly string[])[]): '.' | ',' | null {
  const cells = data.flat();
  const has = (mark: RegExp) => cells.some((cell) => mark.test(cell.trim()));
  const [hasComma, hasPoint] = [has(/^[+-]?\d*,\d/), has(/^[+-]?\d*\.\d/)];
  if (hasComma && hasPoint) return null;
  return hasComma ? ',' : '.';
}

/** The start of the export, Unix ms; or a sentence with what keeps it from being told. */
function startOf(cells: readonly string[], zone: ZoneClock): number | string {
  const said = cells.slice(1).filter((cell) => cell !== '');
  const words = said.filter((cell) => !FILETIME.test(cell)).join(' ');
  const local = instantOf(words, zone);
  const ticks = said.find((cell) => FILETIME.test(cell));
  if (ticks === undefined) return local ?? `its start is "${words}"`;
  const ms = FILETIME_ZERO_MS + Number(`${ticks}e-4`);
  // The words are of the PC's zone, which need not be that of the settings.
  if (local !== null && Math.abs(local - ms) > 1.2 * DAY_MS) {
    return `its start is ${new Date(ms).toISOString()} by its number and "${words}" as text`;
  }
  return ms;
}

function groupsOf(
  names: readonly string[],
  isTime: (column: number) => boolean,
  startMs: number,
  first: readonly string[],
  decimal: '.' | ',',
): TimeGroup[] | string {
  const groups: TimeGroup[] = [];
  for (const column of names.keys()) {
    const last = groups.at(-1);
    if (!isTime(column)) {
      if (last === undefined) return 'no time stands before its first channel';
      last.columns.push(column);
      continue;
    }
    const cell = first[column] ?? '';
    const isTicks = FILETIME.test(cell);
    const isCount = Math.abs(parseDecimalText(cell === '' ? '0' : cell, decimal)) < COUNT_MOST_MS;
    if (!isTicks && !isCount)
      return `"${cell}", the time in column ${column + 1}, counts no milliseconds since the start`;
    const count = isTicks ? { zeroMs: FILETIME_ZERO_MS, unitMs: 1e-4 } : { zeroMs: startMs, unitMs: 1 };
    groups.push({ time: column, columns: [], ...count });
  }
  return groups;
}

/** `dV (Voltage)` is in dV; `(None)` in none. */
function unitOf(text: string): string {
  return text.startsWith('(None)') ? '' : text.replace(/ \(.*\)$/, '');
}
