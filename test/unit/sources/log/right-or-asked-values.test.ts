// Values that were once read silently wrong: such as the line itself calls bad, whole numbers that become grouped ones, words of
// hexadecimal digits, the hour that comes twice. Each is read right, or asked about, or refused with its text.
import { describe, expect, test } from 'vitest';
import { Dialect } from '../../../../src-main/model/dialect.ts';
import { codeOf, read, recognise, rows, stamp, stamped, two } from '../../../support/logs/text-log.ts';

/** What was read, a channel with its values, and what was refused of it. */
function told(text: string, options?: Parameters<typeof recognise>[1]) {
  const { columns, values, refusals, timesMs } = read(text, options);
  const own = columns.map((column, out) => [
    `${column?.name}`,
    [...timesMs].map((_, row) => values[row * columns.length + out]),
  ]);
  return { ...Object.fromEntries(own), refused: refusals.map(({ channel, text: cell }) => `${channel}: ${cell}`) };
}

describe('a value that its line calls bad does not go out', () => {
  const GOOD = [600.5, 601.5, Number.NaN, 603.5];

  test.each([
    ['a word behind each', 'Time,T,T Quality,n,n Quality', (n: number, kind: string) => `60${n}.5,${kind},${n},Good`],
    ['a word of some length', 'Time;T;Quality;n', (n: number, kind: string) => `60${n}.5;${kind}, Not Connected;${n}`],
    ['names before', 'Time,Quality T,T,n', (n: number, kind: string) => `${kind},60${n}.5,${n}`],
    ['a status of one value', 'Time,T,Status,n,State', (n: number, kind: string) => `60${n}.5,${kind},${n},OK`],
    ['no name', '', (n: number, kind: string) => `60${n}.5,${kind},${n}`],
  ])('by %s', (_, header, row) => {
    const words = header.includes('Status') ? ['OK', 'Sensor error'] : ['Good', 'Bad'];
    const separator = header.includes(';') ? ';' : ',';
    const text = stamped(4, (n) => `${separator}${row(n, words[Number(n === 2)] as string)}`);
    const found = told(header === '' ? text : `${header}\n${text}`) as Record<string, unknown>;
    const [first, second, refused] = Object.values(found) as [number[], number[], string[]];
    expect(first).toEqual(GOOD);
    expect(second).toEqual([0, 1, 2, 3]);
    expect(refused).toHaveLength(1);
  });

  test('by a code of OPC, and no column of codes is a channel', () => {
    const text = `Time,T,Quality\n${stamped(4, (n) => `,60${n}.5,${n === 2 ? 0 : n === 3 ? 64 : 192}`)}`;
    expect(told(text)).toEqual({ T: [600.5, 601.5, 603.5], refused: ['T: 0'] });
  });

  test('by a validity, in a row a channel', () => {
    const text = `VarName;TimeString;VarValue;Validity\n${rows(8, (n) => `${n % 2 ? 'p' : 'T'};${stamp(n)};60${n}.5;${n === 4 ? 0 : 1}\n`)}`;
    expect(told(text).refused).toEqual(['T: 604.5 (not good: 0)']);
  });

  test('for all values of the line, where one cell speaks of them', () => {
    const text = `Time,T,P,Quality\n${stamped(4, (n) => `,60${n}.5,${n}.5,${n === 2 ? 'Bad' : 'Good'}`)}`;
    expect(told(text)).toMatchObject({ refused: ['T: Bad', 'P: Bad'] });
  });

  test('but what is uncertain does; of several values it is asked whether their status is that of the machine', () => {
    const text = `Time,T,Quality\n${stamped(4, (n) => `,60${n}.5,${n % 2 ? 'Uncertain' : 'Good'}`)}`;
    expect(told(text)).toMatchObject({ refused: [] });
    const state = `Time,T,P,Status\n${stamped(4, (n) => `,60${n}.5,1.5,${n % 2 ? 'Error' : 'OK'}`)}`;
    expect(codeOf(recognise(state))).toBe('log.quality-unclear');
  });

  test.each([
    ['Time,T,Valid', (n: number) => (n === 2 ? 'FALSE' : 'TRUE')],
    ['Time,T,T_valid', (n: number) => (n === 2 ? '0' : '1')],
    ['Time,T,StatusCode', (n: number) => (n === 2 ? '2147483648' : '0')],
    ['Time,T,StatusCode', (n: number) => (n === 2 ? '0x80000000' : '0x00000000')],
    ['Time,T,T Quality', (n: number) => (n === 2 ? '24' : '192')],
  ])('under %s', (header, word) => {
    const text = `${header}\n${stamped(4, (n) => `,60${n}.5,${word(n)}`)}`;
    expect(told(text)).toMatchObject({ T: [600.5, 601.5, 603.5] });
  });

  test('a quality that is measured stays a channel', () => {
    const text = `Time,Quality factor,T\n${stamped(4, (n) => `,${192 + n},60${n}.5`)}`;
    expect(told(text)).toMatchObject({ 'Quality factor': [192, 193, 194, 195] });
  });

  test('codes that can mean either are asked about; what is measured is none', () => {
    const text = (code: (n: number) => number) => `Time,T,Quality\n${stamped(4, (n) => `,60${n}.5,${code(n)}`)}`;
    expect(codeOf(recognise(text(() => 0)))).toBe('log.quality-unclear');
    expect(told(text((n) => 90 + n))).toMatchObject({ Quality: [90, 91, 92, 93] });
    const quality = [{ column: 'Quality', good: ['0'] }];
    const answered = told(
      text((n) => Number(n === 2)),
      { dialect: Dialect.parse({ quality }) },
    );
    expect(answered).toEqual({ T: [600.5, 601.5, 603.5], refused: ['T: 1'] });
  });
});

describe.each([
  ['', (n: string, m: string) => `;${n};${m}`],
  [', each with its unit', (n: string, m: string) => `;${n}${n && ' mbar'};${m}${m && ' Pa'}`],
  [', some with a unit', (n: string, m: string) => `;${n}${n && ' mbar'};${m}`],
  [', each with its name', (n: string, m: string) => ` n=${n}${m === '' ? '' : ` m=${m}`}`],
])('whole numbers that become grouped ones behind the first lines%s', (_, row) => {
  const counting = (n: number) => String(n).replace(/\B(?=(?:\d{3})+$)/g, '.');
  const isTable = row('', '').includes(';');
  const long = (cells: (n: number) => string) => {
    const line = (n: number) => {
      const [own = '', other = ''] = cells(n).split(';');
      return `20.11.2026 10:${two(Math.floor(n / 60))}:${two(n % 60)}${row(own, other)}\n`;
    };
    return (isTable ? 'Zeit;n;m\n' : '') + rows(700, line);
  };

  test('are never a thousandth: reading stops at the first of three', () => {
    const text = long((n) => `${counting(n + 600)};1`);
    const { values, isMisfit, lines } = read(text);
    expect([isMisfit, lines]).toEqual([true, 400]);
    expect(values[2 * 399]).toBe(999);
  });

  test('are refused one by one where they are single', () => {
    const { refusals } = read(long((n) => `${n === 500 ? '1.002' : n};1`));
    expect(refusals).toMatchObject([
      {
        channel: 'n',
        text: row('1.002', '1').split(/;|n=| m=/)[1],
        reason: 'may be 1.002 or 1002: all numbers before it were whole',
      },
    ]);
  });

  test('are numbers once the file has shown its decimal mark, and where a person has said it', () => {
    const shown = long((n) => `${n === 500 ? '1.002' : n};${n === 450 ? '1.5' : 1}`);
    expect(read(shown).refusals).toEqual([]);
    const said = read(
      long((n) => `${n === 500 ? '1.002' : n};1`),
      { dialect: Dialect.parse({ decimal: 'point' }) },
    );
    expect([said.refusals, said.values[2 * 500]]).toEqual([[], 1.002]);
  });

  test('are numbers where a later line of the same block shows the mark, or the column has shown 1500', () => {
    const later = read(long((n) => `${n < 500 ? 2 : n < 505 ? '2.575' : '2.5'};1`));
    expect([later.refusals, later.values[2 * 500]]).toEqual([[], 2.575]);
    const large = read(long((n) => `${n === 500 ? '1.002' : 1500 + n};1`));
    expect(large.refusals).toEqual([]);
  });
});

test('a sentence among rows of whole numbers does not show which mark is the decimal one', () => {
  const line = (n: number) =>
    `20.11.2026 10:${two(Math.floor(n / 60))}:${two(n % 60)}   ${n < 500 ? n : `1.${n}`}   7   Open\n`;
  const sentence = 'Layer finished 12.5 nm 8\n';
  const text = (at: number) => `Zeit   n   m   s\n${rows(700, (n) => (n === at ? sentence : '') + line(n))}`;
  for (const at of [100, 600])
    expect(read(text(at).replaceAll(/ {3}/g, ' ').replace('Zeit', 'Datum Zeit')).isMisfit).toBe(true);
});

test('whole numbers of a column that was empty before are no thousandths either', () => {
  const cell = (n: number) => (n < 400 ? '' : n < 500 ? 7 : n === 500 ? '1.002' : 8);
  const line = (n: number) => `20.11.2026 10:${two(Math.floor(n / 60))}:${two(n % 60)};${n};${cell(n)}\n`;
  expect(read(`Zeit;n;m\n${rows(700, line)}`).refusals).toMatchObject([{ channel: 'm', text: '1.002' }]);
  const unit = read(`Zeit;n;m\n${rows(700, (n) => line(n).replace(/;(\d+);/, ';$1 mbar;'))}`);
  expect(unit.refusals).toMatchObject([{ channel: 'm', text: '1.002' }]);
});

test('a column of whole numbers of which some have the other decimal mark is asked about', () => {
  const text = `Time;n;p\n${rows(9, (n) => `${stamp(n)};${n % 2 ? `1,20${n}` : `74${n}`};1.${n}e-8\n`)}`;
  expect(codeOf(recognise(text))).toBe('log.decimal-mark-mixed');
});

test('words of hexadecimal digits are no numbers, not even 1E50', () => {
  const text = `Time;Word;T\n${stamped(4, (n) => `;${['1E50', '0FFA', '1000', '2A03'][n]};60${n}`)}`;
  expect(told(text)).toEqual({ T: [600, 601, 602, 603], refused: [': 1E50', ': 1000'].map((one) => `Word${one}`) });
});

test('a table of means behind the rows is refused line by line, and the rows are read', () => {
  const text = `Time,T\n${stamped(9, (n) => `,60${n}`)}\nMin,600\nMax,608\nMean,604\n`;
  expect(told(text)).toMatchObject({ T: [600, 601, 602, 603, 604, 605, 606, 607, 608] });
});

test('carriage returns that were doubled belong to the line end', () => {
  expect(told(`Time,T\r\r\n${stamped(2, (n) => `,60${n}\r\r`)}`)).toEqual({ T: [600, 601], refused: [] });
});

describe('a file that begins in the hour that comes twice', () => {
  const at = (minute: number) => `2026-10-25 ${minute < 60 ? '02' : '03'}:${two(minute % 60)}:00`;
  const text = (from: number, step: number, count = 9) =>
    `Time;T\n${rows(count, (n) => `${at(from + n * step)};60${n}\n`)}`;
  const changed = (hour: number) => ({ modifiedMs: Date.UTC(2026, 9, 25, hour, 18, 2) });

  test('is of the hour in which it was last changed', () => {
    expect(read(text(10, 1), changed(0)).firstAt).toBe('2026-10-25T00:10:00.000Z');
    expect(read(text(10, 1), changed(1)).firstAt).toBe('2026-10-25T01:10:00.000Z');
  });

  test('is of the second one, where it leaves it without a rest', () => {
    expect(read(text(55, 1)).firstAt).toBe('2026-10-25T01:55:00.000Z');
  });

  test('is asked about where nothing tells', () => {
    expect(codeOf(recognise(text(10, 1)))).toBe('log.hour-twice');
    expect(codeOf(recognise(text(30, 25, 3)))).toBe('log.hour-twice');
  });

  test('and so is one whose start lies there, or is settled by its last change', () => {
    const counted = `Start: 2026-10-25 02:10:00\nTime [s];T\n${rows(9, (n) => `${n};60${n}\n`)}`;
    expect(codeOf(recognise(counted))).toBe('log.hour-twice');
    const later = Date.UTC(2026, 9, 25, 1, 10, 9);
    expect(read(counted, { modifiedMs: later }).firstAt).toBe('2026-10-25T01:10:00.000Z');
    const ofDay = `Date: 2026-10-25\nTime;T\n${rows(9, (n) => `02:10:${two(n)};60${n}\n`)}`;
    expect(read(ofDay, { modifiedMs: later }).firstAt).toBe('2026-10-25T01:10:00.000Z');
  });

  test.each([60, 70, 90, 120])('rows %i minutes apart keep their step through the hour that comes twice', (minutes) => {
    const fromMs = Date.UTC(2026, 9, 24, 20, 50);
    const instants = Array.from({ length: 9 }, (_, n) => fromMs + n * minutes * 60_000);
    const local = (ms: number) => new Date(ms + (ms < Date.UTC(2026, 9, 25, 1) ? 2 : 1) * 3_600_000).toISOString();
    const text = `Time;T\n${instants.map((ms, n) => `${local(ms).slice(0, 19).replace('T', ' ')};60${n}\n`).join('')}`;
    expect([...read(text).timesMs]).toEqual(instants);
  });
});

describe('names are not lost to a line below them', () => {
  test.each([
    ['limits', 'Time,T,P\nMin,0,0\nMax,1000,1\n'],
    ['types', 'Time,T,P\ndatetime,float,float\n'],
    ['the other half of the names', 'Time,Temp,Pressure\n,Heater,Chamber\n,degC,mbar\n'],
    ['limits, between blanks', 'Time   T sub   P\nMin   0   0\n'],
  ])('of %s: it is asked', (_, head) => {
    const gap = head.includes(',') ? ',' : '   ';
    const text = `${head}${stamped(9, (n) => `${gap}60${n}.5${gap}1.${n}e-8`)}`;
    expect(codeOf(recognise(text))).toBe('log.header-unclear');
  });

  test('a word with a colon names what stands behind it', () => {
    expect(told(stamped(4, (n) => ` T: 60${n}.5 P: 1.${n}`))).toMatchObject({
      T: [600.5, 601.5, 602.5, 603.5],
      P: [1, 1.1, 1.2, 1.3],
    });
  });
});

test('a stamp with its zone in brackets makes no event log of a table', () => {
  const text = rows(9, (n) => `Fri Nov 20 2026 10:15:${two(n)} GMT+0100 (CET),60${n}.5\n`);
  expect(codeOf(recognise(text))).toBe('log.no-time');
});

test('a form feed before a line is none of it', () => {
  const text = `Time,T\n${rows(4, (n) => `${n === 2 ? '\f' : ''}${stamp(n)},60${n}.5\n`)}`;
  expect(told(text)).toEqual({ T: [600.5, 601.5, 602.5, 603.5], refused: [] });
});
