// Logs whose heads are not one line of names: labels in the first cells, several lines, remarks, a name too many.
import { LogText, type WrittenLog, ZONE } from '../truth.ts';
import { wallClock, writeStamp } from '../write-stamp.ts';
import { type Draw, Table } from './draw.ts';

/** The first cell of each head line is its label. */
export function labelledHeads(draw: Draw): WrittenLog {
  const table = new Table(draw);
  const labels = [
    ['Titles:', 'Units:'],
    ['Name', 'Unit'],
    ['Channel', 'Units'],
    ['Names:', 'Units:'],
    ['Signal', 'Einheit'],
  ];
  const [name = '', unit = ''] = draw.one(labels);
  const rest = table.lead.slice(1);
  const lines = [table.join(name, ...rest, ...table.names), table.join(unit, ...rest, ...table.units)];
  if (draw.chance(0.2)) lines.reverse();
  if (draw.chance(0.3))
    lines.push(table.join('Range:', ...rest, ...table.names.map(() => draw.one(['1', '10', 'auto']))));
  return table.rowsTo(table.log().lines(...lines)).done({ end: table.end });
}

/** Names, units and kinds of values, often below a line about the logger. */
export function threeHeads(draw: Draw): WrittenLog {
  const table = new Table(draw, { forms: ['isoBlank', 'slashes', 'german'] });
  const hasRecord = draw.chance(0.6);
  const isLogger = draw.chance(0.6);
  const record = (text: string) => (hasRecord ? [text] : []);
  const names = [isLogger ? 'TIMESTAMP' : draw.one(['Time', 'Timestamp', 'Zeit']), ...record('RECORD'), ...table.names];
  const units = [isLogger ? 'TS' : '', ...record('RN'), ...table.units];
  const kinds = ['', ...record(''), ...table.names.map(() => draw.one(['Smp', 'Avg', 'Max', 'Min', 'Std']))];
  const isQuoted = isLogger && table.separator === ',' && draw.chance(0.6);
  const write = (cells: readonly string[]) => table.join(...cells.map((cell) => (isQuoted ? `"${cell}"` : cell)));
  const log = table.log(...(hasRecord ? [['RECORD|RN', 'RECORD|']] : []));
  if (isLogger) log.lines(write(['TOA5', 'tool', draw.one(['CR1000', 'CR6']), '1', 'os', 'prog', '1', 'T']));
  log.lines(write(names), ...(draw.chance(0.2) ? [kinds, units] : [units, kinds]).map(write));
  for (let row = 0; row < table.count; row++) {
    const [stamp = ''] = table.stamp(row);
    const text = table.join(isQuoted ? `"${stamp}"` : stamp, ...record(String(row)), ...table.cells(row));
    log.row(text, table.timeMs(row), ...table.values(row), ...(hasRecord ? [row] : []));
  }
  return log.done({ path: 'Table1.dat', end: table.end, optional: hasRecord ? [table.quantities.length] : [] });
}

/** The names once more on the way, at the end, or both; often with a line above them. */
export function headAgain(draw: Draw): WrittenLog {
  const table = new Table(draw);
  const head = [
    ...draw.one([[], ['Logger started'], ['Gauge log, chamber 2', 'Version 2.1']]),
    table.join(...table.timeNames('Time'), ...table.namesWithUnits),
  ];
  const log = table.log().lines(...head);
  const middle = draw.chance(0.5) ? draw.int(1, table.count - 1) : 0;
  const isAtEnd = middle === 0 || draw.chance(0.6);
  table.rowsTo(log, 0, middle === 0 ? table.count : middle);
  if (middle !== 0) table.rowsTo(log.lines(...head), middle);
  return log.lines(...(isAtEnd ? head : [])).done({ end: table.end });
}

/** Few rows with seconds since 1970, and the head once more behind them: the logger was started again. */
export function headAtEnd(draw: Draw): WrittenLog {
  const table = new Table(draw);
  const head = (hour: string) => [
    `Gauge read started at 2017-07-19 ${hour}:07:45 (EDT)`,
    table.join('Time (s)', ...table.namesWithUnits),
  ];
  const log = table.log().lines(...head('14'));
  const count = draw.int(3, 20);
  for (let row = 0; row < Math.min(count, table.count); row++) {
    const timeMs = table.timeMs(row);
    log.row(table.join(String(timeMs / 1000), ...table.cells(row)), timeMs, ...table.values(row));
  }
  return log.lines(...head('15')).done({ end: table.end });
}

/** A separator at the end of the names that no row has. */
export function separatorBehindNames(draw: Draw): WrittenLog {
  const table = new Table(draw);
  const isUnits = draw.chance(0.4);
  const names = table.join(...table.timeNames('Time'), ...(isUnits ? table.names : table.namesWithUnits), '');
  const units = isUnits ? [table.join(...table.lead, ...table.units, ...(draw.chance(0.5) ? [''] : []))] : [];
  return table.rowsTo(table.log().lines(names, ...units)).done({ end: table.end });
}

/** The same where the time counts from a start that the head tells. */
export function separatorBehindSeconds(draw: Draw): WrittenLog {
  const table = new Table(draw, { least: 12 });
  const wall = writeStamp('isoBlank', wallClock(table.startMs, ZONE), 0)[0] as string;
  const lead = draw.int(0, 5) + 0.25;
  const called = draw.one(['time/s', 'Time [s]', 'Elapsed (s)']);
  const log = table.log().lines(`${draw.one(['Started on : ', 'Start: ', 'Acquisition started on: '])}${wall}`);
  log.lines(...draw.one([[], ['']]), table.join(called, ...table.namesWithUnits, ''));
  for (let row = 0; row < table.count; row++) {
    const seconds = lead + (row * table.stepMs) / 1000;
    const text = table.join(seconds.toFixed(2).replace('.', table.mark), ...table.cells(row));
    log.row(text, table.startMs + seconds * 1000, ...table.values(row));
  }
  return log.done({ end: table.end, toleranceMs: 1 });
}

/** A name or two more than cells, or one fewer. */
export function oneName(draw: Draw): WrittenLog {
  const table = new Table(draw);
  const names = [...table.timeNames('Time'), ...table.namesWithUnits];
  if (draw.chance(0.7)) {
    const more = draw.one([['Comment'], ['Annotation'], ['Remark', 'Operator'], ['Event']]);
    return table.rowsTo(table.log().lines(table.join(...names, ...more))).done({ end: table.end });
  }
  const log = table.log([`column ${names.length + 1}|`]).lines(table.join(...names));
  for (let row = 0; row < table.count; row++) {
    const last = draw.int(100, 900) / 4;
    const text = table.join(...table.stamp(row), ...table.cells(row), String(last).replace('.', table.mark));
    log.row(text, table.timeMs(row), ...table.values(row), last);
  }
  return log.done({ end: table.end, optional: [table.quantities.length] });
}

/** Lines of remarks above the names, some of them cut like a row. */
export function remarksAbove(draw: Draw): WrittenLog {
  const table = new Table(draw);
  const sign = draw.one(['#', '# ', '%', '//', '!']);
  const cells = table.lead.length + table.names.length;
  const told = [
    'recipe 12, step 3',
    `group${table.separator}${Array.from({ length: cells - 1 }, () => 'false').join(table.separator)}`,
    `datatype${table.separator}${Array.from({ length: cells - 1 }, () => 'double').join(table.separator)}`,
    'exported by the logger',
    'gain = 1.25',
  ];
  const remarks = draw.some(told, draw.int(1, 4)).map((text) => sign + text);
  const log = table.log().lines(...remarks, table.join(...table.timeNames('Time'), ...table.namesWithUnits));
  return table.rowsTo(log).done({ end: table.end });
}

/** A table as a database of series exports it: annotations, an empty first column, two stamps that stay and one that moves. */
export function annotated(draw: Draw): WrittenLog {
  const table = new Table(draw, { separators: [','] });
  const zulu = (timeMs: number) => new Date(timeMs).toISOString().replace('.000', '');
  const span = [zulu(table.startMs - 60_000), zulu(table.startMs + 86_400_000)];
  const isLong = draw.chance(0.6);
  const own = isLong ? ['double', 'string', 'string'] : table.names.map(() => 'double');
  const stamp = 'dateTime:RFC3339';
  const names = isLong ? ['_value', '_field', '_measurement'] : table.names;
  const channels = table.names.map((name) => (isLong ? [name, `mbe/${name}`, `mbe ${name}`, `${name} mbe`] : [name]));
  const log = new LogText(...channels.map((all) => all.map((name) => `${name}|`)), ['table|']).lines(
    ['#group', 'false', 'false', 'true', 'true', 'false', ...own.map((kind) => String(kind === 'string'))].join(','),
    ['#datatype', 'string', 'long', stamp, stamp, stamp, ...own].join(','),
    ['#default', '_result', '', '', '', '', ...own.map(() => '')].join(','),
    ['', 'result', 'table', '_start', '_stop', '_time', ...names].join(','),
  );
  const add = (row: number, index: number, cells: readonly string[], values: readonly number[]) =>
    log.row(['', '', index, ...span, zulu(table.timeMs(row)), ...cells].join(','), table.timeMs(row), ...values, index);
  if (!isLong) for (let row = 0; row < table.count; row++) add(row, 0, table.cells(row), table.values(row));
  for (const [index, name] of isLong ? table.names.entries() : []) {
    for (let row = 0; row < table.count; row++) {
      const values = table.values(row).map((value, at) => (at === index ? value : Number.NaN));
      add(row, index, [table.cells(row)[index] ?? '', name, 'mbe'], values);
    }
  }
  return log.done({ end: table.end, optional: [table.names.length] });
}

/** A first column that counts the rows. */
export function counterFirst(draw: Draw): WrittenLog {
  const table = new Table(draw);
  const name = draw.one(['#', 'NO.', 'Line', 'RECORD', 'Index', 'Nr', 'Sample no.']);
  const first = draw.one([0, 1, 17]);
  const log = table.log([`${name}|`, 'column 1|']);
  log.lines(table.join(name, ...table.timeNames('Time'), ...table.namesWithUnits));
  for (let row = 0; row < table.count; row++) {
    const text = table.join(String(first + row), ...table.stamp(row), ...table.cells(row));
    log.row(text, table.timeMs(row), ...table.values(row), first + row);
  }
  return log.done({ end: table.end, optional: [table.quantities.length] });
}
