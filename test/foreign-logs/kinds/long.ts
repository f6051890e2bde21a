// A log longer than the head that is looked at first, with something behind that which its first lines do not show.
import { type WrittenLog, ZONE } from '../truth.ts';
import { wallClock } from '../write-stamp.ts';
import { type Draw, Table } from './draw.ts';

/** Rows that fill more than 64 KiB, the shortest with some 28 bytes each. */
const ROWS = 2700;
const STEP_MS = 20_000;

const two = (n: number) => String(n).padStart(2, '0');

/** A day from noon on: past midnight its hours have one digit, or its head comes again, or a channel is over its range. */
export function longLog(draw: Draw): WrittenLog {
  const table = new Table(draw, { least: ROWS });
  const late = draw.one(['hours', 'head', 'sentinel', 'trailer', 'nothing']);
  const shift = wallClock(table.startMs, ZONE) - table.startMs;
  const day = new Date(table.startMs + shift).toISOString().slice(0, 10);
  const firstMs = Date.parse(`${day}T12:00:00Z`) - shift;
  const head = table.join('Time', ...table.namesWithUnits);
  const log = table.log().lines(head);
  const at = table.count - draw.int(50, 200);
  for (let row = 0; row < table.count; row++) {
    const timeMs = firstMs + row * STEP_MS;
    const wall = new Date(timeMs + shift);
    const hour = late === 'hours' ? String(wall.getUTCHours()) : two(wall.getUTCHours());
    const stamp = `${wall.toISOString().slice(0, 10)} ${hour}:${two(wall.getUTCMinutes())}:${two(wall.getUTCSeconds())}`;
    const isOver = late === 'sentinel' && row >= at && row % 7 === 0;
    const cells = table
      .cells(row)
      .map((cell, index) => (isOver && index === 0 ? '1.0E+38'.replace('.', table.mark) : cell));
    const values = table.values(row).map((value, index) => (isOver && index === 0 ? Number.NaN : value));
    if (late === 'head' && row === at) log.lines(head);
    log.row(table.join(stamp, ...cells), timeMs, ...values);
  }
  if (late === 'trailer') log.lines('', 'Summary', `Rows: ${table.count}`, 'END OF FILE');
  return log.done({ end: table.end });
}
