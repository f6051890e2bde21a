import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ColumnKind, Layout } from '../../../../../src-main/sources/log/parse/layout.ts';
import { RowParser } from '../../../../../src-main/sources/log/parse/row-parser.ts';
import { WordCells } from '../../../../../src-main/sources/log/parse/word-cells.ts';
import { layoutOf as plainLayout } from '../../../../support/logs/text-log.ts';

type Written = Layout['masks'][number]['written'];

/** Column 1 holds words whose bits 0, 1, 3 and 4 are channels; bit 6 means nothing. */
function layoutOf(written: Written): Layout {
  const bits = [0, 1, 3, 4];
  const places = bits.map((bit, n) => ({ bit, out: 3 + n }));
  const plain = plainLayout(['t', 'word', 'state']);
  return {
    ...plain,
    columns: [
      ...plain.columns,
      ...bits.map((bit) => ({ header: '', unit: '', name: `bit ${bit}`, bitOf: { column: 1, bit } })),
    ],
    states: { Open: 1, Closed: 0 },
    masks: [{ column: 1, written, bits: [...places, { bit: 6, out: null }] }],
    absent: ['-'],
    refused: [],
  };
}

function read(cell: string, written: Written) {
  const bytes = new TextEncoder().encode(cell);
  const outcome = new WordCells(layoutOf(written), 'utf-8').read(bytes, 0, bytes.length, 1);
  return typeof outcome === 'string' ? outcome : outcome.values.map(([, value]) => value).join('');
}

describe('a word of bits', () => {
  test.each<[string, Written, string]>([
    ['26', 'decimal', '0111'],
    ['26.000', 'decimal', '0111'],
    ['0x1A', 'decimal', '0111'],
    ['0b11010', 'decimal', '0111'],
    ['1Ah', 'decimal', '0111'],
    ['64', 'decimal', '0000'],
    ['-', 'decimal', ''],
    ['1a', 'hex', '0111'],
    ['$1A', 'hex', '0111'],
    ['16#1A', 'hex', '0111'],
    ['0b', 'hex', '1110'],
    ['00011010', 'binary', '0111'],
    ['0101 1011', 'binary', '1111'],
    ['0b0', 'binary', '0000'],
  ])('%j written as %s is %j', (cell, written, bits) => {
    expect(read(cell, written)).toBe(bits);
  });

  test.each<[string, Written, string]>([
    ['4', 'decimal', 'has bits that the dialect does not name (bit 2)'],
    ['0x9A', 'hex', 'has bits that the dialect does not name (bit 7)'],
    ['00011010', 'decimal', 'may be binary or hexadecimal: the dialect must say how the word is written'],
    ['26.5', 'decimal', 'no word of bits'],
    ['-1', 'decimal', 'no word of bits'],
    ['1e1', 'decimal', 'no word of bits'],
    ['open', 'decimal', 'no word of bits'],
    ['1G', 'hex', 'no hex word'],
    ['12', 'binary', 'no binary word'],
    ['99999999999999999999', 'decimal', 'has more bits than can be read'],
  ])('%j written as %s is refused: %s', (cell, written, reason) => {
    expect(read(cell, written)).toBe(reason);
  });

  test('gives back every word whose bits are named, however it is written', () => {
    const named = fc.subarray([0, 1, 3, 4]);
    fc.assert(
      fc.property(named, fc.boolean(), (bits, isSpareSet) => {
        const word = bits.reduce((sum, bit) => sum + 2 ** bit, isSpareSet ? 64 : 0);
        const wanted = [0, 1, 3, 4].map((bit) => (bits.includes(bit) ? '1' : '0')).join('');
        expect(read(String(word), 'decimal')).toBe(wanted);
        expect(read(word.toString(16), 'hex')).toBe(wanted);
        expect(read(word.toString(2).padStart(8, '0'), 'binary')).toBe(wanted);
      }),
    );
  });

  test('with a bit that is not named gives no point at all, never a 0', () => {
    fc.assert(
      fc.property(fc.nat(0xffff), (word) => {
        const isNamed = (word & ~0b1011011) === 0;
        expect(/^[01]{4}$/.test(read(String(word), 'decimal'))).toBe(isNamed);
      }),
    );
  });
});

test('a block gives the points of its words, and refuses the others with text, line and reason', () => {
  const kinds: ColumnKind[] = ['time', 'mask', 'number', 'bit', 'bit', 'bit', 'bit'];
  const text = '1,0x1A,Open\n2,0x20,Closed\n3,,Opening\n4,2,"Closed"\n5,3,OPEN\n6,-,-\n';
  const block = { bytes: new TextEncoder().encode(text), place: 'w.csv', line: 2, sinceMs: -Infinity };
  const parsed = new RowParser(layoutOf('decimal')).parse({ ...block, fileByteOf: (at) => at }, kinds, Number.NaN);
  const none = Number.NaN;
  expect(parsed.columns).toEqual([2, 3, 4, 5, 6]);
  expect([...parsed.timesMs]).toEqual([1000, 2000, 4000, 5000]);
  const rows = [
    [1, 0, 1, 1, 1],
    [0, none, none, none, none],
    [0, 0, 1, 0, 0],
    [none, 1, 1, 0, 0],
  ];
  expect([...parsed.values]).toEqual(rows.flat());
  expect(parsed.refusals.map(({ line, channel, text, reason }) => [line, channel, text, reason])).toEqual([
    [3, 'word', '0x20', 'has bits that the dialect does not name (bit 5)'],
    [4, 'state', 'Opening', 'not a number'],
    [6, 'state', 'OPEN', 'not a number'],
  ]);
  expect(parsed.kinds).toEqual(kinds);
  expect(parsed.rowsRead).toBe(6);
});

test('a state word in a column that was taken for text is refused, not lost', () => {
  const layout = { ...layoutOf('decimal'), states: { Open: 1 }, masks: [] };
  const own = { ...layout, columns: layout.columns.slice(0, 3) };
  const bytes = new TextEncoder().encode('1,5,Opening\n2,6,Open\n');
  const block = { bytes, place: 'w.csv', line: 2, sinceMs: -Infinity, fileByteOf: (at: number) => at };
  const parsed = new RowParser(own).parse(block, ['time', 'number', 'text'], Number.NaN);
  expect([...parsed.values]).toEqual([5, 6]);
  expect(parsed.refusals.map(({ line, text }) => [line, text])).toEqual([[3, 'Open']]);
});

test('a number with another unit than its column is refused, and one without any', () => {
  const layout: Layout = { ...layoutOf('decimal'), masks: [], affixes: [{ column: 1, before: 'P=', after: ' mbar' }] };
  const cells = new WordCells({ ...layout, refused: ['9.9E37'] }, 'utf-8');
  const readCell = (cell: string) => {
    const bytes = new TextEncoder().encode(cell);
    const outcome = cells.read(bytes, 0, bytes.length, 1);
    return typeof outcome === 'string' ? outcome : outcome.values;
  };
  expect(readCell('P=2.5e-08 mbar')).toEqual([[1, 2.5e-8]]);
  expect(readCell('-')).toEqual([]);
  const wrong = 'has not "P=... mbar" around it, as the column has';
  expect(['P=2.5 Torr', 'P=2.5', '2.5 mbar', 'P= mbar'].map(readCell)).toEqual([wrong, wrong, wrong, 'not a number']);
  expect(readCell('P=nan mbar')).toBe('not a number');
  expect(readCell('P=9.9E37 mbar')).toBe('over range or marked as no value');
  expect(readCell('P=1e999 mbar')).toBe('over range');
});
