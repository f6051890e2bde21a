// A note in quotes that goes over several lines is one cell: what stands on its lines is no row, whatever it looks like.
import { describe, expect, test } from 'vitest';
import { follow as followed, read, recognised, rows, two } from '../../../../support/logs/text-log.ts';

const stamp = (n: number) => `2026-11-20 10:${two(Math.floor(n / 60))}:${two(n % 60)}`;
const row = (n: number, note = 'ok') => `${stamp(n)},${n},${note}\n`;
const HEAD = `Time,A,Note\n${rows(6, (n) => row(n))}`;

/** Read what stands behind the head line by line, as a tail does; gives the values, and the lines that were refused. */
function follow(text: string, head = HEAD) {
  const blocks = [...followed(recognised(head + text), text)];
  const refused = blocks.flatMap(({ refusals }) => refusals.map(({ text: shown }) => shown));
  return { values: blocks.flatMap(({ values }) => [...values]), refused };
}

const NOTE = [
  `${stamp(10)},10,"seen:`,
  `${stamp(10)},999,wrong`,
  '',
  `${stamp(10)},998,""wrong""`,
  `${stamp(10)},997,end"`,
];

describe('a note in quotes over several lines', () => {
  test.each([
    ['closed by a line of text', [...NOTE.slice(0, 4), 'end"']],
    ['closed by what looks like a row', NOTE],
    ['closed by a line that goes on behind it', [...NOTE.slice(0, 4), `${stamp(10)},996,end",5`]],
    ['that names other columns', [...NOTE.slice(0, 1), 'Time,B,Note', ...NOTE.slice(1)]],
    ['with Windows line ends', NOTE.map((line) => `${line}\r`)],
  ])('%s gives no value, in one block or line by line', (_, note) => {
    const text = `${note.join('\n')}\n${row(11)}${row(12, '"whole, and ""quoted"""')}`;
    const all = read(HEAD + text);
    expect([...all.values]).toEqual([0, 1, 2, 3, 4, 5, 11, 12]);
    expect(all.stoppedAt).toBeNull();
    const shown = all.refusals.map(({ text: line }) => line);
    // Of the line that opens it the cells before the quote are shown.
    expect(shown.slice(1)).toEqual(note.slice(1).map((line) => line.replace('\r', '')));
    expect(follow(text)).toEqual({ values: [11, 12], refused: shown });
  });

  test('gives none in a table with a row a channel, between blanks, and among pairs', () => {
    const long = `Time,Tag,Value,Note\n${rows(8, (n) => `${stamp(n)},${'AB'[n % 2]},${n},ok\n`)}`;
    const note = `${stamp(10)},A,10,"seen:\n${stamp(10)},A,999,wrong\nend"\n`;
    expect(follow(`${note}${stamp(11)},A,11,ok\n${stamp(11)},B,12,ok\n`, long).values.filter((v) => v > 0)).toEqual([
      11, 12,
    ]);
    const pairs = rows(6, (n) => `${stamp(n)} T=${n}.5 note=ok\n`);
    const told = `${stamp(10)} T=10 note="seen\n${stamp(10)} T=999 x\nend"\n${stamp(11)} T=11.5 note=ok\n`;
    expect(follow(told, pairs).values).toEqual([11.5]);
    const blanks = `Time A Note\n${rows(6, (n) => `${n}.5 ${n} ok\n`)
      .replaceAll(/^/gm, '2026-11-20T10:00:0')
      .replace(/2026[^\n]*$/, '')}`;
    const worded = `2026-11-20T10:00:10 10 "seen\n2026-11-20T10:00:10 999 wrong\n2026-11-20T10:00:10 998 end"\n2026-11-20T10:00:11 11 ok\n`;
    expect(follow(worded, blanks).values).toEqual([11]);
  });

  test('that nothing closes takes no more than its line', () => {
    const torn = `${stamp(10)},10,"se\n`;
    const rest = rows(30, (n) => row(11 + n));
    expect([...read(HEAD + torn + rest).values].slice(6)).toEqual(Array.from({ length: 30 }, (_, n) => 11 + n));
    // Line by line nobody knows that it does not go on: a bounded number of lines waits for its end in vain, and is told.
    const found = follow(torn + rest);
    expect(found.values).toEqual(Array.from({ length: 12 }, (_, n) => 29 + n));
    expect(found.refused).toHaveLength(19);
    // A line that stands well by itself shows that nothing goes on.
    const quoted = follow(torn + rows(3, (n) => row(11 + n, '"fine"')));
    expect(quoted.values).toEqual([11, 12, 13]);
  });

  test('that is opened on each line, as a mark for the same again, is none', () => {
    const ditto = rows(2, (n) => `${stamp(10 + n)},${10 + n},"\n`);
    expect(follow(ditto + row(12, '"ok"')).values).toEqual([12]);
  });
});

test('a line with a quote that opens or closes no cell is refused; a length in inches is none', () => {
  const text = `${row(10, 'end"')}${row(11, '"ok"')}${row(12, '6" wafer')}${row(13, 'say "x"')}`;
  expect(follow(text)).toEqual({ values: [11, 12, 13], refused: [row(10, 'end"').trim()] });
  expect(follow(`${stamp(10)},"1"2,ok\n${row(11)}`).values).toEqual([11]);
});
