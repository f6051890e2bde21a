// A start that was found puts no row behind the last change of its file: what stands in a name may be the end, or the day after.
import { describe, expect, test } from 'vitest';
import { Dialect } from '../../../../src-main/model/dialect.ts';
import { codeOf, read, recognise, rows, two } from '../../../support/logs/text-log.ts';

/** Lines that tell the time of day. */
const ofDay = (fromMinute: number, stepMinutes: number, count: number, head = '') =>
  `${head}Time,T (C)\n${rows(count, (n) => {
    const minute = (fromMinute + n * stepMinutes) % 1440;
    return `${two(Math.floor(minute / 60))}:${two(minute % 60)}:05,60${n}.5\n`;
  })}`;
/** Lines that count seconds. */
const counted = (count: number, head = '') => `${head}Time (s)\tT (C)\n${rows(count, (n) => `${n * 40}\t60${n}.5\n`)}`;
const NAME = 'run_2026-11-24_101520.txt';
const ENDED = { path: NAME, modifiedMs: Date.UTC(2026, 10, 24, 9, 15, 20), nowMs: Date.UTC(2026, 10, 25, 10) };

/** First instants by the answers of a question. */
function answered(text: string, options: NonNullable<Parameters<typeof recognise>[1]>): string[] {
  const found = recognise(text, options);
  expect(codeOf(found)).toBe('log.start-ambiguous');
  const answers = 'code' in found ? (found.answers ?? []) : [];
  return answers.map((answer) => read(text, { ...options, dialect: Dialect.parse(answer) }).firstAt.slice(0, 16));
}

describe('rows later than the last change of their file are asked about', () => {
  test.each([
    ['a name of the next day', 'log.csv-20261124', ofDay(0, 60, 24), Date.UTC(2026, 10, 23, 22, 0, 5), 1],
    ['one of an export', 'export_2026-11-24.csv', ofDay(480, 10, 24), Date.UTC(2026, 10, 23, 10, 50), 1],
    ['a head of the next day', 'log.csv', ofDay(480, 10, 24, 'Date: 2026-11-24\n'), Date.UTC(2026, 10, 23, 10, 50), 1],
    ['the day of the end', 'run_2026-11-24.csv', ofDay(1320, 20, 24), Date.UTC(2026, 10, 24, 4, 40), 2],
  ] as [string, string, string, number, number][])('%s', (_, path, text, modifiedMs, wanted) => {
    const instants = answered(text, { path, modifiedMs, nowMs: Date.UTC(2026, 10, 25, 10) });
    expect(instants).toHaveLength(wanted + 1);
    expect(new Set(instants.slice(0, wanted)).size).toBe(1);
    expect(instants[0]?.slice(0, 10)).toBe(path.startsWith('log.csv-') ? '2026-11-22' : '2026-11-23');
    expect(instants[wanted]?.slice(0, 10)).toBe(path.startsWith('log.csv-') ? '2026-11-23' : '2026-11-24');
  });

  test('a name that is the end of a count', () => {
    expect(answered(counted(24), ENDED)).toEqual(['2026-11-24T09:15', '2026-11-24T09:00']);
    expect(answered(`Start: 2026-11-24 10:15:20\n${counted(24)}`, { ...ENDED, path: 'run.txt' })).toEqual([
      '2026-11-24T09:15',
      '2026-11-24T09:00',
    ]);
  });

  test('a head of date and time that is the end', () => {
    const text = counted(24, 'Date: 2026-11-24\nTime: 10:15:20\n');
    expect(answered(text, { ...ENDED, path: 'run.txt' })).toEqual(['2026-11-24T09:00']);
  });

  test.each([
    ['the last change fits', { ...ENDED, modifiedMs: Date.UTC(2026, 10, 24, 9, 30, 40) }],
    ['it differs by no more than clocks do', { ...ENDED, modifiedMs: Date.UTC(2026, 10, 24, 9, 29, 40) }],
    ['a copy was made later', { ...ENDED, modifiedMs: Date.UTC(2026, 10, 24, 21) }],
    ['no last change is known', { ...ENDED, modifiedMs: 0 }],
    ['Windows tells when a file was opened that is written now', { ...ENDED, nowMs: Date.UTC(2026, 10, 24, 9, 31) }],
  ])('but read where %s', (_, options) => {
    expect(read(counted(24), options).firstAt).toBe('2026-11-24T09:15:20.000Z');
  });

  test('the day of an end is that of its last line, whether it passes midnight or not', () => {
    const start = { from: 'name', format: 'yyyy-MM-dd', marks: 'end' } as const;
    const dialect = Dialect.parse({ time: { format: 'HH:mm:ss', start } });
    const options = { path: 'run_2026-11-24.csv', dialect };
    expect(read(ofDay(1320, 20, 24), options).firstAt).toBe('2026-11-23T21:00:05.000Z');
    expect(read(ofDay(60, 20, 12), options).firstAt).toBe('2026-11-24T00:00:05.000Z');
    // Of a long file the midnights between are not seen.
    const found = recognise(ofDay(60, 1, 2000), options);
    expect(codeOf(found)).not.toBe('log.no-start');
  });
});
