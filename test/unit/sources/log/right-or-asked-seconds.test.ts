// Parts of a second: in a column behind the time they are part of the stamp, in the unit that its header names, or a question.
import { describe, expect, test } from 'vitest';
import { Dialect } from '../../../../src-main/model/dialect.ts';
import { codeOf, read, recognise, rows, stamped, two } from '../../../support/logs/text-log.ts';

/** Lines 125 ms apart, with the part of the second behind the time. */
const parted = (header: string, part: (ms: number) => string, time = 'Time') => {
  const isSplit = time.includes(',');
  return `${time},${header},T\n${rows(20, (n) => `2026-11-20${isSplit ? ',' : ' '}10:15:${two(Math.floor(n / 8))},${part((n % 8) * 125)},60${n}\n`)}`;
};
const STEPS_MS = Array.from({ length: 20 }, (_, n) => n * 125);
const stepsOf = (text: string) => {
  const { timesMs, columns } = read(text);
  expect(columns.map((column) => column?.name)).toEqual(['T']);
  return [...timesMs].map((ms) => ms - (timesMs[0] as number));
};

describe('a part of a second behind the time belongs to the stamp', () => {
  test.each([
    ['ms', (ms: number) => String(ms)],
    ['Millitm', (ms: number) => String(ms)],
    ['Milliseconds', (ms: number) => String(ms).padStart(3, '0')],
    ...['usec', 'us', 'µs', 'Microseconds', '[us]', 'Sub-seconds (us)'].map((header) => [
      header,
      (ms: number) => String(ms * 1000),
    ]),
    ...['nsec', 'ns', 'Nanoseconds'].map((header) => [header, (ms: number) => String(ms * 1e6)]),
    ['Fractional Seconds', (ms: number) => (ms / 1000).toString()],
    ['Fraction', (ms: number) => (ms / 1000).toFixed(6)],
    ['Fraction', (ms: number) => String(ms).padStart(3, '0')],
    ['Fractional_seconds', (ms: number) => String(ms * 1000).padStart(6, '0')],
  ] as [string, (ms: number) => string][])('%s', (header, part) => {
    expect(stepsOf(parted(header, part))).toEqual(STEPS_MS);
    expect(stepsOf(parted(header, part, 'Date,Time'))).toEqual(STEPS_MS);
  });

  test.each(['ms', 'us'])('also where some lines are of one instant: %s', (header) => {
    const part = (ms: number) => Math.floor(ms / 250) * 250;
    const text = parted(header, (ms) => String(part(ms) * (header === 'us' ? 1000 : 1)));
    expect(stepsOf(text)).toEqual(STEPS_MS.map(part));
    expect(codeOf(recognise(parted(header, () => '0')))).toBe('log.second-part-unclear');
  });

  test.each([
    ['us', (ms: number) => String(10_000_000 + ms)],
    ['Fraction', () => '0.5'],
    ['ms', (ms: number) => String(ms + 1000)],
    ['Fraction', (ms: number) => String(ms)],
    ['ns', (ms: number) => (ms / 3).toFixed(3)],
    ['ms', (ms: number) => String(999 - ms)],
    ['Fraction', (ms: number) => (ms / 1000).toString().replace(/^0(?=.)/, '')],
    ['tenths', (ms: number) => String(Math.floor(ms / 100))],
    ['1/100 s', (ms: number) => String(Math.floor(ms / 10))],
  ] as [string, (ms: number) => string][])('or is asked about: %s', (header, part) => {
    expect(codeOf(recognise(parted(header, part)))).toBe('log.second-part-unclear');
  });

  test('also behind stamps with a zone, and behind a count of whole seconds', () => {
    const zoned = parted('us', (ms) => String(ms * 1000)).replace(/(10:15:\d\d)/g, '$1Z');
    expect(codeOf(recognise(zoned))).toBe('log.second-part-unclear');
    const unix = `tv_sec,tv_usec,T\n${rows(20, (n) => `${1_795_000_000 + Math.floor(n / 8)},${(n % 8) * 125_000},60${n}\n`)}`;
    expect(codeOf(recognise(unix))).toBe('log.second-part-unclear');
  });

  test('and where the column stands before the stamp, or further behind', () => {
    const apart = rows(20, (n) => `2026-11-20 10:15:${two(n >> 3)},60${n},${(n % 8) * 125}\n`);
    expect(codeOf(recognise(`Time,T,ms\n${apart}`))).toBe('log.second-part-unclear');
    const before = rows(20, (n) => `${(n % 8) * 125},2026-11-20 10:15:${two(n >> 3)},60${n}\n`);
    expect(codeOf(recognise(`Milliseconds,Time,T\n${before}`))).toBe('log.second-part-unclear');
  });

  test.each(['Z', 'F', 'S', 'Open (ms)', 'Shutter [us]'])('but a channel that is called %s stays one', (header) => {
    const cells = rows(20, (n) => `2026-11-20 10:15:${two(n)},${header === 'F' ? `0.${n}` : 100 + n},60${n}\n`);
    expect(read(`Time,${header},T\n${cells}`).columns).toHaveLength(2);
  });

  test('a fraction that stands for no part of a second is asked about', () => {
    const cells = stamped(20, (n) => `,0.${n},60${n}`);
    expect(codeOf(recognise(`Time,Fraction,T\n${cells}`))).toBe('log.second-part-unclear');
  });

  test('but a channel behind stamps with a fraction stays one', () => {
    const text = parted('ms', (ms) => String(ms)).replace(/(10:15:\d\d)/g, '$1.250');
    expect(read(text).columns.map((column) => column?.name)).toEqual(['ms', 'T']);
  });
});

describe('a part of a second without zeros in front, behind the mark of a stamp', () => {
  const log = (part: (n: number) => string, stepMs = 5) =>
    `Time,T\n${rows(300, (n) => `2026-11-20 10:15:${two(Math.floor((n * stepMs) / 1000))}${part(n * stepMs)},60${n}\n`)}`;
  const counted = (ms: number) => `.${ms % 1000}`;
  const steps = (text: string, format: string) => {
    const { timesMs } = read(text, { dialect: Dialect.parse({ time: { format } }) });
    return [...timesMs.slice(0, 4)].map((ms) => ms - (timesMs[0] as number));
  };

  test.each([
    ['milliseconds', counted, [0, 5, 10, 15]],
    ['with a comma', (ms: number) => `,${ms % 1000}`, [0, 5, 10, 15]],
    ['microseconds', (ms: number) => `.${(ms % 1000) * 1000 + 7}`, [0, 5, 10, 15]],
    [
      'of which none ends with a zero',
      (ms: number) => `.${(ms % 1000) + 1 + (ms % 2)}`.replace(/0$/, '1'),
      [0, 6, 10, 16],
    ],
  ] as [string, (ms: number) => string, number[]][])('is asked about, and can be said: %s', (name, part, expected) => {
    const text = log(part)
      .replaceAll(/^(.*?),(\d+),(\d+)$/gm, '$1,$2;$3')
      .replace('Time,', name === 'with a comma' ? 'Time;' : 'Time,');
    const found = recognise(text);
    expect(codeOf(found)).toBe('log.second-part-unclear');
    if (!('code' in found)) return;
    const [first = '', second = ''] = (found.answers ?? []).map(({ time }) => time?.format);
    expect(steps(text, first)).toEqual(expected);
    expect(steps(text, second)).not.toEqual(expected);
  });

  test('also with a zone, in two columns, and by a pattern', () => {
    expect(codeOf(recognise(log((ms) => `${counted(ms)}Z`)))).toBe('log.second-part-unclear');
    expect(codeOf(recognise(log(counted).replaceAll('20 10', '20,10').replace('Time', 'Date,Time')))).toBe(
      'log.second-part-unclear',
    );
    expect(codeOf(recognise(log(counted).replaceAll('2026-11-20', '20.11.2026')))).toBe('log.second-part-unclear');
  });

  test.each([
    [
      'zeros left out at the end',
      (ms: number) =>
        `.${String(ms % 1000)
          .padStart(3, '0')
          .replace(/0{1,2}$/, '')}`,
    ],
    [
      'groups of three digits',
      (ms: number) =>
        ms % 20 === 5 ? `.${String(ms % 1000).padStart(3, '0')}450` : `.${String(ms % 1000).padStart(3, '0')}`,
    ],
    [
      'no fraction where it is zero',
      (ms: number) => (ms % 1000 === 0 ? '' : `.${String(ms % 1000).padStart(3, '0')}000`),
    ],
  ] as [string, (ms: number) => string][])('but a fraction is read as such: %s', (_, part) => {
    const { timesMs } = read(log(part));
    expect([...timesMs.slice(0, 4)].map((ms) => Math.floor(ms - (timesMs[0] as number)))).toEqual([0, 5, 10, 15]);
  });
});

describe('a part of a second that comes to have fewer digits behind the first lines', () => {
  const log = (part: (ms: number) => string) =>
    `Time,T\n${rows(900, (n) => `2026-11-20 10:${two(15 + Math.floor(n / 60))}:${two(n % 60)}${part(700 - n)},60${n}\n`)}`;
  const readOn = (text: string, seen: number, dialect = Dialect.parse({})) => {
    const { timesMs, stoppedAt } = read(text, { dialect, seen });
    return { rows: timesMs.length, isStopped: stoppedAt !== null };
  };
  const count = (ms: number) => `.${Math.max(ms, 0)}`;

  test.each([
    ['a blank between', log(count)],
    ['a T between', log(count).replaceAll('20 1', '20T1')],
    ['another order', log(count).replaceAll('2026-11-20', '20.11.2026')],
  ])('stops the file before them: %s', (_, text) => {
    expect(readOn(text, 9000)).toEqual({ rows: 601, isStopped: true });
    expect(readOn(text, text.length)).toEqual({ rows: 601, isStopped: true });
    // Also where all of a short file is seen at once.
    const short = text.split('\n').filter((_, n) => n === 0 || n > 400);
    expect(readOn(short.join('\n'), text.length)).toEqual({ rows: 201, isStopped: true });
  });

  test('but a padded one is read on, and one that is left out where it is zero', () => {
    expect(
      readOn(
        log((ms) => `.${String(Math.max(ms, 0)).padStart(3, '0')}`),
        9000,
      ).rows,
    ).toBe(900);
    expect(
      readOn(
        log((ms) => (ms < 100 ? '' : `.${ms}`)),
        9000,
      ).rows,
    ).toBe(900);
  });

  test('and so is one of which the format is named', () => {
    for (const format of ['iso8601', 'yyyy-MM-dd HH:mm:ss.III'])
      expect(readOn(log(count), 9000, Dialect.parse({ time: { format } })).isStopped).toBe(false);
  });
});
