// A log as a growth tool writes it, by formula: temperatures, pressures, fluxes, shutters, set points, with the digits that such
// tools give. Pieces of whole rows, so that any length of it can be written.
import { logValue } from './growth-log.ts';

/** The first row's time, Unix milliseconds. */
const LOG_START_MS = Date.UTC(2025, 10, 20);
const ROWS_A_PIECE = 5000;

/** The header: the time and plainly named channels. */
export const logHeader = (columns: number) =>
  `time,${Array.from({ length: columns }, (_, column) => `channel ${column + 1}`).join(',')}\n`;

/** A row with the time at which it was read, Unix milliseconds. */
export function logRow(columns: number, row: number, timeMs: number): string {
  let text = new Date(timeMs).toISOString().replace('T', ' ').replace('Z', '');
  for (let column = 0; column < columns; column++) text += `,${logValue(column, row)}`;
  return `${text}\n`;
}

/** A whole log with a row a second. */
export function* logText(columns: number, rows: number): Generator<string> {
  yield logHeader(columns);
  for (let from = 0; from < rows; from += ROWS_A_PIECE) {
    let piece = '';
    const to = Math.min(rows, from + ROWS_A_PIECE);
    for (let row = from; row < to; row++) piece += logRow(columns, row, LOG_START_MS + row * 1000);
    yield piece;
  }
}
