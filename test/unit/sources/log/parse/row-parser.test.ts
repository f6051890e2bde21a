import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ColumnKind, Layout } from '../../../../../src-main/sources/log/parse/layout.ts';
import type { ParsedBlock } from '../../../../../src-main/sources/log/parse/parsed-block.ts';
import { RowParser } from '../../../../../src-main/sources/log/parse/row-parser.ts';
import { layoutOf } from '../../../../support/logs/text-log.ts';

function parse(text: string, layout: Layout, kinds: ColumnKind[], encoding: BufferEncoding = 'utf8'): ParsedBlock {
  const bytes = Buffer.from(text, encoding);
  const block = { bytes, place: 'log.csv', line: 5, sinceMs: -Infinity, fileByteOf: (at: number) => 1000 + at };
  return new RowParser(layout).parse(block, kinds, Number.NaN);
}

const TWO = layoutOf(['t', 'a', 'b']);
const KINDS: ColumnKind[] = ['time', 'number', 'number'];
const reasons = ({ refusals }: ParsedBlock) =>
  refusals.map(({ channel, text, reason }) => `${channel}|${text}|${reason}`);

describe('the row parser', () => {
  test.each([
    ['plain', ''],
    ['with a quote', '"5"'],
  ])('takes a value back whose status is not good, wherever that stands: %s', (_, last) => {
    const statuses = [
      { column: 2, of: 1, good: ['-'] },
      { column: 4, of: 3, good: ['-', 'ok'] },
    ];
    const layout = layoutOf(['t', 'a', 'a?', 'b', 'b?', 'c'], { statuses });
    const kinds: ColumnKind[] = ['time', 'number', 'status', 'number', 'status', 'number'];
    const parsed = parse(
      `10,1,-,2,ok,${last}\n11,3,E,4,-,${last}\n12,5,-,,E,${last}\n13,6,E,7,E,${last}\n`,
      layout,
      kinds,
    );
    const c = last === '' ? Number.NaN : 5;
    const rows = [1, 2, c, Number.NaN, 4, c, 5, Number.NaN, c, Number.NaN, Number.NaN, c];
    expect([...parsed.values]).toEqual(last === '' ? rows.slice(0, 9) : rows);
    expect(parsed.refusals.map(({ channel, text, line }) => `${line} ${channel} ${text}`)).toEqual([
      '6 a E',
      '8 a E',
      '8 b E',
    ]);
  });

  test('takes a line as whole that lacks no more cells than it may, and nothing stays of the line before', () => {
    const layout = layoutOf(['t', 'a', 'b', 'c'], { leastCells: 3 });
    const kinds: ColumnKind[] = ['time', 'number', 'number', 'number'];
    const parsed = parse('10,1,2,3\n11,4,5\n12,6\n13,"7",8\n14,1,2,3,4\n', layout, kinds);
    expect([...parsed.values]).toEqual([1, 2, 3, 4, 5, Number.NaN, 7, 8, Number.NaN]);
    expect(parsed.refusals.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
      '7 has fewer cells than the file',
      '9 has more cells than the file',
    ]);
  });

  test('gives each line its time and its values', () => {
    const parsed = parse('10,1.5,-2\r\n11.5, 3e-8 ,+4\n', TWO, KINDS);
    expect([...parsed.timesMs]).toEqual([10_000, 11_500]);
    expect([...parsed.values]).toEqual([1.5, -2, 3e-8, 4]);
    expect(parsed).toMatchObject({ rowsRead: 2, lines: 2, refusedCount: 0, lastMs: 11_500, columns: [1, 2] });
  });

  test('takes an empty cell as no point, never as zero', () => {
    const parsed = parse('10,,2\n11,1,\n12,,\n', TWO, KINDS);
    expect([...parsed.timesMs]).toEqual([10_000, 11_000]);
    expect([...parsed.values]).toEqual([Number.NaN, 2, 1, Number.NaN]);
    expect(parsed).toMatchObject({ rowsRead: 3, refusedCount: 0 });
  });

  test('refuses what stands for a number and is none, with its text and place', () => {
    const parsed = parse('10,NaN,1\n11,OVER,2\n12,---,3\n13,9.9E37,4\n14,1e999,5\n15,"1,25",6\n16,12h,7\n', TWO, KINDS);
    expect(parsed.refusedCount).toBe(7);
    expect(reasons(parsed)).toEqual([
      'a|NaN|not a number',
      'a|OVER|not a number',
      'a|---|not a number',
      'a|9.9E37|over range or marked as no value',
      'a|1e999|over range',
      'a|1,25|not a number',
      'a|12h|not a number',
    ]);
    expect(parsed.refusals[1]).toMatchObject({ place: 'log.csv', line: 6, byte: 1000 + '10,NaN,1\n11,'.length });
    expect([...parsed.values].filter(Number.isFinite)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test('refuses a sentinel that is written as a plain number', () => {
    const layout = layoutOf(['t', 'a', 'b'], { refused: ['-999.9'] });
    const parsed = parse('10,-999.9000,1\n11,-999.8,2\n', layout, KINDS);
    expect(reasons(parsed)).toEqual(['a|-999.9000|over range or marked as no value']);
    expect([...parsed.values]).toEqual([Number.NaN, 1, -999.8, 2]);
  });

  test('takes cells that the dialect calls absent as no point', () => {
    const parsed = parse('10,-,1\n11,n/a,2\n', layoutOf(['t', 'a', 'b'], { absent: ['-', 'n/a'] }), KINDS);
    expect(parsed.refusedCount).toBe(0);
    expect([...parsed.values]).toEqual([Number.NaN, 1, Number.NaN, 2]);
  });

  test('refuses a cut line whole: its last number may be cut as well', () => {
    const parsed = parse('10,1.5\n11,2,3\n12,2,3,4\nno time,NaN,1\n', TWO, KINDS);
    expect(reasons(parsed)).toEqual([
      '|10,1.5|has fewer cells than the file',
      '|12,2,3,4|has more cells than the file',
      '|no time,NaN,1|no time stamp',
    ]);
    expect(parsed.refusedCount).toBe(3);
    expect([...parsed.timesMs]).toEqual([11_000]);
  });

  test('passes over blank lines, comments, repeated headers and byte-order marks inside', () => {
    const layout = layoutOf(['t', 'a', 'b'], { comment: '#' });
    const parsed = parse('\n# note\n10,1,2\nt,a,b\n   \n\uFEFF\uFEFF11,3,4\n', layout, KINDS);
    expect(parsed).toMatchObject({ rowsRead: 2, lines: 6, refusedCount: 0 });
    expect([...parsed.values]).toEqual([1, 2, 3, 4]);
  });

  test('leaves text columns out, and refuses a number that appears in one instead of losing it', () => {
    const parsed = parse('10,Barium,2\n11,7,3\n', TWO, ['time', 'text', 'number']);
    expect(parsed.columns).toEqual([2]);
    expect([...parsed.values]).toEqual([2, 3]);
    expect(parsed.numbersLeftOut).toEqual([1]);
    expect(reasons(parsed)).toEqual(['a|7|a number in a column that is left out as text']);
  });

  test('lets an open column show what it is, for the whole block', () => {
    const numbers = parse('10,,2\n11,7,3\n', TWO, ['time', 'open', 'number']);
    expect(numbers.kinds).toEqual(['time', 'number', 'number']);
    expect([...numbers.values]).toEqual([Number.NaN, 2, 7, 3]);
    const words = parse('10,,2\n11,Phase 1,3\n', TWO, ['time', 'open', 'number']);
    expect(words.kinds).toEqual(['time', 'text', 'number']);
    expect(words.refusedCount).toBe(0);
    const still = parse('10,,2\n11,NaN,3\n', TWO, ['time', 'open', 'number']);
    expect(still.kinds).toEqual(['time', 'open', 'number']);
    expect(still.refusedCount).toBe(1);
  });

  test('joins date and time columns', () => {
    const layout = layoutOf(['date', 'a', 'time'], {
      timeColumns: [0, 2],
      timeFormat: 'dd/MM/yyyy HH:mm:ss',
      zone: 'Europe/Berlin',
    });
    const parsed = parse('01/07/2026,5,12:00:00\n', layout, ['time', 'number', 'time']);
    expect(parsed.timesMs[0]).toBe(Date.parse('2026-07-01T10:00:00Z'));
    expect([...parsed.values]).toEqual([5]);
  });

  test('counts the stamps of a clock change', () => {
    const layout = layoutOf(['t', 'a'], { timeFormat: 'iso8601', zone: 'Europe/Berlin', isZoneNamed: true });
    const parsed = parse('2026-10-25 02:30:00,1\n2026-03-29 02:30:00,2\n', layout, ['time', 'number']);
    expect(parsed).toMatchObject({ stampsTwice: 1, stampsNever: 1 });
  });

  test('passes over lines before the first instant wanted, refusals included', () => {
    const bytes = Buffer.from('10,OVER,1\n20,2,3\n');
    const parsed = new RowParser(TWO).parse(
      { bytes, place: 'x', line: null, sinceMs: 15_000, fileByteOf: (at) => at },
      KINDS,
      Number.NaN,
    );
    expect(parsed).toMatchObject({ rowsRead: 1, refusedCount: 0 });
    expect([...parsed.timesMs]).toEqual([20_000]);
  });

  test('lists a hundred refusals of a block and counts them all', () => {
    const parsed = parse('10,x,1\n'.repeat(250), TWO, KINDS);
    expect(parsed.refusals).toHaveLength(100);
    expect(parsed.refusedCount).toBe(250);
  });

  test.each([
    [',', '.'],
    ['\t', '.'],
    [';', ','],
    ['whitespace', '.'],
    ['::', '.'],
  ] as const)('reads every table as a plain split would, separator %j, decimal mark %j', (delimiter, decimal) => {
    const written = delimiter === 'whitespace' ? '   ' : delimiter;
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e37, max: 1e37 }).map(String),
      fc.integer().map(String),
      fc.tuple(fc.integer(), fc.nat(999_999)).map(([whole, part]) => `${whole}.${part}`),
      fc.constantFrom('-0', '+1.', '.5', '2.78E-08', '1e400', 'OVER', 'x'),
    );
    const row = fc.tuple(fc.nat(4_000_000_000), fc.array(number, { minLength: 3, maxLength: 3 }));
    const end = fc.constantFrom('\n', '\r\n');
    const layout = layoutOf(['t', 'a', 'b', 'c'], { delimiter, decimal, refused: [] });
    const kinds: ColumnKind[] = ['time', 'number', 'number', 'number'];
    fc.assert(
      fc.property(fc.array(row, { maxLength: 20 }), end, (rows, lineEnd) => {
        const lines = rows.map(([time, cells]) =>
          [String(time), ...cells].map((cell) => cell.replace('.', decimal)).join(written),
        );
        const parsed = parse(lines.map((line) => line + lineEnd).join(''), layout, kinds);
        const wanted = rows.map(([time, cells]) => ({
          time,
          // A number of 9e36 and more stands for no reading.
          values: cells.map((cell) => (Math.abs(Number(cell)) < 9e36 ? Number(cell) : Number.NaN)),
        }));
        const withPoint = wanted.filter(({ values }) => values.some((value) => !Number.isNaN(value)));
        expect([...parsed.timesMs]).toEqual(withPoint.map(({ time }) => time * 1000));
        expect([...parsed.values]).toEqual(withPoint.flatMap(({ values }) => values));
        expect(parsed.refusedCount).toBe(wanted.flatMap(({ values }) => values).filter(Number.isNaN).length);
      }),
      { numRuns: 300 },
    );
  });
});
