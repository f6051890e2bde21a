// A log that looks like that of a growth: 20 channels of temperatures (583.42), pressures (3.201E-09), positions (18278.1),
// fluxes (0.4213), shutters and set points, in the shares and with the noise that such logs have. By formula, so that any
// length of it can be written, and the same at each run.

/** Channels of the log. */
export const GROWTH_COLUMNS = 20;
/** The first row's time, Unix milliseconds. */
const GROWTH_START_MS = Date.UTC(2025, 10, 20);
const ROWS_A_PIECE = 2000;

/** A number from 0 up to 1 for each pair, without order. */
function noise(row: number, column: number): number {
  let mixed = (Math.imul(row + 1, 0x9e3779b1) ^ Math.imul(column + 1, 0x85ebca6b)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}

/** `3.201E-09`. */
function exponential(value: number): string {
  const [digits, power = ''] = value.toExponential(3).split('e');
  return `${digits}E${power.charAt(0)}${power.slice(1).padStart(2, '0')}`;
}

/** What stands in a column of a row. Of 20: 7 temperatures, 5 pressures, 2 positions, 2 fluxes, 2 shutters, 2 set points. */
function cell(column: number, row: number): string {
  const slow = Math.sin(row / 700 + column);
  const jitter = noise(row, column) - 0.5;
  if (column < 7) return (583 + 40 * column + 3 * slow + jitter).toFixed(2);
  if (column < 12) return exponential(10 ** (column - 16) * (3.2 + 0.6 * slow + 0.3 * jitter));
  if (column < 14) return (18_278 + row * 0.01 + jitter).toFixed(1);
  if (column < 16) return (0.42 + 0.02 * slow + 0.01 * jitter).toFixed(4);
  if (column < 18) return String(Math.floor(row / (300 + 50 * column)) % 2);
  return String(500 + 10 * (Math.floor(row / 5000) % 8));
}

/** The header: the time and plainly named channels. */
export const growthHeader = () =>
  `time,${Array.from({ length: GROWTH_COLUMNS }, (_, column) => `channel ${column + 1}`).join(',')}\n`;

/** A row with the time at which it was read, Unix milliseconds. */
export function growthRow(row: number, timeMs: number): string {
  let text = new Date(timeMs).toISOString().replace('T', ' ').replace('Z', '');
  for (let column = 0; column < GROWTH_COLUMNS; column++) text += `,${cell(column, row)}`;
  return `${text}\n`;
}

/** A whole log with a row a second. */
export function* growthText(rows: number): Generator<string> {
  yield growthHeader();
  for (let from = 0; from < rows; from += ROWS_A_PIECE) {
    let piece = '';
    const to = Math.min(rows, from + ROWS_A_PIECE);
    for (let row = from; row < to; row++) piece += growthRow(row, GROWTH_START_MS + row * 1000);
    yield piece;
  }
}
