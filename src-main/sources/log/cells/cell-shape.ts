// What one cell looks like, for recognition only. The row parser has its own, exact rules.
import { parseDecimalText } from '../time/decimal.ts';
import { listStampFormats } from '../time/stamp-shapes.ts';
import { isElapsed } from '../time/time-format.ts';

/** Stands behind a value that its line calls bad, before what it says. */
export const NOT_GOOD = '(not good: ';

/** Words that stand where a number should be: they say nothing about whether the column holds numbers. */
export const TOKEN =
  /^(nan|[-+]?inf(inity)?|1\.#\S*|over\S*|under\S*|ovl|ol|ovfl?|err(or)?|e|fault|invalid|-+|\*+|\?+|#+|n\/?a|null|none|undefined|missing|.*\(not good: .*\))$/i;

const GROUPED = /^[+-]?[1-9]\d{0,2}(?:[.,]\d{3})+$/;

/** True for a number whose mark may group the digits of thousands: 1.000, 60,470. */
export function mayBeGrouped(text: string): boolean {
  return GROUPED.test(text);
}

export type CellShape = 'empty' | 'number' | 'stamp' | 'date' | 'time' | 'token' | 'text';

/**
 * Tell what a cell looks like.
 *
 * @param cell - a trimmed cell.
 * @param decimal - the decimal mark.
 * @returns its shape; `token` is a word such as NaN, OVER or ---.
 */
export function shapeOfCell(cell: string, decimal: '.' | ','): CellShape {
  if (cell === '') return 'empty';
  if (!Number.isNaN(parseDecimalText(cell, decimal))) return 'number';
  if (TOKEN.test(cell)) return 'token';
  return isElapsed(cell) ? 'time' : (listStampFormats(cell)?.kind ?? 'text');
}

/** Words that tell a state. They name no channel; with others they are texts (`Cool down`). */
const STATES =
  /^(true|false|on|off|open(ed)?|closed?|ein|aus|auf|zu|offen|geschlossen|yes|no|ja|nein|ok|ready|idle|run(ning)?|stop(ped)?|auto|man(ual)?|hold|ramp(ing)?|up|down|high|low|good|bad|alarm|warning|normal|enabled|disabled|active|inactive)$/i;

/** True for a word that stands for a state, as `OFF` does where a gauge gives no value. */
export function isStateWord(cell: string): boolean {
  return STATES.test(cell);
}

/**
 * Tell whether a cell holds what another separator than its line's sets apart: `568969907;480`. Such a line was written by
 * another program, and its number of cells is chance: 44311,568969907;480,593;1 has three between commas.
 */
export function holdsSeveral(cell: string): boolean {
  return /\d\s*[;\t|]\s*[+-]?[.,]?\d/.test(cell);
}
