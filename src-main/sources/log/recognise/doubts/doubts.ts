// Tables that can be cut into rows and would be read wrong all the same. Each is a question to a person.
import type { Dialect } from '../../../../model/dialect.ts';
import { TOKEN } from '../../cells/cell-shape.ts';
import { isKeyed } from '../../cells/keyed-lines.ts';
import { isGoodWord } from '../../cells/quality-words.ts';
import { isUnit, unitIn, withoutUnit } from '../../cells/unit-grammar.ts';
import type { Sample } from '../../cells/write-pattern.ts';
import { isNamedIn } from '../../columns/name-column.ts';
import { groupingMark, isOddNumber } from '../../columns/odd-numbers.ts';
import type { UnclearQuality } from '../../columns/quality-columns.ts';
import { sameMinutes, secondPartOf, showsSecondParts, unpaddedDigits } from '../../columns/second-parts.ts';
import { isOffsetHeader, joinTimeCells } from '../../columns/time-columns.ts';
import { type ColumnKind, isStreamed, type Layout } from '../../parse/layout.ts';
import { parseDecimalText } from '../../time/decimal.ts';
import { listStampFormats } from '../../time/stamp-shapes.ts';
import { compileTimeFormat } from '../../time/time-format.ts';
import { isCountHeader, TIME_HEADER } from '../../time/time-names.ts';
import { isZone } from '../../time/zone-clock.ts';
import { likelyOffsets } from '../../time/zone-names.ts';
import { OFFSET_LETTERS, OFFSET_MAX_MS, OFFSET_STEP_MS, offsetText } from '../../time/zone-offset.ts';
import { type Undecided, undecided } from '../header-line.ts';
import { longTable } from './long-table.ts';

type Rows = readonly (readonly string[])[];

/**
 * Find a reason not to read a table as it was recognised.
 *
 * @param sample - rows and their lines.
 * @param dialect - what a person has said.
 * @returns null when there is none.
 */
export function findDoubt(
  layout: Layout,
  kinds: readonly ColumnKind[],
  sample: Sample,
  path: string,
  dialect: Dialect,
): Undecided | null {
  const { rows: data } = sample;
  const isMarkOpen = dialect.decimal === 'auto';
  return (
    unreadNumbers(layout, kinds, data, path) ??
    (isMarkOpen ? otherMark(layout, kinds, data, path) : null) ??
    (isMarkOpen ? halvedNumbers(layout, kinds, data, path) : null) ??
    mixedUnits(layout, kinds, data, path) ??
    offsetColumn(layout, kinds, data, path) ??
    stillStamp(layout, kinds, data, path) ??
    doubtSecondPart(layout, kinds, data, path, dialect) ??
    secondsLost(layout, kinds, data, path, dialect) ??
    namedValues(kinds, data, path) ??
    severalTimes(layout, kinds, data, path) ??
    longTable(layout, kinds, sample, path, dialect.numeric)
  );
}

/** Columns left out as text that are numbers in a form which is not read, and others whose mark then groups digits, too. */
function unreadNumbers(layout: Layout, kinds: readonly ColumnKind[], data: Rows, path: string): Undecided | null {
  const cellsOf = (column: number) =>
    data.map((row) => withoutUnit(row[column] ?? '')).filter((cell) => cell !== '' && !TOKEN.test(cell));
  const isNumber = (cell: string) =>
    isOddNumber(cell) || (['.', ','] as const).some((mark) => !Number.isNaN(parseDecimalText(cell, mark)));
  const isUnread = (column: number) => {
    const cells = cellsOf(column);
    const isPlain = cells.every((cell) => !Number.isNaN(parseDecimalText(cell, layout.decimal)));
    return cells.some(isOddNumber) && !isPlain && cells.every(isNumber);
  };
  // Where most are plain the others are refused one by one, as long as they are few.
  const areMany = (column: number) => {
    const cells = cellsOf(column);
    const isRead = (cell: string) => !Number.isNaN(parseDecimalText(cell, layout.decimal));
    return cells.filter((cell) => isOddNumber(cell) && !isRead(cell)).length * 10 >= cells.length;
  };
  const unread = kinds.flatMap((kind, column) =>
    (kind === 'text' || (kind === 'number' && areMany(column))) && isUnread(column) ? [column] : [],
  );
  const shown = cellsOf(unread[0] ?? -1).find(isOddNumber);
  // With the mark that is left for decimals all columns may be read.
  const marks = new Set(unread.flatMap(cellsOf).map(groupingMark));
  const other = layout.decimal === '.' ? ',' : '.';
  const isOther = (cell: string) => !Number.isNaN(parseDecimalText(cell, other));
  if (shown === undefined || (marks.size === 1 && marks.has(null) && unread.flatMap(cellsOf).every(isOther)))
    return null;
  const isGrouped = (cell: string) => [...marks].some((mark) => mark !== null && cell.includes(mark));
  const grouped = kinds.flatMap((kind, column) =>
    kind === 'number' &&
    !unread.includes(column) &&
    cellsOf(column).some((cell) => isOddNumber(cell) && isGrouped(cell))
      ? [column]
      : [],
  );
  const [mark] = [...marks].filter((one) => one !== null);
  const columns = [...unread, ...grouped].sort((a, b) => a - b).map((column) => column + 1);
  return undecided(
    'log.numbers-unread',
    `Column "${layout.columns[unread[0] ?? 0]?.name}" of ${path} holds numbers in a form that is not read: "${shown}".`,
    `Let the tool write plain numbers, such as 1200.5 or 1.2E-8. Or leave ${columns.length === 1 ? 'the column' : 'the columns'} out.`,
    false,
    [{ ...(mark && { decimal: mark === ',' ? ('point' as const) : ('comma' as const) }), leave_out: columns }],
  );
}

/** A column of words that are numbers with the other decimal mark. */
function otherMark(layout: Layout, kinds: readonly ColumnKind[], data: Rows, path: string): Undecided | null {
  const other = layout.decimal === '.' ? ',' : '.';
  const column = kinds.findIndex((kind, index) => {
    if ((kind !== 'text' && kind !== 'number') || !data.some((row) => row[index]?.includes(other))) return false;
    const cells = data.map((row) => row[index] ?? '').filter((cell) => cell !== '' && !TOKEN.test(cell));
    // 0010 is a number with either mark: what stands in the way of it is something else.
    const isNumber = (cell: string, mark: '.' | ',') => !Number.isNaN(parseDecimalText(cell, mark));
    const isOwn = cells.every((cell) => isNumber(cell, layout.decimal));
    return cells.length > 0 && !isOwn && cells.every((cell) => isNumber(cell, other));
  });
  if (column === -1) return null;
  return undecided(
    'log.decimal-mark-mixed',
    `Column "${layout.columns[column]?.name}" of ${path} holds numbers with a ${other === ',' ? 'comma' : 'point'}, others have the other decimal mark.`,
    'Say which is the decimal mark; a column with the other one is then left out.',
    false,
    [{ decimal: layout.decimal === ',' ? 'comma' : 'point' }, { decimal: other === ',' ? 'comma' : 'point' }],
  );
}

/**
 * Nameless columns between commas, whole numbers in turn with digits of which some begin with 0 (1,05,20,3): a decimal comma
 * may have cut each number in two, that of a time which counts among them.
 */
function halvedNumbers(layout: Layout, kinds: readonly ColumnKind[], data: Rows, path: string): Undecided | null {
  if (layout.delimiter !== ',' || layout.headerText !== '') return null;
  const isCounting = (column: number) => data.every((row) => /^\d+$/.test(row[column] ?? ''));
  const numbers = kinds.flatMap((kind, index) =>
    kind === 'number' || (kind === 'time' && isCounting(index)) ? [index] : [],
  );
  const wholes = numbers.filter((_, at) => at % 2 === 0);
  const isPair = (whole: number) => kinds[whole + 1] === 'number' && numbers.includes(whole + 1);
  const isEach = (column: number, pattern: RegExp) => data.every((row) => pattern.test(row[column] ?? ''));
  const areHalves =
    numbers.length > 0 &&
    numbers.length % 2 === 0 &&
    wholes.every((whole) => isPair(whole) && isEach(whole, /^[+-]?\d+$/) && isEach(whole + 1, /^\d+(?:e[+-]?\d+)?$/i));
  if (!areHalves || !wholes.some((whole) => data.some((row) => /^0\d/.test(row[whole + 1] ?? '')))) return null;
  const [first = 0] = wholes;
  const shown = `${data[0]?.[first]},${data[0]?.[first + 1]}`;
  return undecided(
    'log.decimal-mark-ambiguous',
    `"${shown}" in ${path} may be two numbers, or one with a decimal comma: its commas separate the cells, and no line names the columns.`,
    'If they are two, say so. Else let the tool write points, semicolons between the cells, or quotes around the numbers.',
    false,
    [{ decimal: 'point' }],
  );
}

/** A column left out as text whose cells are numbers, each with its unit: the unit changes on the way. */
function mixedUnits(layout: Layout, kinds: readonly ColumnKind[], data: Rows, path: string): Undecided | null {
  for (const [column, kind] of kinds.entries()) {
    const cells = data.map((row) => row[column] ?? '').filter((cell) => cell !== '');
    const units = cells.map(unitIn).filter(isUnit);
    if (kind !== 'text' || units.length * 2 <= cells.length) continue;
    const { name = '' } = layout.columns[column] ?? {};
    const all = [...new Set(units)].slice(0, 4).join(', ');
    return undecided(
      'log.units-mixed',
      `Column "${name}" of ${path} holds numbers with several units: ${all}.`,
      'Let the tool begin a new file where it changes the unit. Or leave the column out.',
      false,
      [{ leave_out: [column + 1] }],
    );
  }
  return null;
}

/** An offset from UTC in a column of numbers, beside stamps that were read without it. */
function offsetColumn(
  { columns, zone }: Layout,
  kinds: readonly ColumnKind[],
  data: Rows,
  path: string,
): Undecided | null {
  const isWritten = (index: number) => data.length > 0 && data.every((row) => /^[+-]\d\d:\d\d$/.test(row[index] ?? ''));
  const isOffset = (index: number) => isOffsetHeader(columns[index]?.header ?? '') || isWritten(index);
  const column = kinds.findIndex((kind, index) => kind !== 'time' && isOffset(index));
  if (column === -1 || kinds[column] === 'ignored') return null;
  const said = [...new Set(data.map((row) => row[column] ?? ''))];
  const meant = said.flatMap((cell) => (isZone(cell) ? [cell] : [...writtenOffset(cell), ...likelyOffsets(cell)]));
  // One zone in all rows is that of the file; several are of no one zone.
  const zones = said.length > 1 ? [] : [...new Set([...meant, zone])];
  return undecided(
    'log.zone-unclear',
    `Column "${columns[column]?.header}" of ${path} tells the time zone of its lines and is not understood: its stamps would be read as of ${zone}.`,
    'Say which zone they are of, and leave the column out.',
    false,
    zones.map((one) => ({ time: { zone: one }, leave_out: [column + 1] })),
  );
}

/** The offset of a cell of hours (-5) or of minutes (-300). */
function writtenOffset(cell: string): string[] {
  if (!/^[+-]?\d{1,3}$/.test(cell)) return [];
  const minutes = /\d{3}/.test(cell) ? Number(cell) : Number(cell) * 60;
  const isOffset = Math.abs(minutes) * 60_000 <= OFFSET_MAX_MS && (minutes * 60_000) % OFFSET_STEP_MS === 0;
  return isOffset ? [offsetText(minutes)] : [];
}

/** The same stamp in each row, beside a count that calls itself a time: the time of a row is both together. */
function stillStamp(layout: Layout, kinds: readonly ColumnKind[], data: Rows, path: string): Undecided | null {
  const { timeColumns, columns, decimal } = layout;
  const [first = []] = data;
  const isStill = data.length > 2 && data.every((row) => timeColumns.every((column) => row[column] === first[column]));
  if (!isStill) return null;
  const column = kinds.findIndex((kind, index) => {
    const values = data.map((row) => parseDecimalText(row[index] ?? '', decimal));
    const isRising = values.every((value, at) => at === 0 || value > (values[at - 1] as number));
    return kind !== 'time' && kind !== 'ignored' && isRising && isCountHeader(columns[index]?.header ?? '');
  });
  if (column === -1) return null;
  return undecided(
    'log.time-doubtful',
    `Every row of ${path} has one stamp, "${first[timeColumns[0] ?? 0]}", and "${columns[column]?.header}" counts from it: the time of a row is both together, which is not read.`,
    'Let the tool write the time of each row; or put the stamp into the name of the file, and leave its column out.',
    false,
    [],
  );
}

/** Parts of a second beside stamps that leave them out, and stamps that may count them without zeros in front. */
function doubtSecondPart(
  layout: Layout,
  kinds: readonly ColumnKind[],
  data: Rows,
  path: string,
  { time, numeric }: Dialect,
): Undecided | null {
  const { decimal, dayMs, timeFormat, timeColumns } = layout;
  const reader = compileTimeFormat(timeFormat, { decimal, isTimeOnly: dayMs !== null });
  const stamps = data.flatMap((row) => {
    const text = joinTimeCells(row, timeColumns);
    const bytes = new TextEncoder().encode(text);
    if (!reader.read(bytes, 0, bytes.length)) return [];
    const part = /:\d\d[.,](\d+)/.exec(text)?.[1] ?? '';
    return [
      { row, text, part, wholeMs: Math.floor(reader.stampMs / 1000) * 1000, isWhole: reader.stampMs % 1000 === 0 },
    ];
  });
  const digits = time.format === 'auto' && /^iso8601$|ss[.,]SSS/.test(timeFormat) ? unpaddedDigits(stamps) : null;
  if (digits !== null) {
    const shown = stamps.find(({ part }) => part !== '' && part.length < digits)?.text ?? '';
    const count = 'I'.repeat(digits);
    const gap = shown.charAt(10) === 'T' ? "'T'" : ' ';
    const mark = /:\d\d([.,])\d/.exec(shown)?.[1];
    const iso = `yyyy-MM-dd${gap}HH:mm:ss${mark}${count}${/[.,]\d+ ?(?:Z|[+-]\d)/.test(shown) ? OFFSET_LETTERS : ''}`;
    const counted = timeFormat === 'iso8601' ? iso : timeFormat.replace('SSS', count);
    return undecided(
      'log.second-part-unclear',
      `The stamps of ${path} seem to count parts of a second without zeros in front: "${shown}".`,
      'Say which it is: a count, as the first format reads it, or a fraction, as the second does.',
      false,
      [{ time: { format: counted } }, { time: { format: timeFormat } }],
    );
  }
  const taken = takenPart(layout, stamps, path, time);
  if (taken !== null) return taken;
  return stamps.every(({ isWhole }) => isWhole) ? streamedPart(layout, kinds, data, path, numeric) : null;
}

/** A column that was read as part of the second: only rows can show that it is one. */
function takenPart(
  { timeColumns, timeFormat, columns }: Layout,
  stamps: readonly { readonly row: Rows[number]; readonly wholeMs: number }[],
  path: string,
  { column, format }: Dialect['time'],
): Undecided | null {
  const [, part] = / (I{3,9}|(?:0[.,])?SSS)$/.exec(timeFormat) ?? [];
  if (part === undefined || timeColumns.length < 2 || column !== 'auto') return null;
  const last = timeColumns.at(-1) as number;
  const cells = stamps.map(({ row }) => row[last] ?? '');
  const instants = stamps.map(({ wholeMs }) => wholeMs);
  if (showsSecondParts(instants, cells, part)) return null;
  // The format alone may have come with the answer to another question.
  const others = timeColumns.slice(0, -1).map((one) => one + 1);
  const whole = format === 'auto' ? {} : { time: { column: others, format: timeFormat.slice(0, -part.length - 1) } };
  return undecided(
    'log.second-part-unclear',
    `Column "${columns[last]?.header || last + 1}" of ${path} may be a channel, or the part of a second that its stamps leave out: "${cells[0]}". Its rows do not show which: only a part rises within each second and begins again with the next.`,
    'Say that it is numeric if it is a channel. If it is the part of a second, say that it belongs to the time, or let the tool write it into the stamp, such as 10:15:00.250. Or leave the column out.',
    false,
    [
      { numeric: [last + 1], ...whole },
      { time: { column: timeColumns.map((one) => one + 1), format: timeFormat } },
      { leave_out: [last + 1], ...whole },
    ],
  );
}

/** A column that is streamed, and whose header calls it a part of the second that whole stamps leave out. */
function streamedPart(
  { columns }: Layout,
  kinds: readonly ColumnKind[],
  data: Rows,
  path: string,
  numeric: Dialect['numeric'],
): Undecided | null {
  const isCalled = (index: number) => secondPartOf(columns[index]?.header ?? '')?.isCertain === true;
  const column = kinds.findIndex(
    (kind, index) => isStreamed(kind) && isCalled(index) && !isNamedIn(numeric, { columns }, index),
  );
  if (column === -1) return null;
  return undecided(
    'log.second-part-unclear',
    `Column "${columns[column]?.header}" of ${path} seems to hold the part of a second that its stamps leave out, and is not read as such: "${data[0]?.[column]}".`,
    'Say that it is numeric if it is a channel. Else let the tool write it into the stamp, such as 10:15:00.250, or leave the column out; then the stamps are of whole seconds.',
    false,
    [{ numeric: [column + 1] }, { leave_out: [column + 1] }],
  );
}

/** Stamps of whole minutes, many of them the same: a spreadsheet that shows no seconds has saved none. */
function secondsLost(
  { decimal, dayMs, startMs, timeFormat, timeColumns, delimiter }: Layout,
  kinds: readonly ColumnKind[],
  data: Rows,
  path: string,
  { time }: Dialect,
): Undecided | null {
  if (time.format !== 'auto' || startMs !== null || isKeyed(delimiter)) return null;
  const reader = compileTimeFormat(timeFormat, { decimal, isTimeOnly: dayMs !== null });
  const stamps = data.map((row) => {
    const bytes = new TextEncoder().encode(joinTimeCells(row, timeColumns));
    return reader.read(bytes, 0, bytes.length) ? reader.stampMs : Number.NaN;
  });
  // Rows of one stamp may share it where each fills columns of its own.
  const isFilled = (column: number, at: number) => (data[at]?.[column] ?? '') !== '';
  const areSame = (at: number) => kinds.some((kind, n) => isStreamed(kind) && isFilled(n, at) && isFilled(n, at - 1));
  const again = sameMinutes(stamps).filter(areSame);
  const [first] = again;
  if (first === undefined || again.length * 4 < data.length) return null;
  return undecided(
    'log.seconds-lost',
    `${again.length} of the first ${data.length} rows of ${path} have the stamp of the row before, "${joinTimeCells(data[first] ?? [], timeColumns)}", and none tells seconds: a spreadsheet may have saved it without them.`,
    'Take the file that the tool wrote, or let the spreadsheet show seconds and save it again. If the tool itself writes whole minutes, name the format: then the rows of a minute have the same time.',
    false,
    [{ time: { format: timeFormat } }],
  );
}

/** Columns of text that are numbers with their names, which the lines tell again each time: a reader that leaves them out loses them. */
function namedValues(kinds: readonly ColumnKind[], data: Rows, path: string): Undecided | null {
  const isNamed = (cell: string) => /(?:^|\s)[\p{L}_][\p{L}\p{N}_.:/%-]*\s*=\s*[+-]?\d/u.test(cell);
  const columns = kinds.flatMap((kind, column) => {
    const cells = data.map((row) => row[column] ?? '').filter((cell) => cell !== '');
    return kind === 'text' && cells.length > 0 && cells.every(isNamed) ? [column + 1] : [];
  });
  if (columns.length === 0) return null;
  return undecided(
    'log.named-values',
    `Column ${columns.join(', ')} of ${path} holds numbers with names ("${data[0]?.[(columns[0] ?? 1) - 1] ?? ''}"), which are not read there.`,
    `Describe a whole line under dialect: line, with a group for each value, such as (?P<time>.{23}) .* temp=(?P<temp>\\S+). Or leave them out.`,
    false,
    [{ leave_out: columns }],
  );
}

/** Groups of columns side by side, each with a time of its own: the rows have no one time. */
function severalTimes(layout: Layout, kinds: readonly ColumnKind[], data: Rows, path: string): Undecided | null {
  const time = layout.timeColumns[0] ?? 0;
  const header = layout.columns[time]?.header.toLowerCase() ?? '';
  const reader = compileTimeFormat(layout.timeFormat, { decimal: layout.decimal, isTimeOnly: layout.dayMs !== null });
  const isRead = (cell: string) => {
    const bytes = new TextEncoder().encode(cell);
    return reader.read(bytes, 0, bytes.length);
  };
  const other = layout.columns.findIndex((column, index) => {
    if (layout.timeColumns.includes(index) || kinds[index] === 'ignored' || column.header === '') return false;
    if (!data.some((row) => row[index] !== row[time])) return false;
    const isStamped = data.some((row) => listStampFormats(row[index] ?? '') !== null);
    if (column.header.toLowerCase() === header) return isStamped || kinds[index] === 'number';
    // A value between two stamps is of the first, what stands behind them is of the second.
    const isBetween = kinds.slice(time + 1, index).some((kind) => isStreamed(kind));
    const isBefore = kinds.slice(index + 1).some((kind) => isStreamed(kind));
    const cells = data.map((row) => row[index] ?? '').filter((cell) => cell !== '');
    return isBetween && isBefore && TIME_HEADER.test(column.header) && isStamped && cells.every(isRead);
  });
  if (other === -1) return null;
  const [one, two] = [layout.columns[time]?.header, layout.columns[other]?.header];
  const called = one === two ? `both called "${two}"` : `called "${one}" and "${two}"`;
  return undecided(
    'log.several-times',
    `Columns ${time + 1} and ${other + 1} of ${path} are ${called}: its columns do not share one time.`,
    'Say which time counts, and leave out the columns that belong to another.',
    false,
    [{ time: { column: time + 1 }, leave_out: [other + 1] }],
  );
}

/** A column that says how good values are; what it says can mean one thing or the other. */
export function qualityUnclear({ column, words, isOwn }: UnclearQuality, { columns }: Layout, path: string): Undecided {
  const said = words.filter((word) => word !== '' && word.length <= 100);
  const good = said.filter(isGoodWord).slice(0, 20);
  const open = said.filter((word) => !good.includes(word));
  const ways =
    good.length > 0
      ? [good, ...(good.length < 20 ? open.map((word) => [...good, word]) : [])]
      : said.map((word) => [word]);
  return undecided(
    'log.quality-unclear',
    `Column "${columns[column]?.header || columns[column]?.name}" of ${path} seems to say how good the values before it are, and not which of its words say that they are: ${[...open, ...good].slice(0, 4).join(', ')}.`,
    'Say which are good: a value beside another one is refused. Or leave the column out; then all values are taken.',
    false,
    [
      ...ways.slice(0, 3).map((way) => ({ quality: [{ column: column + 1, good: way }] })),
      { leave_out: [column + 1] },
      ...(isOwn ? [{ numeric: [column + 1] }] : []),
    ],
  );
}
