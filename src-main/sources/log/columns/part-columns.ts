// Stamps whose parts stand in columns of their own: Year, Month, Day, Hour, Minute, Second.

import { parseDecimalText } from '../time/decimal.ts';
import type { TimeCandidate } from './time-candidate.ts';

interface Part {
  readonly name: RegExp;
  readonly format: string;
  readonly least: number;
  readonly most: number;
}

/** In the order in which they are joined. */
const PARTS: readonly Part[] = [
  { name: /^(?:year|yyyy|jahr|année|año)$/i, format: 'yyyy', least: 1990, most: 2060 },
  { name: /^(?:month|mon|mo|mm|monat|mois|mes)$/i, format: 'MM', least: 1, most: 12 },
  { name: /^(?:day|dd|tag|jour|día)$/i, format: 'dd', least: 1, most: 31 },
  { name: /^(?:hours?|hr|hh?|stunden?|std|heure|hora)$/i, format: 'HH', least: 0, most: 23 },
  { name: /^(?:minutes?|min|mi|mm|minuten)$/i, format: 'mm', least: 0, most: 59 },
  { name: /^(?:seconds?|secs?|ss?|sekunden?|sek)$/i, format: 'ss', least: 0, most: 60.999 },
];
/** Year, month, day and hour at least. */
const PARTS_MIN = 4;
/** Without names only all six, one behind the other, are told from other numbers. */
const BEGINS_MAX = 3;

type Rows = readonly (readonly string[])[];

/**
 * Find the columns that hold the parts of a stamp.
 *
 * @param rows - as `findTimeColumns`.
 * @returns the columns from the year on, with their format; null: there are none. Without names of columns six numbers that can
 *   be nothing else are taken, too.
 */
export function findPartColumns(rows: Rows, headers: readonly string[], decimal: '.' | ','): TimeCandidate | null {
  const columns = namedColumns(headers) ?? namelessColumns(rows, headers, decimal);
  if (columns === null) return null;
  const own = rows.slice(rows.findLastIndex((row) => !isStamp(row, columns, decimal)) + 1);
  if (own.length === 0) return null;
  const seconds = columns.length === PARTS.length ? `${decimal}SSS` : '';
  const format = PARTS.slice(0, columns.length)
    .map((part) => part.format)
    .join(' ');
  return { columns, formats: [format + seconds] };
}

/**
 * Find the columns whose headers name the parts of a stamp.
 *
 * @returns their places from the year on; null where fewer than year, month, day and hour are named.
 */
export function namedColumns(headers: readonly string[]): number[] | null {
  const clean = headers.map((header) => header.replace(/[\s_]*[[(].*$/, '').trim());
  const columns: number[] = [];
  for (const { name } of PARTS) {
    const column = clean.findIndex((header, index) => name.test(header) && !columns.includes(index));
    if (column === -1) break;
    columns.push(column);
  }
  return columns.length < PARTS_MIN ? null : columns;
}

/** True for the name of one part: Hour. */
export function namesPart(header: string): boolean {
  return PARTS.some(({ name }) => name.test(header));
}

function namelessColumns(rows: Rows, headers: readonly string[], decimal: '.' | ','): number[] | null {
  if (headers.some((header) => header !== '') || rows.length < 2) return null;
  for (let begin = 0; begin < BEGINS_MAX; begin++) {
    const columns = PARTS.map((_, index) => begin + index);
    if (rows.every((row) => isStamp(row, columns, decimal))) return columns;
  }
  return null;
}

function isStamp(row: readonly string[], columns: readonly number[], decimal: '.' | ','): boolean {
  return columns.every((column, index) => {
    const { least, most, format } = PARTS[index] as Part;
    const cell = row[column] ?? '';
    const value = parseDecimalText(cell, decimal);
    return value >= least && value <= most && (format === 'ss' || /^\d+$/.test(cell));
  });
}
