// Logs in the forms of tools that nobody here had seen, which were once read silently wrong: each is read right, or asked about.
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { Dialect } from '../../../../src-main/model/dialect.ts';
import { codeOf, read, recognise, rows, stamp, stamped, two } from '../../../support/logs/text-log.ts';

const names = (text: string) => read(text).columns.map((column) => `${column?.name}|${column?.unit}`);

describe('numbers in a form that is not read are a question, never other numbers and no text', () => {
  test.each([
    ['a point for thousands beside decimal commas', `Zeit;n;Rate\n${stamped(9, (n) => `;1.20${n};12.34${n},5`)}`],
    ['a comma for thousands in quotes', `Time,n,Rate\n${stamped(9, (n) => `,"1,20${n}","12,34${n}.5"`)}`],
    ['an apostrophe', `Zeit;n\n${stamped(9, (n) => `;1'20${n}.5`)}`],
    ['a blank', `Zeit;n;T\n${stamped(9, (n) => `;1 20${n},5;60${n},5`)}`],
    ['the exponent of Fortran', `Time;p;T\n${stamped(9, (n) => `;1.2${n}D-08;60${n}`)}`],
    ['an exponent without its letter', `Time;p;T\n${stamped(9, (n) => `;1.2${n}-8;60${n}`)}`],
    ['an exponent behind a blank', `Time;p;T\n${stamped(9, (n) => `;1.2${n} E-8;60${n}`)}`],
    ['a power of ten', `Time;p;T\n${stamped(9, (n) => `;1.2${n}*10^-8;60${n}`)}`],
    ['brackets for a minus', `Time;p;T\n${stamped(9, (n) => `;(1.2${n});60${n}`)}`],
    ['a minus behind it', `Time;p;T\n${stamped(9, (n) => `;1.2${n}-;60${n}`)}`],
    ['a minus that is none of ASCII', `Time;p\n${stamped(9, (n) => `;\u22121.2${n}`)}`],
    ['digits of full width', `Time;p\n${stamped(9, (n) => `;\uff16\uff10\uff10\uff0e${n}`)}`],
  ])('%s', (_, text) => {
    expect(codeOf(recognise(text))).toBe('log.numbers-unread');
  });

  test('a word of bits, an address and a version stay remarks', () => {
    const text = `Time;Bits;Host;Version;T\n${stamped(9, (n) => `;0001${n % 2}010;10.0.0.${n};1.2.${n};60${n}`)}`;
    expect(names(text)).toEqual(['T|']);
  });

  test('angles are no events', () => {
    const found = recognise(`Time;Angle\n${stamped(9, (n) => `;${n}\u00b005'`)}`);
    expect(codeOf(found)).toBe('log.no-time');
  });
});

describe('text of another code page is asked about', () => {
  const text = (header: string) => `${header}\n${stamped(9, (n) => `,60${n},1`)}`;
  const askedOf = (header: string, encoding: string) =>
    recognise(iconv.encode(text(header), encoding), { path: 'log.csv' });

  test.each([
    ['日付,温度(℃),圧力', 'shift_jis'],
    ['时间,温度,真空度', 'gb18030'],
    ['時間,溫度,壓力', 'big5'],
    ['시간,온도,압력', 'euc-kr'],
    ['Время,Температура,Давление', 'windows-1251'],
    ['Zeit,Temp (°C),Größe', 'cp850'],
    ['Time,Temp (°C),p', 'macroman'],
  ])('%s of %s, and that page is among the answers', (header, encoding) => {
    const found = askedOf(header, encoding);
    if (!('code' in found)) throw new Error('not asked');
    expect(found.code).toBe('log.encoding-unclear');
    expect(found.answers?.map((answer) => answer.encoding)).toContain(encoding);
  });

  test.each(['Zeit,Temp (°C),Größe', 'Heure,Température,Débit (m³/h)', 'Hora,“Presión” – ±µA²,Señal'])(
    '%s is Western',
    (header) => {
      expect(codeOf(askedOf(header, 'windows-1252'))).toContain('separator');
    },
  );
});

test('lines that end with a carriage return alone are refused, while a line feed may come they are waited for', () => {
  const lines = `Time;T\n${stamped(9, () => ';1')}`.replaceAll('\n', '\r');
  expect(codeOf(recognise(lines))).toBe('log.line-ends');
  expect(codeOf(recognise(lines.slice(0, 9)))).toBe('log.no-rows-yet');
});

describe('a time says all of its instant, or is asked about', () => {
  test.each([
    [
      'whole days of a spreadsheet beside a part of a day',
      `Date,Time,P\n${rows(9, (n) => `46346,0.4270${n},1.5\n`)}`,
      'run_2026-11-20_10-15-00.csv',
    ],
    [
      'a number of six digits called date',
      `DATE,TIME,T\n${rows(9, (n) => `201126,10150${n},1\n`)}`,
      'run_2026-11-20_10-15-00.csv',
    ],
    ['a count whose last digits are lost', `Time,T\n${rows(9, (n) => `1.7952E+9,${n}\n`)}`, 'log.txt'],
    ['PM between date and time', `Date;;Time;T\n${rows(9, (n) => `2026-11-20;PM;10:15:0${n};1\n`)}`, 'log.txt'],
    ['PM in Japanese', `Date;Time;;T\n${rows(9, (n) => `2026-11-20;10:15:0${n};午後;1\n`)}`, 'log.txt'],
  ])('%s', (_, text, path) => {
    expect(codeOf(recognise(text, { path }))).toBe('log.no-time');
  });

  test.each([
    ['month and day', (n: number, day: number) => `Nov ${day} 10:15:0${n} p=1.${n}e-8\n`],
    ['the day of the week', (n: number, day: number) => `${day === 20 ? 'Fri' : 'Mon'} 10:15:0${n} p=1.${n}e-8\n`],
  ])('%s without a year: a log that rests for some days would be read a day off', (_, row) => {
    const text = rows(5, (n) => row(n, 20)) + rows(5, (n) => row(n, 23));
    expect(codeOf(recognise(text, { path: 'log_2026-11-20.log' }))).toBe('log.day-unclear');
  });

  test('hours that count to 12 and pass noon', () => {
    const at = (n: number) => `${n < 4 ? '12:59:5' : '01:00:0'}${n}`;
    const dated = `Time;T\n${rows(9, (n) => `20.11.2026 ${at(n)};1\n`)}`;
    expect(codeOf(recognise(dated))).toBe('log.hours-unclear');
    const bare = `Time;T\n${rows(9, (n) => `${at(n)};1\n`)}`;
    expect(codeOf(recognise(bare, { path: 'log_2026-11-20.csv' }))).toBe('log.hours-unclear');
    const time = { column: 1, format: 'dd.MM.yyyy HH:mm:ss' };
    expect(read(dated, { dialect: Dialect.parse({ time }) }).timesMs).toHaveLength(9);
  });

  test('hours that count to 12, half a day from the last change of the file or from now', () => {
    const dated = `Time;T\n${rows(9, (n) => `20.11.2026 05:10:0${n};1\n`)}`;
    const evening = Date.UTC(2026, 10, 20, 16, 10, 10);
    expect(codeOf(recognise(dated, { modifiedMs: evening }))).toBe('log.hours-unclear');
    expect(codeOf(recognise(dated, { modifiedMs: 0, nowMs: evening }))).toBe('log.hours-unclear');
    const bare = `Time;T\n${rows(9, (n) => `05:10:0${n};1\n`)}`;
    const named = { path: 'log_2026-11-20.csv' };
    expect(codeOf(recognise(bare, { ...named, modifiedMs: evening }))).toBe('log.hours-unclear');
    // 12:10 at night is no noon.
    const night = `Time;T\n${rows(9, (n) => `20.11.2026 12:10:0${n};1\n`)}`;
    expect(codeOf(recognise(night, { modifiedMs: Date.UTC(2026, 10, 19, 23, 10, 10) }))).toBe('log.hours-unclear');
    const morning = Date.UTC(2026, 10, 20, 4, 10, 10);
    expect(read(dated, { modifiedMs: morning }).timesMs).toHaveLength(9);
    expect(read(bare, { ...named, modifiedMs: morning }).timesMs).toHaveLength(9);
  });

  test('hours that count to 12 and pass noon later on', () => {
    const changed = { modifiedMs: Date.UTC(2026, 10, 22) };
    const row = (n: number) =>
      `20.11.2026 ${two(n < 600 ? 11 + Math.floor(n / 300) : 1)}:${two(Math.floor((n % 300) / 5))}:${two(12 * (n % 5))};1\n`;
    const text = (first: string) => `Time;T\n${first}${rows(700, row)}`;
    expect(codeOf(recognise(text(''), changed))).toBe('log.hours-unclear');
    // While the tool writes, nobody knows of noon before it comes.
    const readOn = (first: string) => {
      const { timesMs, stoppedAt } = read(text(first), { ...changed, seen: 9000 });
      return { rows: timesMs.length, isStopped: stoppedAt !== null };
    };
    expect(readOn('')).toEqual({ rows: 600, isStopped: true });
    // One that has shown other hours has 24, and its clock was set back.
    expect(readOn('20.11.2026 00:59:00;1\n')).toEqual({ rows: 701, isStopped: false });
  });

  test('columns with a time of their own under another name', () => {
    const late = (n: number) => `2026-11-20 10:16:${two(n)}`;
    const text = `T1_TIME;T1;P1_TIME;P1\n${stamped(9, (n) => `;1;${late(n)};2`)}`;
    expect(codeOf(recognise(text))).toBe('log.several-times');
    // Two stamps side by side are of one value.
    expect(names(`Start time;End time;T\n${stamped(9, (n) => `;${late(n)};2`)}`)).toEqual(['T|']);
  });

  test('a number long after the start', () => {
    const clock = `TIME,T\n${rows(9, (n) => `10150${n},1\n`)}`;
    const path = 'run_2026-11-20_10-15-00.csv';
    expect(codeOf(recognise(clock, { path }))).toBe('log.count-doubtful');
    const counted = `Time [s],T\n${rows(9, (n) => `360${n},1\n`)}`;
    expect(codeOf(recognise(counted, { path }))).toBe('log.count-doubtful');
    const changedMs = Date.UTC(2026, 10, 20, 10, 15, 9);
    expect(read(counted, { path, modifiedMs: changedMs }).firstAt).toBe('2026-11-20T10:15:00.000Z');
    expect(read(`Time [h],T\n${rows(9, (n) => `${n + 1},1\n`)}`, { path }).firstAt).toBe('2026-11-20T10:15:00.000Z');
  });
});

describe('00:00:00 counts from a start, or is midnight', () => {
  const body = `Time\tT\n${rows(9, (n) => `00:00:${two(n)}.250\t1\n`)}`;

  test.each([
    'Date:\t20.11.2026\nTime:\t10:15:00\n',
    'Time: 10:15:00\nDate: 20.11.2026\n',
    'Date: 20.11.2026\nTime: 10:15:00\nInterval: 00:00:01\n',
    'Start time: 10:15:00\nDate: 20.11.2026\nEnd time: 10:15:09\n',
  ])('%j is the start', (head) => {
    expect(read(head + body).firstAt).toBe('2026-11-20T09:15:00.250Z');
  });

  test('a date alone does not tell which', () => {
    expect(codeOf(recognise(`Date: 20.11.2026\n${body}`))).toBe('log.start-ambiguous');
    expect(codeOf(recognise(body, { path: 'log_2026-11-20.txt' }))).toBe('log.start-ambiguous');
  });

  test('the last change of the file does; that it ends late is no sign, for a run of a day does so as well', () => {
    const changedMs = Date.UTC(2026, 10, 19, 23, 0, 9);
    expect(read(`Date: 20.11.2026\n${body}`, { modifiedMs: changedMs }).firstAt).toBe('2026-11-19T23:00:00.250Z');
    const day = `Time\tT\n${rows(24, (n) => `${two(n)}:00:00\t1\n`)}`;
    expect(codeOf(recognise(day, { path: 'log_2026-11-20.txt' }))).toBe('log.start-ambiguous');
  });
});

describe('names stay with their columns', () => {
  test('where units stand below those of numbers, and anything below the others', () => {
    const head = 'Number,Date&Time,CH1,CH2,Alarm1-10\nNO.,Time,degC,V,A1234567890\n';
    const text = head + rows(9, (n) => `${n + 1},${stamp(n)},60${n},0.${n},LLLLLLLLLL\n`);
    expect(names(text)).toEqual(['Number|', 'CH1|degC', 'CH2|V']);
  });

  test('which may be called by numbers, such as masses', () => {
    expect(names(`Time;2.00;18.00\n${stamped(9, (n) => `;1.${n}e-9;2e-9`)}`)).toEqual(['2.00|', '18.00|']);
  });
});

describe('digits in groups are asked about', () => {
  test.each([
    ['beside German dates', `Zeit\tp\n${rows(9, (n) => `20.11.2026 10:15:0${n}\t60,47${n}\n`)}`],
    [
      'in a column without a mark below a thousand',
      `Time;n\n${rows(9, (n) => `${stamp(n)};${['998', '999', '1.000'][n] ?? `1.00${n}`}\n`)}`,
    ],
  ])('%s', (_, text) => {
    expect(codeOf(recognise(text))).toBe('log.decimal-mark-ambiguous');
  });

  test.each([
    ['an exponent beside them', `Zeit;T;p\n${rows(9, (n) => `20.11.2026 10:15:0${n};60,47${n};1,2E-08\n`)}`],
    ['a number below one', `Zeit;T;p\n${rows(9, (n) => `20.11.2026 10:15:0${n};60,47${n};0,12${n}\n`)}`],
    ['a whole number above a thousand', `Time;n\n${rows(9, (n) => `${stamp(n)};${n < 4 ? '1998' : `1.00${n}`}\n`)}`],
  ])('%s shows the decimal mark', (_, text) => {
    expect(codeOf(recognise(text))).toContain('separator');
  });
});

test('does not skip a row with a weekday above rows of another separator', () => {
  const below = rows(9, (n) => `22.05.2012 0${n}:29:48;7414${n};Open\n`);
  expect(codeOf(recognise(`Day,Elapsed,MFC,Remark\nTue,04:29:48,61894,Open\n${below}`))).toBe('log.rows-differ');
});

test.each([
  ['with their units', (n: number) => `${n % 2} ${n > 0 ? 'Torr' : 'mbar'}`, 'log.units-mixed'],
  ['in a form that is not read', (n: number) => `(${n % 2})`, 'log.numbers-unread'],
])('values %s are no names of channels, however few there are', (_, cell, code) => {
  const row = (n: number) => `${n};2026-11-20 10:15:0${Math.floor(n / 4)};${cell(n)};buffer\n`;
  expect(codeOf(recognise(`#;Time;T;Remark\n${rows(9, row)}`))).toBe(code);
});

describe('seconds since 1904 are of UTC or of the clock on the wall', () => {
  // 2026-11-20 10:15:00.5, and 09:15:00.5 in UTC.
  const text = `Time\tT\n${rows(9, (n) => `387801450${n}.5\t1\n`)}`;
  const at = (hour: number) => ({ modifiedMs: Date.UTC(2026, 10, 20, hour, 15, 10) });

  test('which nothing tells', () => {
    expect(codeOf(recognise(text, { path: 'log_2026-11-20.txt' }))).toBe('log.zero-unclear');
    expect(codeOf(recognise(text, { modifiedMs: Date.UTC(2026, 10, 22) }))).toBe('log.zero-unclear');
  });

  test('which the last change tells, or the name of the program', () => {
    expect(read(text, at(10)).firstAt).toBe('2026-11-20T10:15:00.500Z');
    expect(read(text, at(9)).firstAt).toBe('2026-11-20T09:15:00.500Z');
    expect(read(text, { path: 'LabVIEW/log_2026-11-20.txt' }).firstAt).toBe('2026-11-20T10:15:00.500Z');
    expect(read(`Saved by Igor Pro\nDate: 2026-11-20\n${text}`).firstAt).toBe('2026-11-20T09:15:00.500Z');
    expect(read(`Start: 2026-11-20 10:15:00\n${text}`).firstAt).toBe('2026-11-20T09:15:00.500Z');
  });
});

describe('a table whose time is not understood is no event log', () => {
  const remark = 'GaAs buffer, step 2';
  test.each([
    ['stamps of two kinds', (n: number) => (n < 15 ? `08.05.2025 01:59:${two(n)}` : `May 08 02:32:${two(n)}`)],
    ['stamps with an unknown zone', (n: number) => `2026-11-20 10:15:${two(n)} XYZT`],
  ])('%s', (_, time) => {
    for (const [mark, decimal] of [
      [';', ','],
      ['\t', '.'],
      ['|', '.'],
    ] as const) {
      const line = (n: number) => [time(n), `0${decimal}0${two(n)}`, '192', remark].join(mark);
      const found = recognise(
        `${['Elapsed', 'Flow', 'Code', 'Remark'].join(mark)}\n${rows(18, (n) => `${line(n)}\n`)}`,
      );
      expect(codeOf(found)).not.toContain('event log');
    }
  });

  test.each([
    ['blanks', ' '],
    ['wide blanks', '   '],
  ])('few rows of numbers in a form that is not read, between %s', (_, gap) => {
    const cells = (n: number) => [
      `${n + 1}`,
      `${stamp(n)} GMT+01:00`,
      `5.6${n}D+4`,
      n % 2 ? 'on' : 'off',
      `6.6${n}D+7`,
      'mbar',
    ];
    const means = ['Mean', 'Minimum'].map((name) => [name, '5.6e+4', '6.6e+7'].join(gap));
    const found = recognise(`${rows(4, (n) => `${cells(n).join(gap)}\n`)}${means.join('\n')}\n`);
    expect(codeOf(found)).toMatch(/^log\.(?:values-unclear|numbers-unread)$/);
  });

  test.each([
    ['Layer 3 started', (n: number) => `Layer ${n} started`, 'log.values-unclear'],
    ['two numbers', (n: number) => `Sample ${n} at place ${n}`, 'log.values-unclear'],
    ['a state and a value', (n: number) => `Growth 60${n}.5`, null],
    ['two states and values', (n: number) => `Open Closed 60${n} 1.5 2.5`, null],
    ['a value first', (n: number) => `60${n} Open Growth`, null],
  ])('words with numbers among them, cut at blanks: %s', (_, text, code) => {
    const found = recognise(stamped(8, (n) => ` ${text(n)}`));
    expect('code' in found ? found.code : null).toBe(code);
    if (code !== null) expect('code' in found && found.answers?.[0]).toEqual({ events: true });
  });

  test('cells that semicolons set apart, behind a zone that is not known, are not cut at the blanks of a remark', () => {
    const text = stamped(9, (n) => ` XYZT;0.${two(n)};192;GaAs buffer, step ${n}`);
    expect(codeOf(recognise(`Flow;Code;Remark\n${text}`))).toBe('log.values-unclear');
  });

  test('but lines of words with a number here and there are events', () => {
    const text = stamped(9, (n) => `;Recipe;step ${n} started`);
    expect(codeOf(recognise(text))).toContain('an event log');
  });
});

test('a column called p m/s² beside the time is no half of the day', () => {
  const text = stamped(4, (n) => `;277,0${n};mbar;GaAs buffer`);
  expect(read(`Date Time;p m/s²;Unit;Remark\n${text}`).values).toHaveLength(4);
});

test('# names a column where names with a blank in them are set apart by several', () => {
  const log = (time: string, line: (n: number) => string) =>
    `#   ${time}   T sub   p   Valve\n${rows(9, (n) => `${n + 1}   ${line(n)}   600.${n}   1.5e-7   Open\n`)}`;
  const options = { path: '2026-11-20_10-15-00.txt' };
  const { columns, values } = read(
    log('Time [s]', (n) => `${2 * n}.5`),
    options,
  );
  expect(columns.map((column) => column?.name)).toEqual(['#', 'T sub', 'p']);
  expect([...values.slice(0, 3)]).toEqual([1, 600, 1.5e-7]);
  // Its numbers of rows are not what Elapsed counts.
  expect(
    codeOf(
      recognise(
        log('Elapsed', (n) => `139155023${n}000`),
        options,
      ),
    ),
  ).toBe('log.no-time');
});
