// Finds the columns that hold the time of a line, and every format in which they can be read.

import { parseDecimalText } from './decimal.ts';
import { listStampFormats } from './stamp-shapes.ts';
import { compileTimeFormat } from './time-format.ts';

export interface TimeCandidate {
  /** Columns from 0, in the order in which they are joined with a blank. */
  readonly columns: readonly number[];
  readonly formats: readonly string[];
}

const TIME_HEADER = /time|date|stamp|zeit|datum|epoch|unix|utc|clock|heure|hora|fecha/i;
const SECONDS = { format: 'unix-seconds', least: 8e8, most: 4.2e9 } as const;
const MILLISECONDS = { format: 'unix-ms', least: 8e11, most: 4.2e12 } as const;

const encoder = new TextEncoder();

/** Join the time cells of a row. */
export function joinTimeCells(row: readonly string[], columns: readonly number[]): string {
  return columns.map((column) => row[column] ?? '').join(' ');
}

/**
 * Keep the formats that read every given row.
 * **Takes**: rows, columns, formats, decimal mark. **Gives**: the formats in their order.
 */
export function keepReading(
  rows: readonly (readonly string[])[],
  columns: readonly number[],
  formats: readonly string[],
  decimal: '.' | ',',
  isTimeOnly = false,
): string[] {
  const texts = rows.map((row) => encoder.encode(joinTimeCells(row, columns)));
  return formats.filter((format) => {
    const reader = compileTimeFormat(format, { decimal, isTimeOnly });
    return texts.every((bytes) => reader.read(bytes, 0, bytes.length));
  });
}

/**
 * List what could be the time of a line, best first.
 *
 * **Takes**: some rows that hold data, the header cells (empty list: none), the decimal mark.
 * **Gives**: candidates: one column with full stamps, else a date and a time column, else Unix time in a column that the
 * header calls time or that stands first. A column named after time comes before one that is not.
 */
export function findTimeColumns(
  rows: readonly (readonly string[])[],
  headers: readonly string[],
  decimal: '.' | ',',
): TimeCandidate[] {
  const last = rows.at(-1) ?? [];
  const shapes = last.map(listStampFormats);
  const byName = (a: TimeCandidate, b: TimeCandidate) => rank(a) - rank(b);
  const rank = ({ columns }: TimeCandidate) => (columns.some((c) => TIME_HEADER.test(headers[c] ?? '')) ? 0 : 1);
  const stamps: TimeCandidate[] = shapes.flatMap((shape, column) =>
    shape?.kind === 'stamp' ? [{ columns: [column], formats: shape.formats }] : [],
  );
  const found = stamps.sort(byName);
  const date = shapes.findIndex((shape) => shape?.kind === 'date');
  const time = shapes.findIndex((shape) => shape?.kind === 'time');
  if (date !== -1 && time !== -1) {
    const columns = [Math.min(date, time), Math.max(date, time)];
    const [first, second] = columns.map((column) => shapes[column]?.formats ?? []);
    const formats = (first ?? []).flatMap((one) => (second ?? []).map((other) => `${one} ${other}`));
    found.push({ columns, formats });
  }
  found.push(...findUnixColumns(rows, headers, decimal).sort(byName));
  return found;
}

function findUnixColumns(
  rows: readonly (readonly string[])[],
  headers: readonly string[],
  decimal: '.' | ',',
): TimeCandidate[] {
  const found: TimeCandidate[] = [];
  for (let column = 0; column < (rows.at(-1)?.length ?? 0); column++) {
    if (column > 0 && !TIME_HEADER.test(headers[column] ?? '')) continue;
    // Headers may stand among the rows.
    const cells = rows.map((row) => parseDecimalText(row[column] ?? '', decimal));
    const values = cells.filter((value) => !Number.isNaN(value));
    if (values.length * 2 < rows.length) continue;
    const isRising = values.every((value, i) => i === 0 || value >= (values[i - 1] as number));
    for (const { format, least, most } of [SECONDS, MILLISECONDS]) {
      if (isRising && values.every((value) => value >= least && value <= most))
        found.push({ columns: [column], formats: [format] });
    }
  }
  return found;
}
