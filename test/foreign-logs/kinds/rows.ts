// Logs whose rows are not one value a column: rows and cells that name their quantity, blocks behind the rows, and numbers
// that are none.
import { LogText, type WrittenLog } from '../truth.ts';
import { type Draw, QUANTITIES, Table, valueText } from './draw.ts';

/** A row names its quantity, in turns or one series after the other. */
export function longTable(draw: Draw): WrittenLog {
  const table = new Table(draw, { forms: ['iso', 'isoBlank', 'german'] });
  const quantities = draw.some(QUANTITIES, draw.int(2, 4));
  const [called = '', valued = ''] = draw.one([
    ['_field', '_value'],
    ['Tag', 'Value'],
    ['Channel', 'Reading'],
    ['Parameter', 'Wert'],
    ['name', 'value'],
  ]);
  const [hasUnit, word, isValueFirst] = [draw.chance(0.5), draw.one([null, null, 'mbe']), draw.chance(0.5)];
  const order = (name: string, value: string) => (isValueFirst ? [value, name] : [name, value]);
  const write = (time: string, name: string, value: string, unit: string, more: string) =>
    table.join(time, ...order(name, value), ...(hasUnit ? [unit] : []), ...(word === null ? [] : [more]));
  const log = new LogText(
    ...quantities.map(({ name, unit }) => {
      const names = word === null ? [name] : [name, `${word}/${name}`, `${word} ${name}`, `${name} ${word}`];
      return names.map((one) => `${one}|${hasUnit ? unit : ''}`);
    }),
  ).lines(write('Time', called, valued, 'Unit', '_measurement'));
  const add = (row: number, index: number) => {
    const quantity = quantities[index] as (typeof quantities)[number];
    const text = valueText(quantity, draw);
    const [stamp = ''] = table.stamp(row);
    const values = quantities.map((_, at) => (at === index ? Number(text) : Number.NaN));
    const line = write(stamp, quantity.name, text.replace('.', table.mark), quantity.unit, word ?? '');
    log.row(line, table.timeMs(row), ...values);
  };
  const isInTurns = draw.chance(0.5);
  if (isInTurns) {
    for (let row = 0; row < table.count; row++) for (const index of quantities.keys()) add(row, index);
  } else {
    for (const index of quantities.keys()) for (let row = 0; row < table.count; row++) add(row, index);
  }
  return log.done({ end: table.end });
}

/** Name and value in cells side by side; the pairs may change places, or lack. */
export function pairsInCells(draw: Draw): WrittenLog {
  const table = new Table(draw, { forms: ['isoBlank', 'columns', 'german'] });
  const quantities = draw.some(QUANTITIES, draw.int(2, 4)).map((one) => ({ ...one, name: one.name.replace(' ', '_') }));
  const way = draw.one(['same', 'change', 'lack']);
  const turn = draw.int(2, table.count - 2);
  const log = new LogText(...quantities.map(({ name }) => `${name}|`));
  for (let row = 0; row < table.count; row++) {
    const texts = quantities.map((quantity, index) =>
      way === 'lack' && index > 0 && draw.chance(0.2) ? null : valueText(quantity, draw),
    );
    const pairs = texts.map((text, index) =>
      text === null ? [] : [quantities[index]?.name ?? '', text.replace('.', table.mark)],
    );
    if (way === 'change' && row >= turn) pairs.reverse();
    const values = texts.map((text) => (text === null ? Number.NaN : Number(text)));
    log.row(table.join(...table.stamp(row), ...pairs.flat()), table.timeMs(row), ...values);
  }
  return log.done({ end: table.end });
}

const CODED = 'abcDEFghiJKLmnoPQRstuVWXyz0123456789+/abcDEFghiJKLmnoPQRstuVWXyz';

/** A block behind the rows: a signature, a summary, a mark. */
export function trailer(draw: Draw): WrittenLog {
  const table = new Table(draw);
  const coded = Array.from({ length: draw.int(3, 70) }, () => CODED);
  const block = draw.one([
    ['-----BEGIN PGP MESSAGE-----', 'Version: x', '', ...coded, '-----END PGP MESSAGE-----'],
    ['-----BEGIN SIGNATURE-----', ...coded, '-----END SIGNATURE-----'],
    ['END OF FILE'],
    ['', '*** end of data ***', `CRC32: ${draw.int(10, 99)}3D4C1F`],
    ['', 'Summary', `Rows: ${table.count}`, 'Duration: 00:10:20', 'Mean pressure: 1.19 mbar', 'Operator: K. Miller'],
    ['', ...['Minimum', 'Maximum', 'Mean'].map((word) => table.join(word, ...table.lead.slice(1), ...table.cells(0)))],
    ['', table.join('Statistic', ...table.names), table.join('Mean', ...table.cells(1)), 'Alarms', 'none'],
  ]);
  const log = table.log().lines(table.join(...table.timeNames('Time'), ...table.namesWithUnits));
  return table
    .rowsTo(log)
    .lines(...block)
    .done({ end: table.end });
}

const SENTINELS = [
  '9.9e37',
  '9.91E+37',
  '9.99999999e+37',
  '1e38',
  '1.0E+38',
  '3.402823E+38',
  '3.4028235e38',
  '-9.9e37',
  '-1E+38',
];

/** Numbers that no instrument gives, in some rows of one channel. */
export function sentinel(draw: Draw): WrittenLog {
  const table = new Table(draw);
  const text = draw.one(SENTINELS).replace('.', table.mark);
  const [at, every] = [draw.int(0, table.quantities.length - 1), draw.int(4, 15)];
  const log = table.log().lines(table.join(...table.timeNames('Time'), ...table.namesWithUnits));
  for (let row = 0; row < table.count; row++) {
    const isOver = row > 2 && row % every === 0;
    const cells = table.cells(row).map((cell, index) => (isOver && index === at ? text : cell));
    const values = table.values(row).map((value, index) => (isOver && index === at ? Number.NaN : value));
    log.row(table.join(...table.stamp(row), ...cells), table.timeMs(row), ...values);
  }
  return log.done({ end: table.end });
}
