// What was once read silently wrong in parts: digits of the time, units beside values, names that begin with a mark; and what
// a question offers.
import { describe, expect, test } from 'vitest';
import { Dialect } from '../../../../src-main/model/dialect.ts';
import { codeOf, read, recognise, rows, stamped, two } from '../../../support/logs/text-log.ts';

describe('the time is read with all its parts', () => {
  test.each([
    [
      'parts in columns',
      `Year,Month,Day,Hour,Minute,Second,p\n${rows(5, (n) => `2026,11,20,10,15,${n}.25,1\n`)}`,
      '09:15:00.250',
    ],
    [
      'parts in another order',
      `Day,Month,Year,Hour,Minute,Second,p\n${rows(5, (n) => `20,11,2026,10,15,${n},1\n`)}`,
      '09:15:00.000',
    ],
    ['parts without names', rows(5, (n) => `2026 11 20 10 15 ${n}.5 1.5\n`), '09:15:00.500'],
    [
      'parts without seconds',
      `Year,Month,Day,Hour,Minute,p\n${rows(5, (n) => `2026,11,20,10,1${n},1\n`)}`,
      '09:10:00.000',
    ],
    [
      'minutes and seconds',
      `Start: 2026-11-20 10:15:00\nElapsed,p\n${rows(5, (n) => `59:5${n}.5,1\n`)}1:00:00.5,1\n`,
      '10:14:50.500',
    ],
    ['more than 23 minutes', `Start: 2026-11-20 10:15:00\nTime,p\n${rows(5, (n) => `75:0${n},1\n`)}`, '10:30:00.000'],
    [
      'more than 99 hours',
      `Start: 2026-11-10 10:15:00\nElapsed,p\n${rows(5, (n) => `${40 * n}:00:00.5,1\n`)}`,
      '09:15:00.500',
    ],
    [
      'minutes and seconds by their header',
      `Start: 2026-11-20 10:15:00\nTime [mm:ss],p\n${rows(5, (n) => `00:0${n},1\n`)}`,
      '09:15:00.000',
    ],
  ])('%s', (_, text, at) => {
    const found = read(text);
    expect(found.firstAt.slice(11, 23)).toBe(at);
    expect(found.columns.map((column) => column?.name)).toEqual([text.includes('p\n') ? 'p' : 'column 7']);
  });

  test('00:05 counts from the start where the last change of the file says so', () => {
    const text = `Start: 2026-11-20 10:15:00\nTime,p\n${rows(6, (n) => `00:${two(n * 10)},1\n`)}`;
    expect(codeOf(recognise(text))).toBe('log.start-ambiguous');
    const { timesMs } = read(text, { modifiedMs: Date.UTC(2026, 10, 20, 9, 15, 52) });
    expect((timesMs[5] as number) - (timesMs[0] as number)).toBe(50_000);
  });
});

describe('a column of units behind a value', () => {
  const line = (n: number, unit: string) => `2026-11-20 ${two(Math.floor(n / 60))}:${two(n % 60)}:00,3.5,${unit}\n`;
  test('is the unit of the channel, and reading stops where it changes', () => {
    const { columns, timesMs, isMisfit } = read(
      `Time,p,unit\n${rows(400, (n) => line(n, 'mbar'))}${rows(9, (n) => line(400 + n, 'Pa'))}`,
    );
    expect(columns).toMatchObject([{ name: 'p', unit: 'mbar' }]);
    expect({ rows: timesMs.length, isMisfit }).toEqual({ rows: 400, isMisfit: true });
  });
  test('asks where it changes in the first rows', () => {
    expect(codeOf(recognise(`Time,p,unit\n${rows(9, (n) => line(n, n > 4 ? 'Pa' : 'mbar'))}`))).toBe('log.units-mixed');
  });
});

test('a value behind a compact stamp is no fraction of its second', () => {
  const line = (n: number, unit: string) => `20220727 0656${two(n)},1 ${unit}\n`;
  expect(read(`Timestamp,PV2\n${rows(9, (n) => line(n, 'mbar'))}`).columns).toMatchObject([
    { name: 'PV2', unit: 'mbar' },
  ]);
  const text = `Timestamp,PV2\n,W/cm²\n${rows(9, (n) => line(n, n > 0 ? 'Torr' : 'mbar'))}`;
  expect(codeOf(recognise(text))).toBe('log.units-mixed');
});

test('a sentence with as many words as there are cells does not make a column one of numbers', () => {
  const line = (n: number) => `2026-11-20 10:15:0${n}   49${n}.5   0.5${n}   mbar   Open\n`;
  const { columns } = read(`${line(0)}Layer 2 finished, thickness 12.5 nm\n${rows(8, (n) => line(n + 1))}`);
  expect(columns.length).toBe(2);
});

test('a line of the head with as many words as there are cells names them only where it names the time', () => {
  const body = rows(9, (n) => `1276223040${two(n)}000000   1.5   2.5   mbar   Open\n`);
  const text = `Date: 2005-06-03\nGrowth log of chamber 2\n${body}`;
  expect(codeOf(recognise(text, { path: 'log_20050603.txt' }))).toBe('log.header-unclear');
});

test('neither a rising temperature nor a rate per minute is a time', () => {
  for (const header of ['T_sub (mln/min)', 'T_sub', 'T [K]', 'T', 'T/K', 'Rate [nm/min]']) {
    const text = `Start: 2026-11-20 10:15:00\nn;${header};p\n${rows(9, (n) => `x${n};${n}.5;1\n`)}`;
    expect([header, codeOf(recognise(text, { modifiedMs: Date.UTC(2026, 10, 20, 9, 15, 8) }))]).toEqual([
      header,
      'log.no-time',
    ]);
  }
  for (const header of ['t', 't [s]', 't_ms', 'T/min', 'Time/s', 'Time [min]', 'Elapsed time (h)']) {
    const text = `Start: 2026-11-20 10:15:00\nn;${header};p\n${rows(9, (n) => `x${n};${n}.5;1\n`)}`;
    const modifiedMs = Date.UTC(2026, 10, 20, 9, 15, 8) + (/min|\(h/.test(header) ? 36_000_000 : 0);
    expect([header, codeOf(recognise(text, { modifiedMs }))[0]]).toEqual([header, 's']);
  }
});

test('numbers of which some are marked as none are no events', () => {
  const values =
    '0 1,2300e+8|1 2,0057e+7|0 2,2771e+7|1 OVER|0 2,4594e+7|1 6,1740e+7|OVER 2,3248e+7|0 6,7746e+7|0 2,8958e+7';
  const lines = values.split('|').map((pair, n) => `${n},000   ${pair.replace(' ', '   ')}   Phase 1\n`);
  const options = { path: '2019-01-21 00-59-52/values.csv', modifiedMs: Date.UTC(2019, 0, 21, 0, 0, 2) };
  expect(codeOf(recognise(lines.join(''), options))).toBe('log.no-time');
});

test('numbers with a decimal comma and two words behind them are no events', () => {
  const lines = rows(
    17,
    (n) => `${n},000   ${n === 6 || n === 12 ? '-' : `${n + 61},019`}   56${n + 101}   OK   Phase 1\n`,
  );
  const found = recognise(`Date: 2014-09-07\n${lines}`, {
    path: 'run_20140907_101128.txt',
    modifiedMs: Date.UTC(2014, 8, 7, 8, 11, 46),
  });
  expect('layout' in found ? found.layout.eventText : null).toBe(null);
});

test('a name too many shifts no column, whatever the last line looks like', () => {
  const line = (n: number) => `01.02.2016 09:50:4${n}.000;0,83${n};Open;\n`;
  const text = `Date Time;Date;Ga flux;Remark;\n;;A/s;;\n${rows(9, line)}09:50:50,000;2016-02-01;0,5;Open;\n`;
  expect(codeOf(recognise(text))).toBe('log.header-mismatch');
});

describe('a header that begins with #', () => {
  const data = rows(5, (n) => `${n + 1};2026-11-20 10:15:0${n};1.5\n`);
  test.each([
    ['semicolons', `#;Time;p\n${data}`],
    ['wide blanks', `#   Time   p in bar\n${data.replaceAll(';', '   ')}`],
  ])('keeps its first name between %s', (_, text) => {
    expect(read(text).columns.map((column) => column?.header.slice(0, 1))).toEqual(['#', 'p']);
  });
  test('stops the reading where it comes again with other units', () => {
    for (const header of ['#;Time;p [U]', '# Time;n;p [U]', '"#";"Time";"p [U]"']) {
      const body = header.startsWith('# ') ? stamped(5, (n) => `;${n};1.5`) : data;
      const [first, other] = [header.replace('U', 'mbar'), header.replace('U', 'Torr')];
      const { timesMs, stoppedAt } = read(`${first}\n${body}${other}\n${body}`);
      expect([header, timesMs.length, stoppedAt === null]).toEqual([header, 5, false]);
    }
  });
});

test('names are found below other lines of the head, whatever separator they have', () => {
  const text = `Limits,0.1,250\nTime;p;q\n37834,083344907;5,59e+4;1\n${rows(5, (n) => `37834.0833${n}4907,5.6${n}e+4,1\n`)}`;
  expect(codeOf(recognise(text, { path: 'log_2003-08-01.csv' }))).toMatch(/^log\.(header-unclear|rows-differ)$/);
});

test('offers no list of names where commas may be decimal marks, and no modification time of a copy', () => {
  const halves = recognise(`Time,p,T\n${stamped(5, (n) => `,1,5,20,${n}`)}`);
  expect('code' in halves && [halves.code, halves.hint.includes('dialect: {')]).toEqual(['log.header-mismatch', false]);
  const counted = `Time (s),p\n${rows(9, (n) => `${n},1\n`)}`;
  const hintOf = (modifiedMs: number) => {
    const found = recognise(counted, { path: 'run 2024-05-01.csv', modifiedMs });
    return 'code' in found ? found.hint : '';
  };
  expect(hintOf(Date.UTC(2024, 4, 1, 12))).toContain('from: file');
  expect(hintOf(Date.UTC(2026, 4, 1))).not.toContain('from: file');
  expect(hintOf(0)).not.toContain('from: file');
});

test('a preamble that is offered keeps the names above it, and lists the lines that it skips', () => {
  const text = `Time;a;b\n${stamped(3, () => ';1')}${rows(6, (n) => `2026-11-20 10:16:0${n};1;2\n`)}`;
  const asked = recognise(text);
  expect('code' in asked && asked.hint).toContain('dialect: { preamble: 4, header_line: 1 }');
  const found = recognise(text, { dialect: Dialect.parse({ preamble: 4, header_line: 1 }) });
  if ('code' in found) throw new Error(found.message);
  expect(found.layout.columns.map(({ name }) => name)).toEqual(['Time', 'a', 'b']);
  expect(found.reasons).toContain('preamble passes over 3 lines that hold data');
});

test('a number that may be grouped is shown with both readings', () => {
  const asked = recognise(`Zeit;n\n${stamped(5, (n) => `;1,23${n}`)}`);
  expect('code' in asked && asked.message).toContain('"1,230" is 1.230 or 1230');
});

test('words before values name them where no line does, and another word there ends the reading', () => {
  const line = (n: number, one: string, other: string) =>
    `2026-11-20 10:${two(Math.floor(n / 60))}:${two(n % 60)},${one},,1.5e-6,${other},,2.5e-6,0\n`;
  const text = rows(400, (n) => line(n, 'CH1', 'CH2')) + rows(5, (n) => line(400 + n, 'CH2', 'CH1'));
  const { columns, timesMs, isMisfit } = read(text);
  expect(columns.map((column) => column?.name)).toEqual(['CH1', 'CH2 column 7', 'CH2 column 8']);
  expect({ rows: timesMs.length, isMisfit }).toEqual({ rows: 400, isMisfit: true });
});

describe('whole seconds that nothing names', () => {
  const options = { path: 'run_20030116_160848.txt', modifiedMs: Date.UTC(2003, 0, 16, 15, 10, 6) };
  const fraction = (n: number) => `${two((n * 204) % 100)}0`;
  const count = (n: number) => Math.floor(n * 2.04);
  test.each([
    ['before wide blanks', (n: number) => `   ${23_275 + n},${250 + n}`],
    ['before one blank', (n: number) => ` ${23_275 + n},${250 + n}`],
    ['before two values', (n: number) => `   ${n},5   ${n + 1},250`],
    ['before a word', (n: number) => `   Open   ${n},5`],
    ['before a unit', (n: number) => `   ${n},5 mbar`],
    ['before words', () => '   Open the shutter'],
    ['before another comma', (n: number) => `,${23_275 + n},${250 + n}`],
  ])('are none where a comma may have cut them in two: %s', (_, values) => {
    const text = rows(39, (n) => `${count(n)},${fraction(n)}${values(n)}\n`);
    expect(codeOf(recognise(text, options))).toBe('log.no-time');
  });
  test('are asked about where the operator names only the time', () => {
    const dialect = Dialect.parse({ time: { format: 'relative-seconds', start: { from: 'file' } } });
    const text = rows(9, (n) => `${n},0${n}0,23275,250\n`);
    expect(codeOf(recognise(text, { ...options, dialect }))).toBe('log.decimal-mark-ambiguous');
    const plain = rows(9, (n) => `${n},1${n}0,23275,250\n`);
    expect(codeOf(recognise(plain, { ...options, dialect }))).toMatch(/relative-seconds/);
  });
  test('are the time where what stands behind the comma is no fraction', () => {
    const { timesMs, values } = read(
      rows(39, (n) => `${count(n)},1.5,${n}\n`),
      options,
    );
    expect([(timesMs[1] as number) - (timesMs[0] as number), ...values.slice(0, 4)]).toEqual([2000, 1.5, 0, 1.5, 1]);
  });
});

describe('rows of minutes and seconds name no columns', () => {
  const start = 'Start: 2026-11-20 10:15:00\n';
  test.each([
    ['00:0n.0', '09:15:00.000'],
    ['100:0n', '10:55:00.000'],
    ['100:0n.5', '10:55:00.500'],
  ])('%s', (form, at) => {
    const body = rows(
      9,
      (n) => `${form.replace('n', String(n))}   3.${n} mbar   ${n % 3 === 2 ? '-' : n + 1}   Open\n`,
    );
    const { columns, firstAt, values } = read(`${start}Time   Rate [mbar]   MFC #2/sL/min   Remark\n${body}`);
    expect(columns).toMatchObject([
      { name: 'Rate', unit: 'mbar' },
      { name: 'MFC #2/sL/min', unit: '' },
    ]);
    expect([firstAt.slice(11, 23), ...values.slice(0, 4)]).toEqual([at, 3, 1, 3.1, 2]);
    expect(
      read(`${start}Elapsed\tp\n${rows(9, (n) => `${form.replace('n', String(n))}\t3.${n} mbar\n`)}`).columns,
    ).toMatchObject([{ name: 'p', unit: 'mbar' }]);
  });
});

test('a line that is no row shows nothing of a column that was empty so far', () => {
  const row = (n: number, rest: string) => `2026-11-20 10:${two(Math.floor(n / 60))}:${two(n % 60)};${n}.5;${rest}\n`;
  const head = `Time;p;q\n${rows(400, (n) => row(n, ''))}`;
  const later = rows(3, (n) => row(n + 401, `${n}.25`));
  for (const line of ['layer 2;12.5;finished\n', '"layer 2";"12.5";"finished"\n', 'layer 2;1;2;finished\n']) {
    const { columns, values, refusals } = read(head + line + later);
    expect(columns.map((column) => column?.name)).toEqual(['p', 'q']);
    expect([...values.slice(-4)]).toEqual([402.5, 1.25, 403.5, 2.25]);
    expect(refusals.map(({ channel }) => channel)).toEqual(['']);
  }
  for (const line of ['layer 2;12.5;1\n', '"layer 2";"12.5";"1"\n', 'layer 2;12.5;1;2;3\n']) {
    const { columns, refusals } = read(head + line + row(401, ''));
    expect([columns.map((column) => column?.name), refusals.length]).toEqual([['p'], 1]);
  }
});

describe('few rows, and damaged ones, are no other kind of log', () => {
  test('row numbers of which some are missing are no seconds', () => {
    const text = [0, 1, 2, 4, 5, 6, 8].map((n) => `${n},1.5,${n}.25\n`).join('');
    expect(codeOf(recognise(text, { path: 'start 2026-11-20 10-15-00.csv' }))).toBe('log.no-time');
  });

  test('beside the parts of a date nothing counts from a start', () => {
    const head = 'Start: 2026-11-20 10:15:00\nYear,Month,Day,Hour,Time,p\n';
    expect(codeOf(recognise(`${head}${rows(5, (n) => `-,-,-,-,${n * 2},1.5\n`)}`))).toBe('log.no-time');
  });
});

test('tabs that set cells under one another are no empty cells, whatever a row looks like', () => {
  const row = (n: number) =>
    `2026-06-13\t08:00:${two(n)}\t${n % 2 === 0 ? '9.37e-7\t\t' : '8.39104e-7\t'}50576.41\t4.5${n}\n`;
  const found = read(`Date\t\tTime\t\tPressure\tTemp\t\tPower\n${rows(8, row)}`);
  expect(found.columns.map((column) => column?.name)).toEqual(['Pressure', 'Temp', 'Power']);
});

test('a log whose columns change forty times is read to the first change', () => {
  const part = (at: number) =>
    `Time,${Array.from({ length: at + 2 }, (_, column) => `P${column}`).join(',')}\n` +
    rows(3, (n) => `2026-06-13 08:${two(at)}:${two(n)},${Array.from({ length: at + 2 }, () => `1.${n}`).join(',')}\n`);
  expect(read(rows(40, part)).columns.map((column) => column?.name)).toEqual(['P0', 'P1']);
});
