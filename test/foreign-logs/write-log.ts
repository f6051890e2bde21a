// Writes a log from the truth: instants, values, names and units come first, the text is made of them. It shares no code with
// what reads it.
import type { Choices, Column } from './choices.ts';
import { RELATIVE, STAMPS } from './choices.ts';
import { NOW_MS, type TrueChannel, type TruePoint, type WrittenLog, ZONE } from './truth.ts';
import { headLines } from './write-head.ts';
import { type Draft, encode, hexWord, isBad, makeOdd, numberText, oddText } from './write-odd.ts';
import { wallClock, writeCount, writeOffset, writeStamp } from './write-stamp.ts';

/** A small generator of its own: the values of a log must not hang on how it shrinks. */
function drawer(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

const isOneOf = (list: readonly string[], text: string) => list.includes(text);

/** Choices that no program would make together are made one that some would. */
function sane(drawn: Choices): Choices {
  const own: Draft = { ...drawn };
  const isBlank = own.separator === '   ';
  if (own.separator === ',' && own.decimal === ',' && own.quotes === 'none') own.decimal = '.';
  if (isBlank || own.separator === ' | ') {
    own.quotes = 'none';
    own.isTrailing = false;
    if (own.token === '') own.token = null;
  }
  // A blank separates nothing from an empty name.
  if (isBlank && own.names === 'units line') own.names = 'names';
  if (isBlank && own.word?.includes(',')) own.word = 'Open';
  if (own.separator === ',' && own.quotes === 'none' && own.word?.includes(',')) own.word = 'Open';
  if (!isOneOf(STAMPS, own.time)) own.offset = { ...own.offset, place: 'none' };
  makeOdd(own);
  if (own.time === 'asctime' || own.time === 'compactWhole') {
    own.fraction = 0;
    if (own.offset.place === 'cell') own.offset = { ...own.offset, place: 'none' };
  }
  if (isOneOf(['parts', 'msColumn'], own.time) && isOneOf(['cell', 'header'], own.offset.place))
    own.offset = { ...own.offset, place: 'none' };
  if (own.offset.place === 'header' && own.names === 'none') own.names = 'names';
  // Numbers that nobody names are any numbers.
  if (own.time === 'msColumn' && own.names === 'none') own.names = 'names';
  if (own.edit === 'unit column')
    own.columns = own.columns.map((one, index) => (index === 0 ? { ...one, status: 'unit' } : one));
  if (own.edit === 'cell unit') own.columns = own.columns.map((one) => ({ ...one, status: null }));
  const named = own.names !== 'none' && own.columns.some(({ unit, written }) => unit !== '' && written !== 'none');
  if (own.edit === 'other unit' && !named) own.edit = 'none';
  if (own.edit === 'column gone' && own.columns.length < 2) own.edit = 'none';
  // Behind a last separator an added column is one that was empty so far, and is read as such.
  if (own.edit.startsWith('column added')) own.isTrailing = false;
  return own;
}

/** Lines below the names that hold neither units nor data. */
const LIMITS = ['Min', 'Max'];

const CLOCK_MS: Readonly<Record<number, number>> = { 0: 1000, 1: 100 };

/** Write the log that was drawn. */
export function writeLog(drawn: Choices): WrittenLog {
  const c = sane(drawn);
  const random = drawer(c.seed);
  const finest = CLOCK_MS[c.fraction] ?? 1;
  const coarse = c.time === 'unix-ms' || c.time === 'unix-us' || c.time === 'filetime' || c.time === 'ms' ? 1 : finest;
  const isStamp = isOneOf(STAMPS, c.time);
  const isRelative = isOneOf(RELATIVE, c.time);
  const instants = Array.from(
    { length: c.rows },
    (_, row) => c.startMs + Math.floor((row * c.stepMs) / coarse) * coarse,
  );
  const { minutes, place } = c.offset;
  const wallOf = (ms: number) => (place === 'none' ? wallClock(ms, ZONE) : ms + minutes * 60_000);

  const timeCells = (ms: number, form: string = c.time, mark: string = c.decimal): string[] => {
    const offset =
      place === 'cell' ? ` ${writeOffset(c.offset.style === '(GMT+h)' ? '+hh:mm' : c.offset.style, minutes)}` : '';
    if (isOneOf(STAMPS, form) || form === 'timeOfDay') {
      const written = writeStamp(form, wallOf(ms), c.fraction);
      const cells =
        form === 'parts' || form === 'excelParts' ? written.map((cell) => cell.replace('.', mark)) : written;
      const last = `${cells.at(-1)}${form === 'timeOfDay' ? '' : offset}`;
      const own = place === 'column' ? [writeOffset('+hh:mm', minutes)] : [];
      return [...cells.slice(0, -1), last, ...own];
    }
    const text = writeCount(form, ms, wallOf(ms), ms - c.startMs, c.fraction);
    return [isOneOf(['elapsed', 'fromZero', 'mmss'], form) ? text : text.replace('.', mark)];
  };

  const numbers = instants.map((_, row) =>
    c.columns.map(({ style, scale }, index) =>
      c.numbers === 'late' && index === 0 ? String(700 + row) : numberText(style, random() * 999 * scale),
    ),
  );
  if (c.token !== null && c.columns.length > 1) {
    // The reader lists 100 refusals of a block; a long log stays below.
    const every = (row: number) => (row < 150 ? 3 : 8);
    for (const [row, cells] of numbers.entries())
      if (row > 2 && row % every(row) === 0) cells[row % cells.length] = c.token;
  }
  const readBack = (text: string) => (text === c.token || text === '' ? Number.NaN : Number(text));
  const editRow = 1 + Math.floor(c.editAt * (c.rows - 2));
  const extra = instants.map(() => numberText('fixed', random() * 99));

  const isSaved = (row: number) =>
    (c.edit === 'saved below' && row >= editRow) || (c.edit === 'saved above' && row < editRow);
  const rowCells = (row: number): string[] => {
    const mark = isSaved(row) ? ',' : c.decimal;
    const hasUnit = c.edit === 'cell unit';
    const unitNow = row >= editRow ? 'Torr' : 'mbar';
    const values = (numbers[row] as string[]).flatMap((cell, index) => {
      const isToken = cell === c.token || cell === '';
      const text = isToken ? cell : oddText(c.numbers ?? 'plain', cell, mark);
      const told = hasUnit && index === 0 && !isToken ? `${text} ${unitNow}` : text;
      const { status } = c.columns[index] as Column;
      const unit = c.edit === 'unit column' && index === 0 && row >= editRow ? 'Torr' : 'mbar';
      const isGood = !isBad(c, row, index);
      const own = { OK: 'OK', unit, 'on/off': row % 2 === 0 ? 'on' : 'off' };
      const words = { ...own, quality: isGood ? 'Good' : 'Bad', code: isGood ? '192' : '0' };
      return status === null ? [told] : [told, words[status]];
    });
    const added =
      c.edit.startsWith('column added') && row >= editRow ? [(extra[row] as string).replace('.', mark)] : [];
    const gone = c.edit === 'column gone' && row >= editRow ? values.slice(0, -1) : values;
    const form = isSaved(row) && isStamp ? 'german' : c.time;
    const count = c.counter ? [String(row + 1)] : [];
    return [
      ...count,
      ...timeCells(instants[row] as number, form, mark),
      ...gone,
      ...added,
      ...(c.word === null ? [] : [c.word === 'hex' ? hexWord(row) : c.word]),
    ];
  };

  const isPlain = c.separator === ' | ' || c.separator === '   ';
  const join = (cells: readonly string[], separator = c.separator): string => {
    const quoted = cells.map((cell) => {
      const needs = !isPlain && (cell.includes(separator) || cell.includes('"'));
      return needs || (c.quotes === 'all' && !isPlain) ? `"${cell.replaceAll('"', '""')}"` : cell;
    });
    return quoted.join(separator) + (c.isTrailing ? separator : '');
  };

  const isUnitsLine = c.names === 'units line';
  const headerOf = (columns: readonly Column[], unitOf = (column: Column) => column.unit) => {
    const width = timeCells(c.startMs).length - (place === 'column' ? 1 : 0);
    const zone = writeOffset(c.offset.style, minutes);
    const unit = { seconds: ' [s]', ms: ' [ms]', minutes: ' [min]', hours: ' [h]' }[c.time as string] ?? '';
    const name = c.time === 'timeOfDay' ? 'Time' : isRelative && c.timeName === 'Timestamp' ? 'Time' : c.timeName;
    const called = place !== 'header' ? name : c.offset.style === '(GMT+h)' ? `${name} (${zone})` : `${name}, ${zone}`;
    const several: Record<string, string[]> = {
      timeFirst: [called, 'Date'],
      parts: ['Year', 'Month', 'Day', 'Hour', 'Minute', 'Second'],
      msColumn: ['Date', called, 'ms'],
      weekday: ['Day', called],
    };
    const time = several[c.time] ?? (width === 2 ? ['Date', called] : [called + unit]);
    const offset = place === 'column' ? ['UTC offset'] : [];
    const names = columns.flatMap((column) => {
      const own = nameText(column, isUnitsLine ? '' : unitOf(column));
      return column.status === null ? [own] : [own, STATUS_NAMES[column.status] ?? 'Status'];
    });
    return [...(c.counter ? ['#'] : []), ...time, ...offset, ...names, ...(c.word === null ? [] : ['Remark'])];
  };
  const lead = [...(c.counter ? [''] : []), ...timeCells(c.startMs).map(() => '')];
  const unitsOf = (columns: readonly Column[], unitOf = (column: Column) => column.unit) => [
    ...lead,
    ...columns.flatMap((column) => (column.status === null ? [unitOf(column)] : [unitOf(column), ''])),
    ...(c.word === null ? [] : ['']),
  ];
  const hasUnits = isUnitsLine && c.columns.some(({ unit }) => unit !== '');
  const headerLines = (columns: readonly Column[], separator = c.separator, unitOf?: (column: Column) => string) => {
    if (c.names === 'none') return [];
    const units = hasUnits ? [join(unitsOf(columns, unitOf), separator)] : [];
    const groups = c.names === 'groups' ? [join([...lead, 'Chamber 2'], separator)] : [];
    return [...groups, join(headerOf(columns, unitOf), separator), ...units];
  };

  const wallStart = wallOf(c.startMs);
  const day = writeStamp('columns', wallStart, 0)[0] as string;
  const clock = writeStamp('timeOfDay', wallStart, 0)[0] as string;
  const head = c.head.flatMap((kind) => headLines(kind, c.separator, day));
  if (place === 'head')
    head.push(`Time zone: ${writeOffset(c.offset.style === '(GMT+h)' ? 'UTC+h' : c.offset.style, minutes)}`);
  if (place === 'start') head.push(`Start: ${day}T${clock.slice(0, 8)}${writeOffset('+hh:mm', minutes)}`);
  if (c.head.includes('zone') && place === 'none' && isStamp) head.push('Time zone: W. Europe Standard Time');
  if (isRelative && c.startAt === 'two lines') head.push(`Date: ${day}`, `Time: ${clock}`);
  if (isRelative && c.startAt === 'head') head.push(`Start: ${day} ${clock}`);

  const lines: string[] = [...head];
  lines.push(...headerLines(c.columns, c.edit === 'saved above' ? ';' : c.separator));
  if (c.edit === 'limits' && c.names !== 'none')
    for (const limit of LIMITS)
      lines.push(join([limit, ...lead.slice(1), ...unitsOf(c.columns, () => '1').slice(lead.length)]));
  const skipped = new Set<number>();
  const lineOf: number[] = [];
  for (let row = 0; row < c.rows; row++) {
    const separator = isSaved(row) ? ';' : c.separator;
    const line = join(rowCells(row), separator);
    if (row === editRow) {
      if (c.edit === 'header again') lines.push(...headerLines(c.columns).slice(-1 - Number(hasUnits)));
      if (c.edit === 'other unit')
        lines.push(...headerLines(c.columns, c.separator, otherUnit).slice(-1 - Number(hasUnits)));
      if (c.edit === 'column added with header') {
        const column: Column = { ...(c.columns[0] as Column), name: 'Added', unit: '', status: null };
        lines.push(...headerLines([...c.columns, column]).slice(-1 - Number(hasUnits)));
      }
      if (c.edit === 'blank lines') lines.push('', '  ');
      if (c.edit === 'sum line') lines.push('Layer 2 finished, thickness 12.5 nm');
      if (c.edit === 'torn') {
        skipped.add(row);
        // A decimal comma within quotes ends no cell.
        const end = c.quotes === 'all' ? line.lastIndexOf(`"${separator}"`) + 1 : line.lastIndexOf(separator);
        lines.push(line.slice(0, end).slice(0, -3));
        continue;
      }
      if (c.edit === 'zeros' || c.edit === 'marks') {
        lineOf[row] = lines.push((c.edit === 'zeros' ? '\0'.repeat(40) : '\uFEFF\f') + line);
        continue;
      }
    }
    lineOf[row] = lines.push(line);
  }
  if (c.edit === 'blank tail') lines.push('', '   ', '');
  if (c.edit === 'means') for (const mean of ['Mean', 'Minimum']) lines.push(join([mean, ...(numbers[0] as string[])]));
  let text = lines.map((line) => line + c.end).join('');
  if (c.edit === 'cut off') {
    skipped.add(c.rows - 1);
    text = text.slice(0, -c.end.length - 3);
  }

  const isStopped = isOneOf(['other unit', 'cell unit', 'unit column'], c.edit);
  // An empty cell shows no unit.
  const isShown = (row: number) =>
    row >= editRow && (c.edit === 'other unit' || !Number.isNaN(readBack(numbers[row]?.[0] as string)));
  const shownAt = instants.findIndex((_, row) => isStopped && isShown(row));
  const pointsOf = (valueAt: (row: number) => number): TruePoint[] =>
    instants.flatMap((timeMs, row) => {
      const [line, value] = [lineOf[row], valueAt(row)];
      return line === undefined || skipped.has(row) || Number.isNaN(value) ? [] : [{ line, timeMs, value }];
    });
  const lastMs = instants.at(-1) as number;
  const modifiedMs = c.changed === 'live' ? lastMs + 2000 : c.changed === 'copied' ? NOW_MS - 86_400_000 : 0;
  const namesOf = (column: Column, index: number): string[] => {
    const at = lead.length + c.columns.slice(0, index).reduce((sum, { status }) => sum + (status === null ? 1 : 2), 0);
    return accepted(column, c.names, at + 1, hasUnits, c.separator === '   ' ? 5 : 1);
  };
  const inUnit = (names: readonly string[], unit: string) => names.map((name) => name.replace(/\|.*$/, `|${unit}`));
  const channels = c.columns.flatMap((column, index): TrueChannel[] => {
    const names = namesOf(column, index);
    // A unit in the cells is that of the channel where its header tells none.
    const isInCell = c.edit === 'cell unit' || column.status === 'unit';
    const own = isInCell ? [...names, ...inUnit(names, 'mbar')] : names;
    const valueAt = (row: number) => {
      const isGone = c.edit === 'column gone' && row >= editRow && index === c.columns.length - 1;
      return isGone || isBad(c, row, index) ? Number.NaN : readBack(numbers[row]?.[index] as string);
    };
    const isOther = isStopped && (c.edit === 'other unit' || index === 0);
    if (!isOther) return [{ names: own, points: pointsOf(valueAt) }];
    // A value in another unit than the channel has is none of its.
    const other =
      c.edit === 'other unit' ? namesOf({ ...column, unit: otherUnit(column) }, index) : inUnit(names, 'Torr');
    if (other.join() === own.join()) return [{ names: own, points: pointsOf(valueAt) }];
    const from = (isBehind: boolean) => pointsOf((row) => (row >= editRow === isBehind ? valueAt(row) : Number.NaN));
    return [
      { names: own, points: from(false) },
      { names: other, points: from(true), isOptional: c.edit !== 'other unit' },
    ];
  });
  if (c.counter) channels.unshift({ names: ['#|', 'column 1|'], points: pointsOf((row) => row + 1) });
  if (c.edit.startsWith('column added')) {
    const points = pointsOf((row) => (row >= editRow ? Number(extra[row]) : Number.NaN));
    channels.push({ names: ['Added|', 'column 1|'], points, isOptional: true });
  }
  // The part of a second may be a channel as well, as long as the times have it.
  if (c.time === 'msColumn') {
    const points = pointsOf((row) => wallOf(instants[row] as number) % 1000);
    channels.push({ names: ['ms|', 'column 1|'], points, isOptional: true });
  }
  const isComplete = isWellFormed(c, numbers);
  const truth = {
    channels,
    toleranceMs: /excel|matlab/.test(c.time) ? 1 : 0.01,
    isWellFormed: isComplete,
    isOpen: !isComplete,
    ...(shownAt !== -1 && { changedFrom: lineOf[shownAt] as number }),
  };
  return {
    bytes: encode(text, c.encoding, c.language),
    path: pathOf(c, day, clock),
    modifiedMs: Math.min(modifiedMs, NOW_MS),
    truth,
  };
}

const STATUS_NAMES: Readonly<Record<string, string>> = { unit: 'Unit', quality: 'Quality', code: 'Quality' };

function nameText({ name, written }: Column, unit: string): string {
  if (unit === '' || written === 'none') return name;
  const told = { square: `${name} [${unit}]`, round: `${name} (${unit})`, slash: `${name}/${unit}` } as Record<
    string,
    string
  >;
  const others = { comma: `${name}, ${unit}`, in: `${name} in ${unit}`, blank: `${name} ${unit}` } as Record<
    string,
    string
  >;
  return told[written] ?? others[written] ?? name;
}

function otherUnit({ unit, written }: Column): string {
  return unit === '' || written === 'none' ? unit : unit === 'Torr' ? 'mbar' : 'Torr';
}

/** What a channel may be called: the name with its unit apart, or all that the header says, untouched. */
function accepted(column: Column, names: Choices['names'], place: number, hasUnits: boolean, places: number): string[] {
  // A stamp with blanks may count for several columns.
  if (names === 'none') return Array.from({ length: places }, (_, more) => `column ${place + more}|`);
  if (hasUnits) return [`${column.name}|${column.unit}`];
  const unit = names === 'units line' ? '' : column.unit;
  const whole = nameText(column, unit);
  const split = column.written === 'none' ? [] : [`${column.name}|${unit}`, `${whole}|${unit}`];
  return [`${whole}|`, ...split];
}

function pathOf(c: Choices, day: string, clock: string): string {
  const compact = day.replaceAll('-', '');
  const time = clock.slice(0, 8).replaceAll(':', '');
  if (isOneOf(RELATIVE, c.time) && c.startAt === 'name') return `run_${compact}_${time}.txt`;
  if (isOneOf(RELATIVE, c.time) && c.startAt === 'folder')
    return `${day} ${clock.slice(0, 8).replaceAll(':', '-')}/values.csv`;
  return { plain: 'log.txt', day: `log_${day}.csv`, stamp: `log_${compact}_${time}.txt`, sample: 'A1417_GaN.dat' }[
    c.path
  ];
}

const HARMLESS = ['none', 'blank lines', 'blank tail', 'header again', 'cut off', 'means', 'marks'];

/** Nothing is missing that a person would need as well. */
function isWellFormed(c: Choices, numbers: readonly (readonly string[])[]): boolean {
  const isRelative = isOneOf(RELATIVE, c.time);
  const isDated = c.path === 'day' || c.path === 'stamp' || c.head.includes('date');
  const isTold = isDated || c.changed === 'live';
  if (!HARMLESS.includes(c.edit)) return false;
  if (isOneOf(['twelve', 'yearless', 'weekday', 'excelParts', 'clockNumber', 'since-1900', 'excel-1904'], c.time))
    return false;
  if (c.numbers !== 'plain' || (c.language !== 'English' && c.encoding === 'latin1')) return false;
  if (isRelative && (c.startAt === 'none' || c.names === 'none' || c.edit === 'header again')) return false;
  if (isRelative && isOneOf(['stamp', 'day'], c.path) && c.startAt === 'folder') return false;
  if (isOneOf(['british', 'american'], c.time) && new Date(c.startMs).getUTCDate() < 13 && !isDated) return false;
  if (isOneOf(['since-1904', 'excel', 'igor'], c.time) && !isTold) return false;
  // Where no second has several lines nothing shows that the column is a part of it.
  if (c.time === 'msColumn' && (c.stepMs !== 250 || c.rows < 8)) return false;
  // A head with only the day hides the start in the name.
  if (isRelative && c.head.includes('date') && c.startAt !== 'head') return false;
  // Without a name a time behind other numbers is one of them.
  if (c.counter && !isOneOf(STAMPS, c.time) && (c.names === 'none' || c.timeName === 'Elapsed')) return false;
  // Two clocks in one file.
  if (c.offset.place === 'start' || c.isFall === true) return false;
  if (c.time === 'mmss' && c.fraction === 0 && c.timeName !== 'Elapsed') return false;
  if (c.head.includes('cells') && c.names === 'none') return false;
  // 1.234 is one or a thousand where every number is written so.
  const isFixed = numbers.flat().every((cell) => /^-?(?:\d{1,3}\.\d{3}|\d+)$/.test(cell) || cell === c.token);
  return !isFixed;
}
