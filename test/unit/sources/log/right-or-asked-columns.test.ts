// What a column is, where its header could mean two things: its rows show it, or a person is asked.
import { describe, expect, test } from 'vitest';
import { Dialect } from '../../../../src-main/model/dialect.ts';
import { codeOf, read, recognise, rows, stamp, stamped, two } from '../../../support/logs/text-log.ts';

const VOLTS = [230, 232, 234, 231, 233, 230, 232];
const at = (n: number) => `10:${two(Math.floor(n / 60))}:${two(n % 60)}`;
const names = (text: string, dialect = Dialect.parse({})) =>
  read(text, { dialect }).columns.map((column) => column?.name);
/** Some line is of no whole second. */
const hasParts = (text: string, dialect: Dialect) => read(text, { dialect }).timesMs.some((ms) => ms % 1000 !== 0);

describe('a column behind the time is a part of the second only where its rows show it', () => {
  const parts = [
    ['Us', (n: number) => String(VOLTS[n % 7])],
    ['ns', (n: number) => String(100_000_000 + n * 1001)],
    ['MS', (n: number) => String(n)],
    ['ms', (n: number) => String(n % 2 === 0 ? 40 : 140)],
    ['ms', () => '5'],
    ['Milliseconds', (n: number) => String((n * 37) % 1000)],
    ['frac', (n: number) => String(100 + n)],
    ['Time (ms)', (n: number) => String(100 + n)],
  ] as const;

  test.each(parts)('%s is asked about with one line a second, and either can be said', (header, part) => {
    for (const time of ['Time', 'Date;Time']) {
      const gap = time === 'Time' ? ' ' : ';';
      const text = `${time};${header};T\n${rows(30, (n) => `2026-11-20${gap}${at(n)};${part(n)};60${n}\n`)}`;
      const found = recognise(text);
      if (!('code' in found)) throw new Error(`it was read: ${codeOf(found)}`);
      expect(found.code).toBe('log.second-part-unclear');
      const [channel, second, neither] = (found.answers ?? []).map((answer) => Dialect.parse(answer));
      expect(names(text, channel)).toEqual([header, 'T']);
      expect(names(text, second)).toEqual(['T']);
      expect(hasParts(text, second as Dialect)).toBe(true);
      expect(names(text, neither)).toEqual(['T']);
      expect(hasParts(text, neither as Dialect)).toBe(false);
    }
  });

  test.each([
    ['rises slowly', (n: number) => 230 + n],
    ['rises and falls by chance', (n: number) => VOLTS[n % 7] as number],
    ['rises within seconds, and hardly begins one', (n: number) => 230 + (n % 2)],
    ['stays', () => 230],
  ] as const)('one that %s with two lines a second is asked about', (_, part) => {
    const text = `Time;ms;T\n${rows(60, (n) => `2026-11-20 ${at(n >> 1)};${part(n)};60${n}\n`)}`;
    expect(codeOf(recognise(text))).toBe('log.second-part-unclear');
  });

  test('and one that a person calls numeric, or leaves out, is none whatever its rows show', () => {
    const text = `Time;ms;T\n${rows(60, (n) => `2026-11-20 ${at(n >> 1)};${(n % 2) * 500};60${n}\n`)}`;
    expect(names(text)).toEqual(['T']);
    expect(names(text, Dialect.parse({ numeric: [2] }))).toEqual(['ms', 'T']);
    expect(names(text, Dialect.parse({ numeric: ['ms'] }))).toEqual(['ms', 'T']);
    const left = read(text, { dialect: Dialect.parse({ leave_out: ['ms'] }) });
    expect(left.columns.map((column) => column?.name)).toEqual(['T']);
    expect((left.timesMs[1] as number) - (left.timesMs[0] as number)).toBe(0);
  });

  test('and an answer to another question, which tells the format alone, does not settle it', () => {
    const text = `Zeit;Us;T\n${rows(30, (n) => `24.11.2026 ${at(n)};${VOLTS[n % 7]};60${n}\n`)}`;
    const other = recognise(text);
    if (!('code' in other)) throw new Error(`it was read: ${codeOf(other)}`);
    expect(other.code).toBe('log.stamp-doubtful');
    const found = recognise(text, { dialect: Dialect.parse(other.answers?.[0]) });
    if (!('code' in found)) throw new Error(`it was read: ${codeOf(found)}`);
    expect(found.code).toBe('log.second-part-unclear');
    const [channel, second, neither] = (found.answers ?? []).map((answer) => Dialect.parse(answer));
    expect([channel, second, neither].map((dialect) => names(text, dialect))).toEqual([['Us', 'T'], ['T'], ['T']]);
  });

  test('fast lines are read as such although their last rows lie in one second', () => {
    const text = `Time;ms;T\n${rows(150, (n) => `2026-11-20 ${at(Math.floor(n / 50))};${(n % 50) * 20};60${n}\n`)}`;
    const { timesMs } = read(text);
    expect([...timesMs].map((ms) => ms - (timesMs[0] as number))).toEqual([...timesMs].map((_, n) => n * 20));
  });

  test.each([1250, 2040, 60_040])('lines %i ms apart are even only with it, and it is read', (stepMs) => {
    const text = (part: (ms: number) => number) =>
      `Time;ms;T\n${rows(90, (n) => {
        const ms = n * stepMs;
        return `2026-11-20 1${Math.floor(ms / 3_600_000)}${at(Math.floor(ms / 1000) % 3600).slice(2)};${part(ms % 1000)};60${n}\n`;
      })}`;
    const { timesMs } = read(text((ms) => ms));
    expect([...timesMs].map((ms) => ms - (timesMs[0] as number))).toEqual([...timesMs].map((_, n) => n * stepMs));
    // As even without it, and uneven with it.
    expect(codeOf(recognise(text((ms) => (ms * 7 + 900) % 1000)))).toBe('log.second-part-unclear');
  });

  test.each([
    ['Cs', '602.46'],
    ['Us', '230.5'],
    ['MS', '6004'],
    ['Time (ms)', '1200'],
    ['Us (V)', '230'],
  ])('%s with %s cannot be a part of one and is a channel', (header, cell) => {
    const text = `Time;${header};T\n${rows(30, (n) => `2026-11-20 ${at(n)};${cell};60${n}\n`)}`;
    expect(names(text)).toEqual([header.replace(' (V)', ''), 'T']);
  });
});

describe('a number is that of a channel only where its header says so', () => {
  const burst = (header: string, more = '') =>
    `Time;${header};Value${more && ';T'}\n${rows(24, (n) => `2026-11-20 ${at(n >> 2)};${1 + (n % 4)};60${n}.5${more}\n`)}`;

  test.each(['No.', 'Index', 'Nr', 'Sample index', 'Point', 'Item no', 'Sample_id'])('%s is asked about', (header) => {
    for (const text of [burst(header), burst(header, ';7.5')]) {
      const found = recognise(text);
      if (!('code' in found)) throw new Error(`it was read: ${codeOf(found)}`);
      expect(found.code).toBe('log.long-table');
      const [without, counted] = (found.answers ?? []).map((answer) => Dialect.parse(answer));
      expect(names(text, without)).toEqual(text.includes(';T') ? ['Value', 'T'] : ['Value']);
      expect(names(text, counted)).toEqual([header, ...names(text, without)]);
    }
  });

  test.each(['Channel', 'Sensor No', 'Gauge', 'TagIndex', 'CH No.'])('%s is that of a channel', (header) => {
    expect(names(burst(header))).toEqual(['1', '2', '3', '4']);
  });
});

describe('two devices that write in turn are not one channel', () => {
  const turn = (devices: readonly string[], n: number) => devices[n % devices.length] as string;
  const devices = [
    ['IG1', 'IG2'],
    ['Ga', 'Al', 'As'],
    ['A', 'B'],
    ['Pyro left', 'Pyro right'],
  ];

  test.each(devices.map((one) => [one.join(', '), one] as const))('%s', (_, own) => {
    for (const header of ['Gauge', 'Source', 'Controller', 'x'])
      expect([
        codeOf(recognise(`Time;${header};T;P\n${stamped(24, (n) => `;${turn(own, n)};${n}.5;1.5`)}`)),
        codeOf(recognise(`Time;${header};T\n${stamped(24, (n) => `;${turn(own, n)};${n}.5`)}`)),
        codeOf(recognise(rows(24, (n) => `{"time":"${stamp(n)}","${header}":"${turn(own, n)}","T":${n}.5}\n`))),
        codeOf(recognise(stamped(24, (n) => ` ${header}=${turn(own, n)} T=${n}.5`))),
      ]).toEqual(Array.from({ length: 4 }, () => 'log.long-table'));
  });

  test('and a person can say that they are words', () => {
    const text = `Time;Source;T\n${stamped(24, (n) => `;${turn(['Ga', 'Al'], n)};${n}.5`)}`;
    expect(names(text, Dialect.parse({ leave_out: [2] }))).toEqual(['T']);
  });

  test.each([
    ['a state', ['Open', 'Closed']],
    ['words that stay for a while', ['Ga', 'Ga', 'Ga', 'Ga', 'Al', 'Al', 'Al', 'Al']],
    ['words of bits', ['0x01', '0x03']],
    [
      'remarks among lines that have none',
      [
        ...'ok opened ok ok closed ok ok vented'.split(' '),
        ...Array.from({ length: 16 }, (_, n) => (n % 4 === 0 ? `note ${n}` : 'ok')),
      ],
    ],
  ])('but %s is left out', (_, own) => {
    expect(names(`Time;x;T\n${stamped(24, (n) => `;${turn(own, n)};${n}.5`)}`)).toEqual(['T']);
  });
});
