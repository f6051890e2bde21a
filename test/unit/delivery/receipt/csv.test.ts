import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { numberCell, pageToCsv, textCell } from '../../../../src-main/delivery/receipt/csv.ts';

/** Read CSV as RFC 4180 says. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === ',') {
      row.push(cell);
      cell = '';
    } else if (character === '\r' && text[at + 1] === '\n') {
      rows.push([...row, cell]);
      row = [];
      cell = '';
      at += 1;
    } else cell += character;
  }
  return rows;
}

const channel = (name: string, unit: string) => ({
  id: 1,
  name,
  unit,
  acknowledged: 0,
  refused: 0,
  waiting: 0,
  open: 0,
});
const block = (timesMs: number[], values: number[], words = '') => ({
  state: 'refused' as const,
  words,
  rows: timesMs.length,
  timesMs: Float64Array.from(timesMs),
  channelIds: [1],
  values: Float64Array.from(values),
});

describe('text cells', () => {
  test.each([
    '=1+1',
    '+1',
    '-5.2',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    ' =1',
    '\u200b=1',
    '＝1',
    '\n=1',
    '=HYPERLINK("x","y")',
  ])('%j opens as text', (text) => {
    expect(textCell(text)).toMatch(/^"?'/);
  });

  test.each(['Sub.PID.MV', 'a-b', '°C', 'N/A', ''])('%j stays as it is', (text) => {
    expect(textCell(text)).toBe(text);
  });

  test('come back whole from a reader of CSV, save for the apostrophe', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, words) => {
        const { text } = pageToCsv({ blocks: [block([0], [1], words)], next: null, damaged: [] }, [channel(name, 'x')]);
        const [row] = readCsv(text);
        expect(row).toHaveLength(7);
        expect([name, `'${name}`]).toContain(row?.[2]);
        expect([words, `'${words}`]).toContain(row?.[6]);
      }),
    );
  });
});

describe('numbers', () => {
  test('give back the same double, and are never escaped', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = numberCell(value);
        expect(Object.is(Number(text), value)).toBe(true);
        expect(text).toMatch(/^-?\d/);
      }),
    );
    expect(numberCell(-5.2)).toBe('-5.2');
  });
});

test('one line a point: exact stamp, stamp to read, channel, unit, value, what became of it', () => {
  const blocks = [block([1_800_000_000_123.5, 1_800_000_001_000], [-5.2, 1e-9], 'units, please')];
  const { text, points } = pageToCsv({ blocks, next: null, damaged: [] }, [channel('Ga', '°C')]);
  expect(points).toBe(2);
  expect(text).toBe(
    '1800000000123.5,2027-01-15T08:00:00.123Z,Ga,°C,-5.2,refused,"units, please"\r\n' +
      '1800000001000,2027-01-15T08:00:01.000Z,Ga,°C,1e-9,refused,"units, please"\r\n',
  );
});

test('a block that is too large for one page is cut between points, and the pieces are the whole', () => {
  const page = { blocks: [block([1, 2, 3], [4, 5, 6]), block([7, 8], [9, 10])], next: null, damaged: [] };
  const channels = [channel('Ga', '')];
  const whole = pageToCsv(page, channels);
  expect(whole).toMatchObject({ points: 5, isCut: false });
  for (let limit = 1; limit <= 5; limit++) {
    let text = '';
    for (let skip = 0, isCut = true; isCut; ) {
      const piece = pageToCsv(page, channels, { skip, limit });
      expect(piece.points).toBeLessThanOrEqual(limit);
      text += piece.text;
      skip += piece.points;
      ({ isCut } = piece);
    }
    expect(text).toBe(whole.text);
  }
});
