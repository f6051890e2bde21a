import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { daysFromCivil } from '../../../../../src-main/sources/log/time/calendar.ts';
import { listStampFormats } from '../../../../../src-main/sources/log/time/stamp-shapes.ts';
import { compileTimeFormat } from '../../../../../src-main/sources/log/time/time-format.ts';

function read(format: string, text: string): { stampMs: number; hasZone: boolean } | null {
  const bytes = new TextEncoder().encode(`x${text}y`);
  const reader = compileTimeFormat(format);
  return reader.read(bytes, 1, bytes.length - 1) ? { stampMs: reader.stampMs, hasZone: reader.hasZone } : null;
}

const utc = (text: string) => Date.parse(`${text}Z`);

describe('a time format', () => {
  test.each([
    ['dd/MM/yyyy HH:mm:ss.SSS', '12/06/2023 00:00:01.734', '2023-06-12T00:00:01.734'],
    ['MM/dd/yyyy HH:mm:ss.SSS', '12/06/2023 00:00:01.734', '2023-12-06T00:00:01.734'],
    ['MMM-dd-yyyy hh:mm:ss.SSS a', 'Jul-07-2025 03:31:02.806 PM', '2025-07-07T15:31:02.806'],
    ['MMM-dd-yyyy hh:mm:ss.SSS a', 'Jul-07-2025 12:00:00.000 AM', '2025-07-07T00:00:00.000'],
    ['MMM-dd-yyyy hh:mm:ss.SSS a', 'Jul-07-2025 12:59:59.999 PM', '2025-07-07T12:59:59.999'],
    ['yyyy/MM/dd_HH:mm:ss', '2025/11/28_14:08:51', '2025-11-28T14:08:51'],
    ['yyyy/MM/dd HH:mm:ss,SSS', '2021/09/24 04:00:50,911', '2021-09-24T04:00:50.911'],
    ['HH:mm:ss.SSS MM/dd/yyyy', '11:23:14.559 05/24/2019', '2019-05-24T11:23:14.559'],
    ['dd.MM.yy H:mm', '3.1.26 7:05', '2026-01-03T07:05:00'],
    ['EEEE, dd MMMM yyyy HH:mm:ss', 'Tuesday, 11 October 2022 09:27:28', '2022-10-11T09:27:28'],
    ['yyyyMMdd_HHmmss', '20260228_235959', '2026-02-28T23:59:59'],
    ["dd. MMM yyyy 'um' HH:mm", '01. Mar 2026 um 12:34', '2026-03-01T12:34:00'],
    ['yyyy-MM-dd HH:mm:ss:III', '2026-11-20 10:15:00:5', '2026-11-20T10:15:00.005'],
    ['yyyy-MM-dd HH:mm:ss:SSS', '2026-11-20 10:15:00:5', '2026-11-20T10:15:00.500'],
    ['yyyy-MM-dd hh:mm:ssaaaaa', '2026-11-20 9:15:00p', '2026-11-20T21:15:00'],
    ['yyyy-DDD HH:mm', '2026-324 10:15', '2026-11-20T10:15:00'],
    ['yyyyDDDHHmm', '20243661015', '2024-12-31T10:15:00'],
    ['yyyy-MM-dd   HH:mm:ss.SSS', '2025-12-22     15:39:37.869', '2025-12-22T15:39:37.869'],
  ])('%s reads %s', (format, text, expected) => {
    expect(read(format, text)).toEqual({ stampMs: utc(expected), hasZone: false });
  });

  test.each([
    ['Montag, 2. Mai 2022 15:56:24.376', '2022-05-02T15:56:24.376'],
    ['Mo., 2. Mai 2022 15:56:24', '2022-05-02T15:56:24'],
    ['3. März 2026 07:08:09', '2026-03-03T07:08:09'],
    ['20. Dezember 2026, 07:08', '2026-12-20T07:08:00'],
    ['mardi 3 février 2026 07:08:09', '2026-02-03T07:08:09'],
    ['12 de septiembre de 2026 07:08:09', '2026-09-12T07:08:09'],
    ['venerdì 6 marzo 2026 07:08:09', '2026-03-06T07:08:09'],
    ['12 augustus 2026 07:08:09', '2026-08-12T07:08:09'],
    ['Friday, November 20, 2026 7:08:09 AM', '2026-11-20T07:08:09'],
    ['12.Nov.2026 07:08:09', '2026-11-12T07:08:09'],
  ])('a long date is told and read: %s', (text, expected) => {
    const shape = listStampFormats(text);
    expect(shape?.kind).toBe('stamp');
    expect(shape?.formats.map((format) => read(format, text)?.stampMs)).toEqual([utc(expected)]);
    // The same in a file that is not UTF-8.
    const bytes = Buffer.from(text, 'latin1');
    const reader = compileTimeFormat(shape?.formats[0] ?? '');
    expect(reader.read(bytes, 0, bytes.length) && reader.stampMs).toBe(utc(expected));
  });

  test.each(['12 bottles 2026', 'Probe 20.11.2026', '2. Lauf 2026'])('is not seen in %s', (text) => {
    expect(listStampFormats(text)).toBeNull();
  });

  test.each([
    ['iso8601', '2026-11-20 12:00:00.1010842303223302656'],
    ['yyyy/MM/dd HH:mm:ss.SSS', '2026/11/20 12:00:00.1010842303223302656'],
    ['yyyy/MM/dd HH:mm:ss,SSS', '2026/11/20 12:00:00,1010842303223302656'],
    ["yyyyMMdd'T'HHmmss.SSS", '20261120T120000.1010842303223302656'],
    ['relative-time', '12:00:00.1010842303223302656'],
  ])('%s reads a fraction of any length: %s', (format, text) => {
    const dayMs = format === 'relative-time' ? 0 : utc('2026-11-20T00:00:00');
    expect(read(format, text)?.stampMs).toBe(dayMs + 12 * 3_600_000 + 101.084_230_322_330_27);
  });

  test.each([
    ['2026-11-20T12:00:00.123Z', '2026-11-20T12:00:00.123', true],
    ['2026-11-20T12:00:00+01:00', '2026-11-20T11:00:00', true],
    ['2026-11-20 12:00:00.5-0230', '2026-11-20T14:30:00.500', true],
    ['2026-11-20 12:00:00,250', '2026-11-20T12:00:00.250', false],
    ['2026-11-20T12:00', '2026-11-20T12:00:00', false],
    ['20261120T120001.5', '2026-11-20T12:00:01.500', false],
    ['2026-11-20 12:00:00 +02:00', '2026-11-20T10:00:00', true],
  ])('iso8601 reads %s', (text, expected, hasZone) => {
    expect(read('iso8601', text)).toEqual({ stampMs: utc(expected), hasZone });
  });

  test.each([
    ['unix-us', '1795169700123456', '2026-11-20T10:15:00.123456', true],
    ['unix-ns', '1795169700123456789', '2026-11-20T10:15:00.123456789', true],
    ['labview-seconds', '3878014500.250000', '2026-11-20T10:15:00.250', true],
    ['excel-days', '46346.427083333', '2026-11-20T10:15:00', false],
    ['matlab-days', '740306.427083333', '2026-11-20T10:15:00', false],
    ['relative-ms', '250.5', '1970-01-01T00:00:00.2505', true],
    ['relative-minutes', '1.5', '1970-01-01T00:01:30', true],
    ['relative-hours', '26.5', '1970-01-02T02:30:00', true],
    ['relative-time', '26:00:00.250', '1970-01-02T02:00:00.250', true],
  ])('%s reads %s', (format, text, expected, hasZone) => {
    const [whole = '', fraction = '0'] = expected.split('.');
    const stamp = read(format, text);
    expect(stamp?.hasZone).toBe(hasZone);
    expect(stamp?.stampMs).toBeCloseTo(utc(whole) + Number(`0.${fraction}`) * 1000, 3);
  });

  test.each([
    ['dd/MM/yyyy HH:mm:ss', '31/02/2026 00:00:00'],
    ['dd/MM/yyyy HH:mm:ss', '29/02/2025 00:00:00'],
    ['dd/MM/yyyy HH:mm:ss', '01/13/2026 00:00:00'],
    ['dd/MM/yyyy HH:mm:ss', '00/01/2026 00:00:00'],
    ['dd/MM/yyyy HH:mm:ss', '01/01/2026 24:00:00'],
    ['dd/MM/yyyy HH:mm:ss', '01/01/2026 23:60:00'],
    ['dd/MM/yyyy HH:mm:ss', '01/01/2026 23:59:59 '],
    ['dd/MM/yyyy HH:mm:ss', '01/01/2026 23:59'],
    ['dd/MM/yyyy hh:mm:ss a', '01/01/2026 13:00:00 PM'],
    ['dd/MM/yyyy hh:mm:ss a', '01/01/2026 00:00:00 AM'],
    ['iso8601', '2026-11-20'.slice(0, 7)],
    ['iso8601', '2026-11-20T12:00:00+'],
    ['iso8601', '20x6-11-20T12:00:00'],
    ['iso8601', '2026-1x-20T12:00:00'],
    ['iso8601', '2026-11-31T12:00:00'],
    ['iso8601', '2026-11-20T12:0x:00'],
    ['iso8601', '2026-11-20T12:00:00.'],
    ['iso8601', '2026-11-20T12:00:00 IST'],
    ['yyyy-MM-dd HH:mm:ss III', '2026-11-20 10:15:00 1000'],
    ['iso8601', 'garbage'],
    ['unix-seconds', ''],
    ['unix-seconds', '12:00'],
    ['unix-seconds', '1e300'],
  ])('%s refuses %j', (format, text) => {
    expect(read(format, text)).toBeNull();
  });

  test.each([
    ['yyyy-DDD HH:mm', '2026-366 10:15'],
    ['yyyy-DDD HH:mm', '2026-000 10:15'],
    ['yyyy-MM-dd hh:mm:ssaaaaa', '2026-11-20 9:15:00m'],
  ])('%s does not read %s', (format, text) => {
    expect(read(format, text)).toBe(null);
  });

  test('reads ticks of UTC', () => {
    const ticks = '639307665005000000';
    expect(read('dotnet-ticks', ticks)).toEqual({ stampMs: utc('2026-11-20T10:15:00.5'), hasZone: true });
  });

  test('keeps fractions of a millisecond and takes a fraction that is left out as none', () => {
    const withMicros = read('yyyy-MM-dd HH:mm:ss.SSS', '2026-01-01 00:00:00.123456');
    expect(withMicros?.stampMs).toBe(utc('2026-01-01T00:00:00') + 123.456);
    expect(read('yyyy-MM-dd HH:mm:ss.SSS', '2026-01-01 00:00:00')?.stampMs).toBe(utc('2026-01-01T00:00:00'));
  });

  test('reads Unix seconds and milliseconds', () => {
    expect(read('unix-seconds', '1795245092.5')).toEqual({ stampMs: 1795245092500, hasZone: true });
    expect(read('unix-ms', '1795245092500')).toEqual({ stampMs: 1795245092500, hasZone: true });
  });

  test('reads back every stamp that a program writes', () => {
    const instant = fc.date({ min: new Date('1970-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(instant, (date) => {
        const text = date.toISOString();
        expect(read('iso8601', text)?.stampMs).toBe(date.getTime());
        expect(read('yyyy-MM-dd HH:mm:ss.SSS', text.replace('T', ' ').slice(0, -1))?.stampMs).toBe(date.getTime());
      }),
    );
  });

  test('counts days as the calendar does', () => {
    for (let day = -800_000; day < 800_000; day += 997) {
      const date = new Date(day * 86_400_000);
      expect(daysFromCivil(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate())).toBe(day);
    }
  });

  test.each([['QQ/yyyy'], ['HH:mm:ss'], ['dd/MM HH:mm'], ['yyyyy-MM-dd']])(
    'refuses the format %s with a hint',
    (format) => {
      expect(() => compileTimeFormat(format)).toThrowError(
        expect.objectContaining({ code: expect.stringMatching(/^log\.time-format-/), retry: 'after-human' }),
      );
    },
  );
});
