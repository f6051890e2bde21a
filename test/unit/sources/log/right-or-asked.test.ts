// What was once read silently wrong, by its principle: rows left out, years and hours off, units that were none.
import { describe, expect, test } from 'vitest';
import { Dialect } from '../../../../src-main/model/dialect.ts';
import { isUnit } from '../../../../src-main/sources/log/cells/unit-grammar.ts';
import { nameColumns } from '../../../../src-main/sources/log/columns/column-names.ts';
import { codeOf, read, recognise, rows, stamped, two } from '../../../support/logs/text-log.ts';

describe('a line of data is never skipped', () => {
  const wide = (n: number) => `${n}\t${rows(8, (i) => `${n}.${i}\t`).trim()}\n`;
  const narrow = (n: number) => `${n}\t${rows(7, (i) => `${n}.${i}\t`).trim()}\n`;

  test('above the rows, where the number of columns changes in a log that counts from a start', () => {
    const text = rows(30, (n) => wide(2 * n + (n % 2))) + rows(100, (n) => narrow(60 + 2 * n + (n % 2)));
    const found = recognise(text, { path: '26042026_1630.dlog', modifiedMs: Date.UTC(2026, 3, 26, 14, 35) });
    expect(codeOf(found)).toBe('log.rows-differ');
    expect('code' in found && found.message).toContain('Lines 1 to 30 of');
  });

  test('above the rows, under another separator: a spreadsheet saved the second half', () => {
    const first = rows(150, (n) => `2026-11-20 10:${two(n % 60)}:00,${n}.5,2.5\n`);
    const second = rows(150, (n) => `20.11.2026 13:${two(n % 60)}:00;${n},5;2,5\n`);
    expect(codeOf(recognise(`Time,a,b\n${first}${second}`))).toBe('log.rows-differ');
  });

  test('below the rows: reading stops at the third line in a row that does not fit', () => {
    const head = `Time;a;b\n${rows(400, (n) => `2026-11-20 10:${two(Math.floor(n / 60))}:${two(n % 60)};1.5;2.5\n`)}`;
    const { timesMs, stoppedAt, isMisfit, refusedCount } = read(
      head + rows(5, (n) => `2026-11-20 11:00:0${n};1.5;2.5;3.5\n`),
    );
    expect({ rows: timesMs.length, isMisfit, refusedCount }).toEqual({ rows: 400, isMisfit: true, refusedCount: 0 });
    expect(stoppedAt).toBe(head.length - 'Time;a;b\n'.length);
    const marks = read(head + rows(5, (n) => `2026-11-20 11:00:0${n};1,5;2,5\n`));
    expect({ rows: marks.timesMs.length, isMisfit: marks.isMisfit }).toEqual({ rows: 400, isMisfit: true });
  });

  // Its number of cells is right by chance: the decimal comma of each number cuts it in two.
  describe('nor taken apart at another separator than its own', () => {
    const day = (n: number, mark = '.') => `44311${mark}56${two(n)}`;
    const own = (n: number) => `${day(n)},8.${n},OK,0.5,0.25\n`;
    const other = (n: number, mark = ';') => [day(n, ','), `480,${n}`, 'OK', '0,000', `0,000\n`].join(mark);
    const named = 'Time,Rate,Status,p,q\n';
    const options = { path: 'log_2021-04-25.csv', nowMs: Date.UTC(2021, 4, 1) };

    test.each([';', '\t', '|'])('%s above the rows', (mark) => {
      const text = rows(20, (n) => own(n + 1));
      expect(codeOf(recognise(other(0, mark) + text, options))).toBe('log.rows-differ');
      expect(codeOf(recognise(named + other(0, mark) + text, options))).toBe('log.rows-differ');
    });

    test.each([';', '\t', '|'])('%s among the rows', (mark) => {
      const text = rows(20, (n) => (n === 9 ? other(n, mark) : own(n)));
      const { timesMs, refusals, isMisfit } = read(named + text, options);
      expect([timesMs.length, isMisfit]).toEqual([19, false]);
      expect(refusals).toMatchObject([{ channel: '', reason: 'has another separator than the file' }]);
    });

    test('below the rows', () => {
      const text = rows(90, own) + rows(5, (n) => other(90 + n));
      const { timesMs, refusals, isMisfit } = read(named + text, options);
      expect([timesMs.length, refusals.length, isMisfit]).toEqual([90, 0, true]);
    });

    test('but where all rows are so, they are rows', () => {
      const head = 'Time;Rate;Status;p;q\n';
      expect(read(head + rows(20, (n) => other(n)), options).timesMs).toHaveLength(20);
      const noted = rows(20, (n) => `2026-11-20 10:15:${two(n)},1.5,${n % 5 ? 'growth' : `step ${n};2`}\n`);
      expect(read(`Time,p,Note\n${noted}`).timesMs).toHaveLength(20);
    });
  });

  test('but a single damaged line is refused with its text, and reading goes on', () => {
    const text = `Time;a;b\n${rows(9, (n) => (n === 4 ? '2026-11-20 10:15:04;1.\n' : `2026-11-20 10:15:0${n};1.5;2.5\n`))}`;
    expect(read(text)).toMatchObject({ isMisfit: false, rowsRead: 9, linesRefused: 1, stoppedAt: null });
    const torn = '"2026-11-20 10:15:04","1.5","2\n';
    const quoted = `"Time","a","b"\n${rows(9, (n) => (n === 4 ? torn : `"2026-11-20 10:15:0${n}","1.5","2.5"\n`))}`;
    expect(read(quoted)).toMatchObject({ linesRefused: 1, rowsRead: 9 });
  });

  test.each([
    ['key: value', 'Operator: X\nRate: 1 Hz\nRange: 0 - 1000\nZones: 4 5 6\nModel;7;8\n'],
    ['remarks', '# gain = 1.25e-3\n# 2026-11-19 08:00:00;1;2\n'],
    ['a table with a header of its own', '\nCh,Label,Mass\n1,Hydrogen,2\n2,Water,18\n\n'],
  ])('and a head of %s is one', (_, head) => {
    expect(read(`${head}Time;a;b\n${stamped(5, () => ';1.5;2.5')}`).timesMs.length).toBe(5);
  });
});

describe('the first stamp has witnesses', () => {
  const counted = (first: number) => `Time,p\n${rows(5, (n) => `${first + n}.6,1.5\n`)}`;
  const days = `Date,p\n${rows(5, (n) => `44883.4270${n}833,1.5\n`)}`;

  test.each([
    ['a date in the head', `LabVIEW, recorded: 2026-01-12 10:00:00\n${counted(3851063441)}`, {}, '2026-01-12'],
    ['a date in the name', counted(3851063441), { path: 'labview_2026-01-12.txt' }, '2026-01-12'],
    ['its last change', counted(3851063441), { modifiedMs: Date.UTC(2026, 0, 12, 11, 51) }, '2026-01-12'],
    ['a date in the name', days, { path: 'run_2022-11-18.txt' }, '2022-11-18'],
    ['the clock of this PC', days.replaceAll('44883', '46345'), {}, '2026-11-19'],
  ])('%s tells the zero of a count', (_, text, options, day) => {
    expect(read(text, options).firstAt.slice(0, 10)).toBe(day);
  });

  test.each([
    ['a date in the head', `Recorded: 2022-01-13 10:00:00\n${counted(3851063441)}`, {}, 'seconds since 1900'],
    ['a date in the name', counted(3851063441), { path: 'run_2022-01-13.txt' }, 'seconds since 1900'],
    ['its last change', counted(3851063441), { modifiedMs: Date.UTC(2022, 0, 13, 9) }, 'seconds since 1900'],
    ['the clock of this PC', counted(3951063441), {}, 'seconds since 1900'],
    ['nothing', counted(3851063441), {}, 'seconds since 1900'],
    ['a date in the name', days, { path: 'run_2026-11-19.txt' }, 'days since 1904'],
    ['nothing', days, {}, 'days since 1904'],
  ])('where %s tells it, a count from a zero that is not read is a question', (_, text, options, other) => {
    const found = recognise(text, options);
    expect(codeOf(found)).toBe('log.stamp-doubtful');
    expect('hint' in found ? found.hint : '').toContain(`could also be ${other}, which Epistream does not read`);
  });

  test('ticks of .NET are a question, and its only answer is ticks of UTC', () => {
    const found = recognise(`time,p\n${rows(5, (n) => `63930766500500${n}000,1.5\n`)}`);
    expect(codeOf(found)).toBe('log.time-unread');
    expect('answers' in found ? found.answers : []).toEqual([{ time: { column: 1, format: 'dotnet-ticks' } }]);
    expect('hint' in found ? found.hint : '').toContain('DateTime.Now gives them, are not read');
  });

  const dated = (day: string) => `Time,p\n${rows(5, (n) => `${day} 10:15:0${n},1\n`)}`;
  test.each([
    ['in the future', dated('2144-01-01'), {}, 'log.stamp-doubtful'],
    ['behind its last change', dated('2026-11-20'), { modifiedMs: Date.UTC(2024, 0, 1) }, 'log.stamp-doubtful'],
    ['far from its name', dated('2026-11-20'), { path: '2026-05-01.csv' }, 'log.stamp-doubtful'],
    ['far from its head', `Started: 2026-05-01\n${dated('2026-11-20')}`, {}, 'log.stamp-doubtful'],
  ])('a stamp %s is a question that shows the witness', (_, text, options, code) => {
    expect(codeOf(recognise(text, options))).toBe(code);
    const said = Dialect.parse({ time: { format: 'iso8601' } });
    expect(codeOf(recognise(text, { ...options, dialect: said }))).toContain('separator comma');
  });

  test.each([
    ['a copied file', dated('2021-03-04'), { modifiedMs: Date.UTC(2026, 0, 1) }],
    ['a date of something else in the head', `Calibrated: 2019-05-01\n${dated('2026-11-20')}`, {}],
    ['a meaningless modification time', dated('2026-11-20'), { modifiedMs: Date.UTC(1980, 0, 1) }],
  ])('%s is normal', (_, text, options) => {
    expect(read(text, options).timesMs.length).toBe(5);
  });

  test.each([
    ['labview-seconds', '3851063441.6', '2026-01-12T11:50:41.600Z'],
    ['igor-seconds', '3851063441.6', '2026-01-12T10:50:41.600Z'],
    ['excel-days', '46345.5', '2026-11-19T11:00:00.000Z'],
  ])('%s has a name', (format, text, at) => {
    const dialect = Dialect.parse({ time: { column: 1, format } });
    expect(read(`t,p\n${text},1\n${text},2\n`, { dialect }).firstAt).toBe(at);
  });
});

test('a clock that cannot be right proves no date, and neither do its modification times', () => {
  const text = `time,x\n${rows(20, (n) => `2026-11-20 10:00:${two(n)},${n}\n`)}`;
  const [nowMs, modifiedMs] = [Date.UTC(2006, 0, 2), Date.UTC(2006, 0, 1)];
  expect(read(text, { nowMs, modifiedMs }).firstAt).toBe('2026-11-20T09:00:00.000Z');
});

describe('an offset is read wherever it stands', () => {
  const table = (header: string, cell = '') => `"${header}",p\n${stamped(5, () => `${cell},1`)}`;
  test.each([
    ['header', table('Date Time, GMT-07:00'), '17:15'],
    ['header', table('Time (UTC+2)'), '08:15'],
    ['header', table('Date Time, GMT+02:00'), '08:15'],
    ['header', table('Timestamp (GMT-7)'), '17:15'],
    ['header', table('Time [UTC]'), '10:15'],
    ['head', `Time zone: UTC+05:30\n${table('Time')}`, '04:45'],
    ['head', `Timezone\tAmerica/New_York\n${table('Time')}`, '15:15'],
    ['head', `UTC offset (h): -7\n${table('Time')}`, '17:15'],
    ['header', table('Time (UTC+5.5)'), '04:45'],
    ['header', table('timestamp [UTC-7.0]'), '17:15'],
    ['header', table('Date Time GMT-07:00:00'), '17:15'],
    ['header', table('Time [UTC\u201307:00]'), '17:15'],
    ['head', `UTC Offset: UTC-07:00:00\n${table('Time')}`, '17:15'],
    ['head', `UTC Offset: -0700\n${table('Time')}`, '17:15'],
    ['head', `Times are UTC\n${table('Time')}`, '10:15'],
    ['head', `Time offset from UTC: +2h\n${table('Time')}`, '08:15'],
    ['head', `Local time = UTC-7\n${table('Time')}`, '17:15'],
    ['head', `Clock: UTC\n${table('Time')}`, '10:15'],
    ['cell', table('Time', ' UTC+2'), '08:15'],
    ['cell', table('Time', ' GMT-07:00'), '17:15'],
    ['column', `Time,Offset,p\n${stamped(5, () => ',+02:00,1')}`, '08:15'],
  ])('in the %s', (_, text, at) => {
    expect(read(text).firstAt.slice(11, 16)).toBe(at);
  });

  test('and one that is not certain is a question', () => {
    for (const header of ['Time (IST)', 'Time UTC minus 7', 'Time EST5EDT', 'Time (UTC+7:3)', 'Time (UTC 7)']) {
      expect([header, codeOf(recognise(table(header)))]).toEqual([header, 'log.zone-unclear']);
    }
    for (const label of ['Time zone offset (min): -420', 'UTC offset (s): 3600', 'Time zone: 420']) {
      expect([label, codeOf(recognise(`${label}\n${table('Time')}`))]).toEqual([label, 'log.zone-unclear']);
    }
    const asked = recognise(table('Time (MST)'));
    expect('code' in asked && asked.hint).toMatch(/zone: -07:00 .* or .*zone: Europe\/Berlin/);
    expect(codeOf(recognise(`Time zone: UTC+1\n${table('Time (UTC)')}`))).toBe('log.zone-unclear');
    expect(codeOf(recognise(`Time zone: Europe/Nowhere\n${table('Time')}`))).toBe('log.zone-unclear');
    expect(codeOf(recognise(`Time zone: Mountain Standard Time\n${table('Time')}`))).toBe('log.zone-unclear');
    const cities = 'Time zone: (UTC+01:00) Brussels, Madrid, Paris';
    expect(codeOf(recognise(`${cities}\n${table('Time')}`))).toBe('log.zone-unclear');
  });

  test.each([
    ['of Windows', 'Time zone: W. Europe Standard Time', '09:15'],
    ['of Windows, elsewhere', 'Time zone: GMT Standard Time', '10:15'],
    ['that the zone of the settings has on that day', 'Time zone: CET', '09:15'],
    ['that the zone of the settings has on that day', 'Zeitzone: MEZ', '09:15'],
    ['of the city of the settings', 'Time zone: (UTC+01:00) Amsterdam, Berlin, Bern', '09:15'],
  ])('a name %s leaves nothing open: %s', (_, line, at) => {
    expect(read(`${line}\n${table('Time')}`).firstAt.slice(11, 16)).toBe(at);
  });

  test('a name of another season than that of its stamps is a question', () => {
    const summer = table('Time').replaceAll('2026-11-20', '2026-07-20');
    for (const name of ['CET', 'MEZ'])
      expect(codeOf(recognise(`Time zone: ${name}\n${summer}`))).toBe('log.zone-unclear');
    expect(read(`Time zone: GMT Standard Time\n${summer}`).firstAt.slice(11, 16)).toBe('09:15');
    expect(read(`Time zone: CEST\n${summer}`).firstAt.slice(11, 16)).toBe('08:15');
  });

  test.each([
    ['Start: 2026-11-20T08:00:00-07:00', '-07:00'],
    ['Recording began 2026-11-20 16:59:00 UTC', 'UTC'],
    ['First row 2026-11-20T10:15:00+09:00', '+09:00'],
    ['Start (UTC): 2026-11-20 08:15:00', 'UTC'],
    ['Start: 2026-11-20 08:15:00 (UTC)', 'UTC'],
    ['Start GMT-7, 2026-11-20 08:15:00', '-07:00'],
    ['2026-11-20T10:15:00Z', 'UTC'],
    ['Start: 2026-10-01T08:00:00-07:00', '-07:00'],
  ])('%s above rows of another offset is a question', (line, zone) => {
    const modifiedMs = Date.UTC(2026, 10, 20, 9, 16);
    const asked = recognise(`${line}\n${table('Time')}`, { modifiedMs });
    expect(codeOf(asked)).toBe('log.zone-unclear');
    expect('code' in asked && asked.hint).toContain(
      `{ time: { zone: ${zone} } } or dialect: { time: { zone: Europe/Berlin`,
    );
    const settled = Dialect.parse({ time: { zone: 'Europe/Berlin' } });
    expect(codeOf(recognise(`${line}\n${table('Time')}`, { modifiedMs, dialect: settled }))).toContain(
      'separator comma',
    );
  });

  test('and so it is above times of day', () => {
    const rowsOfDay = rows(5, (n) => `10:15:0${n},1\n`);
    expect(codeOf(recognise(`Start: 2026-11-20T10:15:00-07:00\nTime,p\n${rowsOfDay}`))).toBe('log.zone-unclear');
  });

  test.each([
    ['the same offset', `Start: 2026-11-20T10:15:00+01:00\n${table('Time')}`, '09:15'],
    [
      'an offset that the file tells for its rows',
      `Start: 2026-11-20T10:15:00-07:00\nTime zone: -07:00\n${table('Time')}`,
      '17:15',
    ],
    ['rows with offsets of their own', `Start: 2026-11-20T10:15:00Z\n${table('Time', ' -07:00')}`, '17:15'],
    ['a count from that start', `Start: 2026-11-20T10:15:00Z\nTime [s],p\n${rows(5, (n) => `${n},1\n`)}`, '10:15'],
    [
      'a count from a start in UTC',
      `Start (UTC): 2026-11-20 10:15:00\nTime [s],p\n${rows(5, (n) => `${n},1\n`)}`,
      '10:15',
    ],
    [
      'a count from a start in UTC+2',
      `Start: 2026-11-20 10:15:00 [UTC+2]\nTime [s],p\n${rows(5, (n) => `${n},1\n`)}`,
      '08:15',
    ],
    ['a date of something else', `Calibrated: 2026-11-20T08:00:00Z\n${table('Time')}`, '09:15'],
  ])('but %s is none', (_, text, at) => {
    expect(read(text).firstAt.slice(11, 16)).toBe(at);
  });
});

describe('a unit is read as a whole', () => {
  test.each(['ml/min', 'smL/min', 'Nml/min', 'mln/min', 'cm3/min', 'sL/min', 'mbar l/s', 'cm-2/s', '1/s'])(
    '%s, or it stays in the name',
    (unit) => {
      expect(isUnit(unit)).toBe(true);
      expect(nameColumns([`Flow ${unit}`])).toMatchObject([{ name: `Flow ${unit}`, unit: '' }]);
      expect(nameColumns([`Flow [${unit}]`, `Flux (${unit})`])).toMatchObject([
        { name: 'Flow', unit },
        { name: 'Flux', unit },
      ]);
      expect(nameColumns([`Flow, ${unit}`])).toMatchObject([{ name: 'Flow', unit }]);
    },
  );

  test.each(['Foo/min', 'Foo bar/s', 'Reads/h', 'Valve [open]', 'Cell (1)', 'Heater PV'])('%s has none', (header) => {
    expect(nameColumns([header])).toMatchObject([{ name: header, unit: '' }]);
  });

  test('letters that number things are none', () => {
    expect(nameColumns(['Heater (A)', 'Heater (B)', 'Heater (C)']).map(({ unit }) => unit)).toEqual(['', '', '']);
  });

  const data = stamped(5, () => ';1;2;3;4;5');
  test('a line of units never takes the place of the names', () => {
    const names = 'Time;heater;valve;flow;pressure;purge\n';
    expect(read(`${names};C;%;ml/min;mbar;l/min\n${data}`).columns).toMatchObject(
      ['heater C', 'valve %', 'flow ml/min', 'pressure mbar', 'purge l/min'].map((text) => {
        const [name, unit] = text.split(' ');
        return { name, unit };
      }),
    );
    expect(codeOf(recognise(`${names};raw;odd;foo;mbar;bar2\n${data}`))).toBe('log.header-unclear');
  });
});
