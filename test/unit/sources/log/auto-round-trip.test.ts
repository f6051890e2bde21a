// Tables written in every mixture of separators, decimal marks, stamps and heads: `auto` gives what was written, or asks. It
// never gives anything else.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse, recognise, two } from '../../../support/logs/text-log.ts';
import { walks } from '../../../support/run/effort.ts';

const three = (n: number) => String(n).padStart(3, '0');
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Ways to write the wall clock of an instant (as if it were UTC), one cell or two. */
const STAMPS: Record<string, (d: Date) => string[]> = {
  iso: (d) => [d.toISOString().slice(0, 23)],
  isoZone: (d) => [d.toISOString()],
  isoBlank: (d) => [d.toISOString().slice(0, 23).replace('T', ' ')],
  slashes: (d) => [d.toISOString().slice(0, 23).replace('T', ' ').replaceAll('-', '/')],
  german: (d) => [`${two(d.getUTCDate())}.${two(d.getUTCMonth() + 1)}.${d.getUTCFullYear()} ${clock(d)}`],
  british: (d) => [`${two(d.getUTCDate())}/${two(d.getUTCMonth() + 1)}/${d.getUTCFullYear()} ${clock(d)}`],
  american: (d) => [`${d.getUTCMonth() + 1}/${d.getUTCDate()}/${d.getUTCFullYear()} ${twelve(d)}`],
  words: (d) => [`${two(d.getUTCDate())}-${MONTHS[d.getUTCMonth()]}-${d.getUTCFullYear()} ${clock(d)}`],
  columns: (d) => [d.toISOString().slice(0, 10), clock(d)],
  columnsGerman: (d) => [`${two(d.getUTCDate())}.${two(d.getUTCMonth() + 1)}.${d.getUTCFullYear()}`, clock(d)],
  timeFirst: (d) => [clock(d), d.toISOString().slice(0, 10)],
  unixSeconds: (d) => [(d.getTime() / 1000).toFixed(3)],
  unixMs: (d) => [String(d.getTime())],
  labview: (d) => [(d.getTime() / 1000 + 2_082_844_800).toFixed(3)],
  excel: (d) => [((d.getTime() - Date.UTC(1899, 11, 30)) / 86_400_000).toFixed(9)],
};

function clock(d: Date): string {
  return `${two(d.getUTCHours())}:${two(d.getUTCMinutes())}:${two(d.getUTCSeconds())}.${three(d.getUTCMilliseconds())}`;
}

function twelve(d: Date): string {
  const half = d.getUTCHours() < 12 ? 'AM' : 'PM';
  return `${two(d.getUTCHours() % 12 || 12)}${clock(d).slice(2)} ${half}`;
}

const NUMBERS: Record<string, (value: number) => string> = {
  fixed: (value) => value.toFixed(3),
  whole: (value) => String(Math.round(value)),
  scientific: (value) => value.toExponential(4),
  plain: (value) => String(value),
};

const column = fc.record({
  name: fc.constantFrom(
    'Pressure',
    'T_sub',
    'Ga flux',
    'Heater 1 Ist',
    'PV2',
    'Rate',
    'Kanal 7',
    'Substrate Rotation_Position',
  ),
  unit: fc.constantFrom('', ' [mbar]', ' (Torr)', ' [°C]'),
  style: fc.constantFrom(...Object.keys(NUMBERS)),
  scale: fc.constantFrom(1e-9, 1e-3, 1, 100, 123_456),
});

const table = fc.record({
  stamp: fc.constantFrom(...Object.keys(STAMPS)),
  separator: fc.constantFrom(',', ';', '\t', ' | ', '   '),
  decimal: fc.constantFrom<'.' | ','>('.', ','),
  head: fc.constantFrom('none', 'names', 'names and units', 'title and names', 'remarks and names'),
  end: fc.constantFrom('\n', '\r\n'),
  startMs: fc
    .integer({ min: Date.UTC(2001, 0, 1), max: Date.UTC(2039, 0, 1) })
    .map((ms) => Math.floor(ms / 1000) * 1000),
  stepMs: fc.constantFrom(250, 1000, 2040, 60_000, 3_600_000),
  columns: fc.array(column, { minLength: 1, maxLength: 5 }),
  isQuoted: fc.boolean(),
  isTrailing: fc.boolean(),
  /** A column of words behind the numbers. */
  word: fc.constantFrom(null, 'Open', 'GaAs buffer, step 2', 'Phase 1'),
  /** What stands for a number in one cell, now and then. */
  token: fc.constantFrom(null, 'NaN', '---', 'OVER', ''),
  values: fc.array(fc.double({ min: 0.001, max: 999, noNaN: true }), { minLength: 15, maxLength: 60 }),
});

type Table = typeof table extends fc.Arbitrary<infer T> ? T : never;

function write(drawn: Table) {
  const { stamp, separator, decimal, head, end, startMs, stepMs, columns, values, word, token } = drawn;
  const isPlain = separator === ' | ' || separator === '   ';
  const quoted = (cell: string) => (drawn.isQuoted && !isPlain ? `"${cell}"` : cell);
  const join = (cells: readonly string[]) =>
    cells.map(quoted).join(separator) + (drawn.isTrailing && !isPlain ? separator : '');
  const mark = (cell: string) => cell.replace('.', decimal);
  const isCount = /unix|labview|excel/.test(stamp);
  const rows = Array.from({ length: Math.floor(values.length / columns.length) }, (_, row) => {
    const date = new Date(startMs + row * stepMs);
    const time = (STAMPS[stamp] as (d: Date) => string[])(date);
    const cells = columns.map(({ style, scale }, index) =>
      (NUMBERS[style] as (value: number) => string)((values[row * columns.length + index] as number) * scale),
    );
    // Never in the first rows, and never in all of a row.
    if (token !== null && row > 2 && columns.length > 1) cells[row % columns.length] = token;
    const words = word === null ? [] : [word];
    return {
      timeMs: date.getTime(),
      numbers: cells.map((cell) => (cell === '' ? Number.NaN : Number(cell))),
      line: join([
        ...time.map(isCount ? mark : String),
        ...cells.map((cell) => (cell === token ? cell : mark(cell))),
        ...words,
      ]),
    };
  });
  const width = (STAMPS[stamp] as (d: Date) => string[])(new Date(startMs)).length;
  const timeNames = width === 2 ? ['Date', 'Time'] : ['Time'];
  const unit = head === 'names and units' ? '' : null;
  const notes = word === null ? [] : ['Remark'];
  const names = join([...timeNames, ...columns.map(({ name, unit: own }) => name + (unit ?? own)), ...notes]);
  const units = join([...timeNames.map(() => ''), ...columns.map(() => 'mbar'), ...notes.map(() => '')]);
  const lines = {
    none: [],
    names: [names],
    'names and units': [names, units],
    'title and names': ['Growth log of chamber 2', '', names],
    'remarks and names': ['# Growth log', '# operator = Müller', names],
  }[head] as string[];
  return { rows, text: [...lines, ...rows.map(({ line }) => line)].map((line) => line + end).join('') };
}

test('what is read is what was written, and most of it is read', () => {
  let read = 0;
  let asked = 0;
  fc.assert(
    fc.property(table, (drawn) => {
      // No program writes both with the same mark, unless it quotes; and blanks set nothing apart from an empty cell.
      fc.pre(!(drawn.separator === ',' && drawn.decimal === ',' && !drawn.isQuoted));
      fc.pre(!(drawn.separator === '   ' && drawn.token === ''));
      fc.pre(!(drawn.word?.includes(',') && drawn.separator === ',' && !drawn.isQuoted));
      const { rows, text } = write(drawn);
      const found = recognise(text, { nowMs: Number.NaN, zone: 'UTC' });
      if (!('layout' in found)) {
        asked += 1;
        return;
      }
      read += 1;
      const parsed = parse(found, new TextEncoder().encode(text).subarray(found.dataByte));
      const shift = found.layout.timeColumns.length;
      const context = `${text}\n${found.reasons.join('\n')}\n${JSON.stringify(found.kinds)}`;
      expect(parsed.timesMs.length, context).toBe(rows.length);
      rows.forEach(({ timeMs, numbers }, row) => {
        expect(Math.abs((parsed.timesMs[row] as number) - timeMs), context).toBeLessThanOrEqual(1);
        const values = parsed.columns.map((_, out) => parsed.values[row * parsed.columns.length + out]);
        expect(values, context).toEqual(parsed.columns.map((index) => numbers[index - shift]));
      });
      expect(parsed.columns.length, context).toBe(drawn.columns.length);
    }),
    walks(500),
  );
  expect(read / (read + asked)).toBeGreaterThan(0.75);
});
