// The head of an event log cut into rows. Its lines hold free text, so their number of cells says nothing: what makes a
// line one is the stamp at its beginning.
import type { Dialect } from '../../../model/dialect.ts';
import { shapeOfCell, TOKEN } from '../cells/cell-shape.ts';
import { splitCells } from '../cells/cells.ts';
import { isNamed } from '../cells/is-named.ts';
import { isUnit, unitIn, withoutUnit } from '../cells/unit-grammar.ts';
import { isOddNumber } from '../columns/odd-numbers.ts';
import { joinTimeCells, keepReading, mayBeCounter } from '../columns/time-columns.ts';
import { listStampFormats } from '../time/stamp-shapes.ts';
import { compileTimeFormat } from '../time/time-format.ts';
import type { Cut, Line } from './cut.ts';
import { columnIndexes, commonWidth, isTimeOfDay, rowsOf, separatorsOf } from './table-cut.ts';

/** Where stamps stand that no dialect names: from the first cell on, or behind a number of the line. */
const PLACES: readonly (readonly number[])[] = [[0], [0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 3, 4], [1], [1, 2]];

/** True when the dialect says that this file is an event log. */
export function isEventFile({ events }: Dialect, path: string): boolean {
  if (typeof events === 'boolean') return events;
  return events.some((glob) => isNamed(path, glob));
}

/**
 * Cut the head of an event log.
 *
 * @returns the way in which most lines begin with a stamp; null when there is none in which half of them do.
 */
export function cutEvents(lines: readonly Line[], dialect: Dialect): Cut | null {
  let best: Cut | null = null;
  for (const delimiter of separatorsOf(dialect, ['\t', ';', '|', ',', 'whitespace'])) {
    const rows = rowsOf(lines, delimiter, dialect);
    for (const time of timesOf(rows, dialect)) {
      const cut = tryEvents(rows, delimiter, time, dialect);
      if (cut !== null && (best === null || isBetter(cut, best))) best = cut;
    }
  }
  return best;
}

/** Of two ways that read as many lines the one with the longer stamp: it leaves no part of it, such as `,123`, to the text. */
function isBetter(cut: Cut, other: Cut): boolean {
  const lengthOf = ({ rows, first, time }: Cut) => joinTimeCells(rows[first] ?? [], time.columns).length;
  return cut.fit > other.fit || (cut.fit === other.fit && lengthOf(cut) > lengthOf(other));
}

function timesOf(rows: readonly (readonly string[])[], dialect: Dialect): Cut['time'][] {
  const { column, format } = dialect.time;
  const places = column === 'auto' ? PLACES : [columnIndexes(column, rows)];
  const found: Cut['time'][] = [];
  for (const columns of places) {
    if (columns.some((index) => index < 0)) continue;
    if (format !== 'auto') found.push({ columns, formats: [format] });
    else {
      // The last line with a full stamp there tells how it is written.
      for (const row of rows.slice(-50).reverse()) {
        const shape = listStampFormats(joinTimeCells(row, columns));
        if (shape?.kind !== 'stamp') continue;
        if (columns.length > 1 && mayBeCounter(rows.slice(-50), columns, shape.formats)) break;
        found.push({ columns, formats: shape.formats });
        break;
      }
    }
  }
  return found;
}

function tryEvents(
  rows: readonly (readonly string[])[],
  delimiter: string,
  time: Cut['time'],
  dialect: Dialect,
): Cut | null {
  const isTimeOnly = isTimeOfDay(dialect);
  const readers = time.formats.map((format) => compileTimeFormat(format, { isTimeOnly }));
  const encoder = new TextEncoder();
  const isEvent = (row: readonly string[]) => {
    const bytes = encoder.encode(joinTimeCells(row, time.columns));
    return readers.some((reader) => reader.read(bytes, 0, bytes.length));
  };
  const stamped = rows.flatMap((row, index) => (row.length > 0 && isEvent(row) ? [index] : []));
  const [first] = stamped;
  if (first === undefined) return null;
  const after = rows.slice(first).filter((row) => row.length > 0).length;
  const fit = stamped.length / after;
  if (fit < 0.5) return null;
  const common = headerWidth(rows, first) ?? commonWidth(stamped.map((index) => rows[index] ?? []));
  const width = Math.max(common, ...time.columns.map((c) => c + 1));
  const last = rows[stamped.at(-1) ?? first] ?? [];
  const formats = keepReading([last], time.columns, time.formats, '.', isTimeOnly);
  return {
    delimiter,
    decimal: '.',
    rows,
    first,
    width,
    time: { columns: time.columns, formats },
    fit,
    reads: stamped.length,
  };
}

/** Cells of the line of names above the first event; null when there is none. */
function headerWidth(rows: readonly (readonly string[])[], first: number): number | null {
  const above = rows.slice(0, first).findLast((row) => row.length > 0);
  const isNames = above?.every((cell) => cell === '' || shapeOfCell(cell, '.') === 'text') === true;
  return above !== undefined && isNames && above.length > 1 ? above.length : null;
}

/**
 * True where hardly a word stands in any line, and a number in each: values behind a stamp that is not understood, such as
 * one with the name of a zone that can be several.
 */
export function isMeasured(cut: Cut): boolean {
  const texts = textsOf(cut);
  const values = texts.filter((text) => {
    const cells = text.split(/[\s,;|]+/).filter((cell) => cell !== '');
    // OVER stands for a number.
    const words = cells.filter((cell) => /\p{L}{2}/u.test(cell) && !TOKEN.test(cell)).length;
    // Digits without a word are a value, however it is written.
    return words <= 1 && cells.some((cell) => /\d/.test(cell) && !/\p{L}{2}/u.test(cell));
  });
  return values.length >= texts.length * 0.9;
}

/** Separators that cut a table, and no sentence. */
const MARKS = ['\t', ';', '|', ',', 'wide'] as const;

/**
 * Tell whether the lines of a cut are a table for all that: under one separator nearly all that begin with a stamp have as many
 * cells, and a column behind the first holds numbers in any form, also such as are not read. Single blanks cut sentences as
 * well: there only a number right behind the stamp counts.
 */
export function isTable(
  { rows, first, delimiter, time, decimal }: Cut,
  lines: readonly Line[],
  dialect: Dialect,
): boolean {
  const isTimeOnly = time.needs === 'day' || isTimeOfDay(dialect);
  const isStamped = (row: readonly string[]) =>
    keepReading([row], time.columns, time.formats, decimal, isTimeOnly).length > 0;
  const stamped = lines.slice(first).filter((_, index) => isStamped(rows[first + index] ?? []));
  const isMost = (count: number, of: number) => of > 0 && count >= of * 0.9;
  const isCutBy = (mark: string, isOwn: (column: number) => boolean) => {
    const cut = stamped.map(({ text }) => splitCells(text, mark));
    const width = commonWidth(cut);
    const fitting = cut.filter((row) => row.length === width);
    const isFull = (column: number) =>
      isOwn(column) && isMost(fitting.filter((row) => isValue(row[column] ?? '')).length, fitting.length);
    return isMost(fitting.length, cut.length) && (fitting[0] ?? []).some((_, column) => isFull(column));
  };
  const isBehind = (mark: string) => (column: number) =>
    column > 0 && !(mark === delimiter && time.columns.includes(column));
  if (MARKS.some((mark) => isCutBy(mark, isBehind(mark)))) return true;
  const next = Math.max(...time.columns) + 1;
  return delimiter === 'whitespace' && isCutBy(delimiter, (column) => column === next);
}

/** A number in any form, with its unit or without. */
function isValue(cell: string): boolean {
  const number = withoutUnit(cell);
  if (isUnit(unitIn(cell))) return true;
  return isOddNumber(number) || (['.', ','] as const).some((mark) => shapeOfCell(number, mark) === 'number');
}

/** The zone of a stamp that is not understood: it says nothing of the line. */
const ZONE = /^\s*(?:GMT|UTC)?[+-]\d\d:?\d\d(?:\s*\([^)]*\))?[\s,;]*/;

/** What stands behind the stamps, line by line. */
export function textsOf({ rows, first, time }: Cut): string[] {
  return rows
    .slice(first)
    .filter((row) => row.length > 0)
    .map((row) =>
      row
        .filter((_, index) => !time.columns.includes(index))
        .join(' ')
        .replace(ZONE, ''),
    );
}

/** Words that a line of prose has on the average. */
const PROSE_WORDS = 4;

/** True for lines of sentences behind a stamp, without names above them: a number in such a line belongs to its text. */
export function isProse(cut: Cut): boolean {
  if (headerWidth(cut.rows, cut.first) !== null) return false;
  const lines = textsOf(cut).map((text) => text.split(/\s+/).filter((cell) => cell !== ''));
  const wordsOf = (cells: readonly string[]) =>
    cells.filter((cell) => /\p{L}{2}/u.test(cell) && !cell.includes('=')).length;
  const prose = lines.filter((cells) => wordsOf(cells) * 3 >= cells.length * 2).length;
  const words = lines.reduce((sum, cells) => sum + wordsOf(cells), 0);
  return prose >= lines.length * 0.9 && words >= PROSE_WORDS * lines.length;
}

/** True where nearly each line holds a number with a unit behind it: IG: 1.5E-07 Torr. No event says one each time. */
export function holdReadings(cut: Cut): boolean {
  const texts = textsOf(cut);
  const reads = texts.filter((text) => {
    const cells = text.split(/[\s;,]+/);
    const isReading = (cell: string, index: number) =>
      shapeOfCell(cell, cut.decimal) === 'number' && isUnit(cells[index + 1] ?? '');
    return cells.some(isReading);
  });
  return texts.length > 0 && reads.length >= texts.length * 0.9;
}

/**
 * True for lines that begin with a word, without names above them, and hold more words than numbers, which count things: `Layer 3
 * started`. A table is cut at its blanks just as well.
 */
export function mayBeSentences(cut: Cut): boolean {
  if (headerWidth(cut.rows, cut.first) !== null) return false;
  const lines = textsOf(cut).map((text) => text.split(/\s+/).filter((cell) => cell !== ''));
  const isSentence = (cells: readonly string[]) => {
    const words = cells.filter((cell) => /^\p{L}{2}/u.test(cell)).length;
    const others = cells.filter((cell) => /\d/.test(cell));
    return /^\p{L}{2}/u.test(cells[0] ?? '') && words > others.length && others.every((cell) => /^\d+$/.test(cell));
  };
  return lines.length > 0 && lines.filter(isSentence).length >= lines.length * 0.9;
}

/** True when the lines of a file are words rather than values, so that a file of no known table is an event log. */
export function isWordy(cut: Cut): boolean {
  const { delimiter } = cut;
  const texts = textsOf(cut);
  const wordy = texts.filter((text) => {
    const cells = splitCells(text, delimiter === 'whitespace' ? 'whitespace' : ' ');
    const words = cells.filter((cell) => /\p{L}{2}/u.test(cell)).length;
    return words > 0 && words * 2 >= cells.length;
  });
  return wordy.length > 0 && wordy.length >= texts.length * 0.9;
}
