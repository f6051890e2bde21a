// Logs whose time needs a second look: seconds beside a stamp, hours without a zero, a date that comes late, time since a start.
import { type WrittenLog, ZONE } from '../truth.ts';
import { wallClock, writeStamp } from '../write-stamp.ts';
import { type Draw, Table } from './draw.ts';

const two = (n: number) => String(n).padStart(2, '0');

/** Seconds since 1970 beside a stamp, which prove its zone. */
export function unixBeside(draw: Draw): WrittenLog {
  const table = new Table(draw, { forms: ['isoBlank', 'german', 'columns', 'slashes'] });
  const [name, scale] = draw.one([
    ['EPOCH_TIME', 1000],
    ['unix', 1000],
    ['Unix Time', 1000],
    ['epoch_ms', 1],
  ] as const);
  const zone = draw.one(['UTC', 'UTC', ZONE, 'America/New_York', 'Asia/Tokyo']);
  const place = draw.one(['first', 'behind', 'last'] as const);
  const put = (time: readonly string[], values: readonly string[], own: string) =>
    table.join(
      ...(place === 'first' ? [own] : []),
      ...time,
      ...(place === 'behind' ? [own] : []),
      ...values,
      ...(place === 'last' ? [own] : []),
    );
  const log = table.log([`${name}|`]).lines(put(table.timeNames('Time'), table.namesWithUnits, name));
  for (let row = 0; row < table.count; row++) {
    const timeMs = table.timeMs(row);
    const stamp = writeStamp(table.form, wallClock(timeMs, zone), 0);
    log.row(put(stamp, table.cells(row), String(timeMs / scale)), timeMs, ...table.values(row), timeMs / scale);
  }
  return log.done({ end: table.end, optional: [table.quantities.length] });
}

/** A night whose hours are written without a zero, from two digits to one. */
export function unpaddedHours(draw: Draw): WrittenLog {
  const table = new Table(draw, { least: 30 });
  const [mark, isOneCell] = [draw.one(['-', '-', '/']), draw.chance(0.5)];
  const isFromMorning = draw.chance(0.2);
  // From half past ten on, or over ten in the morning.
  const from = isFromMorning ? 9 * 60 + 30 : 22 * 60 + draw.int(30, 59);
  const day = new Date(wallClock(table.startMs, ZONE)).toISOString().slice(0, 10);
  const shift = wallClock(table.startMs, ZONE) - table.startMs;
  const firstMs = Date.parse(`${day}T00:00:00Z`) - shift + from * 60_000;
  const stepMs = draw.one([2, 5]) * 60_000 + 1000;
  const time = isOneCell ? ['Time'] : ['date', 'time'];
  const log = table.log().lines(table.join(...time, ...table.namesWithUnits));
  for (let row = 0; row < table.count; row++) {
    const timeMs = firstMs + row * stepMs;
    const wall = new Date(timeMs + shift);
    const date = wall.toISOString().slice(0, 10).replaceAll('-', mark);
    const clock = `${wall.getUTCHours()}:${two(wall.getUTCMinutes())}:${two(wall.getUTCSeconds())}`;
    const stamp = isOneCell ? [`${date} ${clock}`] : [date, clock];
    log.row(table.join(...stamp, ...table.cells(row)), timeMs, ...table.values(row));
  }
  return log.done({ end: table.end });
}

/** The first minute of a day still has the date of the day before. */
export function lateDate(draw: Draw): WrittenLog {
  const table = new Table(draw, { least: 30 });
  const isPadded = draw.chance(0.5);
  const day = new Date(wallClock(table.startMs, ZONE)).toISOString().slice(0, 10);
  const shift = wallClock(table.startMs, ZONE) - table.startMs;
  const firstMs = Date.parse(`${day}T00:00:00Z`) - shift + (24 * 60 - draw.int(5, 20)) * 60_000;
  const log = table.log().lines(table.join('Time', ...table.namesWithUnits));
  for (let row = 0; row < table.count; row++) {
    const timeMs = firstMs + row * 60_000;
    const wall = new Date(timeMs + shift);
    const minute = wall.getUTCHours() * 60 + wall.getUTCMinutes();
    const date = new Date(timeMs + shift - (minute === 0 ? 60_000 : 0)).toISOString().slice(0, 10);
    const hour = isPadded ? two(wall.getUTCHours()) : String(wall.getUTCHours());
    log.row(
      table.join(`${date} ${hour}:${two(wall.getUTCMinutes())}`, ...table.cells(row)),
      timeMs,
      ...table.values(row),
    );
  }
  return log.done({ end: table.end });
}

/** Time from 00:00:00 on, with a start in the head or the name, with a day only, or with nothing. */
export function elapsedFromZero(draw: Draw): WrittenLog {
  const table = new Table(draw, { least: 15 });
  const start = draw.one(['head', 'name', 'day in name', 'none'] as const);
  const called = draw.one(['Time', 'Elapsed', 'Elapsed time', '']);
  const wall = writeStamp('isoBlank', wallClock(table.startMs, ZONE), 0)[0] as string;
  const log = table.log();
  if (start === 'head') log.lines(`Started: ${wall}`);
  log.lines(table.join(called, ...table.namesWithUnits));
  for (let row = 0; row < table.count; row++) {
    const s = (row * table.stepMs) / 1000;
    const clock = `${two(Math.floor(s / 3600))}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
    log.row(table.join(clock, ...table.cells(row)), table.timeMs(row), ...table.values(row));
  }
  const stem = wall.slice(0, 10).replaceAll('-', '');
  const name = {
    name: `run_${stem}_${wall.slice(11).replaceAll(':', '')}`,
    'day in name': `sample_${wall.slice(0, 10)}`,
  };
  const path = `${start === 'name' || start === 'day in name' ? name[start] : 'log'}.csv`;
  const lastMs = table.timeMs(table.count - 1);
  // One that was not copied since tells when it ended.
  const modifiedMs = draw.chance(0.5) ? lastMs + 400 : 0;
  return log.done({
    path,
    modifiedMs,
    end: table.end,
    isOpen: start === 'none' || start === 'day in name',
    toleranceMs: 1000,
  });
}
