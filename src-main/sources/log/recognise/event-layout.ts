// The layout of an event log: where its stamp stands, and which columns are its text.

import { splitCells } from '../cells/cells.ts';
import type { ColumnKind, Layout } from '../parse/layout.ts';
import { START_WORDS } from '../time/found-start.ts';
import type { Cut } from './cut.ts';
import type { Undecided } from './header-line.ts';
import { findHeader } from './header-line.ts';
import { makeLayout, startIn, startOfDay } from './make-layout.ts';
import type { Recognised, Settled } from './recognised.ts';
import { chooseFormat, doubtEnd, doubtTime, findStart } from './settle-time.ts';
import { settleHour, settleZone } from './told-zone.ts';

/**
 * Make the layout of an event log.
 *
 * @param cut - how its lines are cut.
 * @param settled - what is known of the file.
 * @returns the layout, all columns but the time left out of the points; or the question that is open.
 */
export function settleEvents(cut: Cut, { lines, head, dialect, timeZone, encoding }: Settled): Recognised | Undecided {
  const { rows, first, width, time } = cut;
  const data = rows.slice(first).filter((row) => row.length > 0);
  const format = chooseFormat(cut, lines, head, dialect, data);
  if ('code' in format) return format;
  const found = findHeader(cut, lines, dialect, head.path);
  const nameless = { cells: Array.from({ length: width }, () => ''), units: [], line: null, last: -1 };
  const header = 'code' in found ? nameless : found;
  const zone = settleZone(cut, header, lines, head.path, dialect, timeZone, format.format);
  if (typeof zone !== 'string') return zone;
  const start = findStart(cut, lines, head, dialect, zone, data, format.format);
  if (start !== null && 'code' in start) return start;
  const doubtful = doubtTime(cut, format.format, start, lines, head, dialect, data);
  if (doubtful !== null) return doubtful;
  const late = start === null ? null : doubtEnd(cut, format.format, start, lines, head, dialect, zone, data);
  if (late !== null) return late;
  const plain = makeLayout(cut, header, format.format, dialect, zone, encoding, lines);
  const timeFormat = start?.isElapsed === true ? 'relative-time' : format.format;
  const later = () => (head.nextLines ?? []).map((line) => splitCells(line, cut.delimiter));
  const hour = settleHour(cut, timeFormat, data, () => [...data, ...later()], zone, dialect, head, start);
  if ('code' in hour) return hour;
  const eventText = textColumns(plain, dialect);
  const begun = startOfDay(startIn(hour, start, zone), timeFormat);
  const layout: Layout = { ...plain, timeFormat, ...begun, ...hour, eventText };
  const kinds = layout.columns.map((_, index): ColumnKind => (time.columns.includes(index) ? 'time' : 'ignored'));
  const reasons = [
    'an event log: its lines are kept as marks',
    `time in column ${time.columns.map((c) => c + 1).join(' and ')} as ${timeFormat} (${format.reason})`,
    ...(start === null ? [] : [`begins at ${new Date(start.instantMs).toISOString()} by ${START_WORDS[start.from]}`]),
  ];
  const assumed = { start: time.needs !== undefined, seconds: false };
  const dataByte = lines[first]?.byte ?? 0;
  return { layout, kinds, dataByte, dataLine: first, startFrom: start?.from ?? null, assumed, reasons };
}

/** The columns that are the text; none where nobody names columns: then a separator in a line is part of its text. */
function textColumns({ columns, headerText }: Layout, { leave_out }: Settled['dialect']): number[] {
  if (headerText === '' && leave_out.length === 0) return [];
  return columns.flatMap(({ header, name }, index) =>
    leave_out.some((one) => one === index + 1 || one === header || one === name) ? [] : [index],
  );
}
