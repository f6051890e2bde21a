// The rows of the fault matrix that have a test in this folder, read off the titles; and those that must have one. A title
// begins with its rows: "12: ...", "19 and 22: ...", "rows 51 to 53".
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BESIDE, ELSEWHERE, listRows, rowsOf } from '../support/faults/fault-rows.ts';

/** First and last row of each part. */
const PARTS = {
  'A process, disk, database': [1, 30],
  'B serial lines': [31, 42],
  'C logs': [43, 68],
  'D time and power': [69, 74],
  'E network and service': [75, 104],
  'F security': [105, 126],
  'G use': [127, 130],
} as const;

/** The rows that matter most, of the parts that are built. */
const STARRED = [1, 2, 3, 5, 6, 8, 12, 17, 31, 39, 43, 44, 51, 65, 69, 72, 75, 76, 77, 80, 86, 93, 109];

/** Rows of A, D, E and G beside the starred ones that must have a test. */
const OTHERS_MIN = 40;

/** The titles here and in `test/long`; `node test/support/faults/fault-rows.ts test` prints them. */
const TITLES = listRows(join(import.meta.dirname, '..'));
/** Rows with a test in this folder: what is only in `test/long`, hardly anybody runs. */
const tested = new Set(TITLES.filter(({ file }) => file.startsWith('fault/')).map(({ row }) => row));

test('a title names its rows at its beginning, and nothing else is taken for one', () => {
  expect(rowsOf("test('13: a file that is gone', () => {")).toEqual([13]);
  expect(rowsOf("])('19 and 22: %s is waited for', async (_, rule) => {")).toEqual([19, 22]);
  expect(rowsOf('test(`2 and 93: over many kills`, async')).toEqual([2, 93]);
  expect(rowsOf("describe('rows 51 to 53', () => {")).toEqual([51, 52, 53]);
  expect(rowsOf("describe.skipIf(x)(\n  'row 55', () => {")).toEqual([55]);
  expect(rowsOf("test.each([['1.5: x', 2], ['3: y', 4]])('with 40 files', f(5)")).toEqual([]);
});

test('every title that names a row is in the table, and what is in test/long is here in small', () => {
  const named = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && name !== 'rows.test.ts')
    .flatMap((name) => rowsOf(readFileSync(join(import.meta.dirname, name), 'utf8')))
    // Other numbers stand in brackets, too: what the service answers.
    .filter((row) => row <= PARTS['G use'][1]);
  expect([...tested].toSorted((a, b) => a - b)).toEqual([...new Set(named)].toSorted((a, b) => a - b));
  expect(TITLES.filter(({ row }) => !tested.has(row))).toEqual([]);
});

test('a row that is tested beside what it holds is really there', () => {
  const read = (file: string) => readFileSync(join(import.meta.dirname, '..', file), 'utf8');
  expect([...BESIDE].filter(([, [file, title]]) => !read(file).includes(title))).toEqual([]);
});

test('every starred row of the parts that are built has a test', () => {
  expect(STARRED.filter((row) => !tested.has(row))).toEqual([]);
});

test(`of A, D, E and G at least ${OTHERS_MIN} further rows have one, and the rest says why not`, () => {
  const lines: string[] = [];
  let others = 0;
  for (const [part, [first, last]] of Object.entries(PARTS)) {
    const rows = Array.from({ length: last - first + 1 }, (_, n) => first + n);
    const there = rows.filter((row) => tested.has(row) || BESIDE.has(row));
    const missing = rows.filter((row) => !tested.has(row) && !BESIDE.has(row));
    lines.push(
      `${part}: ${there.length} of ${rows.length}${missing.length > 0 ? `; without: ${missing.join(', ')}` : ''}`,
    );
    if (part.startsWith('B') || part.startsWith('C')) continue;
    others += there.filter((row) => !STARRED.includes(row)).length;
    expect(
      missing.filter((row) => !ELSEWHERE.has(row)),
      part,
    ).toEqual([]);
  }
  console.log(`rows of the fault matrix with a test in test/fault:\n  ${lines.join('\n  ')}`);
  expect(others).toBeGreaterThanOrEqual(OTHERS_MIN);
  expect([...ELSEWHERE.keys()].filter((row) => tested.has(row))).toEqual([]);
});
