// Columns of status beside values: a word that calls a value bad refuses it, one that nobody knows is a question, and nothing
// but what is known as good lets a value pass.
import { describe, expect, test } from 'vitest';
import { Dialect } from '../../../../src-main/model/dialect.ts';
import { codeOf, read, recognise, rows, stamp, stamped, two } from '../../../support/logs/text-log.ts';

/** A log of one value with a status, of which every fifth line says `odd`. */
const status = (header: string, usual: string, odd: string, before = '') =>
  `Time,${before}T,${header}\n${stamped(20, (n) => `,${before && '1.5,'}${n % 5 === 4 ? 9999 : 600 + n},${n % 5 === 4 ? odd : usual}`)}`;
const refusedOf = (text: string) => read(text).refusals.map(({ channel, text: cell }) => `${channel}: ${cell}`);

describe('a value that its status calls bad does not go out', () => {
  test.each([
    ['Status', 'Good', 'BadNoCommunication'],
    ['Status', 'GoodClamped', 'Bad_Sensor_Failure'],
    ['Status', '', 'Sensor error'],
    ['Error', '', 'Sensor open'],
    ['Error', 'No error', 'Sensor open'],
    ['T_status', 'ok', 'Disconnected'],
    ['Sensor State', 'Normal', 'Fault'],
    ['Remark', 'Good', 'BadNoCommunication'],
  ])('%s: "%s" beside "%s"', (header, usual, odd) => {
    const text = status(header, usual, odd);
    expect(refusedOf(text)).toEqual(Array.from({ length: 4 }, () => `T: ${odd}`));
    expect([...read(text).values]).not.toContain(9999);
  });

  test('nor does one that a word unknown so far speaks of, or the first word at all', () => {
    for (const usual of ['OK', '']) {
      const text = `Time,T,Status\n${rows(900, (n) => `2026-11-20 10:${two(Math.floor(n / 60))}:${two(n % 60)},60${n},${n === 800 ? 'Burnout' : usual}\n`)}`;
      expect(refusedOf(text)).toEqual(['T: Burnout']);
    }
  });
});

describe('words of a flag or an alarm that nobody knows are a question', () => {
  test.each([
    ['Flag', 'G', 'B'],
    ['Flags', 'V', 'I'],
    ['OK?', 'yes', 'no'],
    ['T alarm', '-', 'Thermocouple open'],
    ['T_Flag', '', 'F'],
    ['Error', '-', 'E12'],
  ])('%s: "%s" beside "%s"', (header, usual, odd) => {
    expect(codeOf(recognise(status(header, usual, odd)))).toBe('log.quality-unclear');
  });

  test('unless they are always the same', () => {
    expect('code' in recognise(status('Flag', '-', '-'))).toBe(false);
  });
});

describe('a word beside good ones that nobody knows is a question', () => {
  test.each([
    ...['OPEN', 'OVER', 'UNDER', 'simulated', 'manual', 'WARMUP', 'OK (over range)'].map((odd) => [
      'Status',
      'OK',
      odd,
    ]),
    ['Status', 'Normal', 'Burnout'],
    ['Sensor State', 'Normal', 'Open'],
    ['T_status', '0', '1'],
    ['T status', 'FALSE', 'TRUE'],
    ['TStatus', 'Ok', 'Hold'],
    ['Status T', 'Ok', 'Hold'],
    ['Error', 'None', 'E12'],
    ['Error', '', 'E12'],
    ['Status', 'Ready', 'Error'],
    ['Quality', 'Good', 'Held'],
    ['Result', 'Good', 'Held'],
  ] as [string, string, string][])('%s: "%s" beside "%s"', (header, usual, odd) => {
    expect(codeOf(recognise(status(header, usual, odd)))).toBe('log.quality-unclear');
  });

  test('also where the column has no name, where it speaks of several values, and where many words are bad', () => {
    const bare = stamped(20, (n) => `,60${n}.5,${n % 5 === 4 ? 'OVER' : 'OK'}`);
    expect(codeOf(recognise(bare))).toBe('log.quality-unclear');
    expect(codeOf(recognise(status('Status', 'OK', 'WARMUP', 'P,')))).toBe('log.quality-unclear');
    expect(codeOf(recognise(status('Status', 'OK', 'Error', 'P,')))).toBe('log.quality-unclear');
    const many = `Time,T,Status\n${rows(20, (n) => `${stamp(n)},60${n},${n % 2 ? 'OK' : `E${n}`}\n`)}`;
    expect(codeOf(recognise(many))).toBe('log.quality-unclear');
  });

  test('the words that are good can be pasted', () => {
    const asked = recognise(status('Status', 'OK', 'WARMUP'));
    const answers = 'answers' in asked ? (asked.answers ?? []) : [];
    expect(answers.map(({ quality, leave_out }) => quality?.[0]?.good ?? leave_out)).toEqual([
      ['OK'],
      ['OK', 'WARMUP'],
      [3],
    ]);
    const dialect = Dialect.parse(answers[0]);
    expect(read(status('Status', 'OK', 'WARMUP'), { dialect }).refusals).toHaveLength(4);
  });
});

test.each([
  ['Growth state', 'idle', 'growing'],
  ['Growth state', '', 'start'],
  ['State', 'Run', 'Hold'],
  ['Shutter', 'open', 'closed'],
  ['Comment', 'ok', 'shutter opened'],
  ['Alarm', 'off', 'on'],
  ['Thermostat', '20', '21'],
  ['Pump status', '0', '1'],
  ['T error', '0', '1'],
])('what a machine is doing is no status of a value: %s: "%s" beside "%s"', (header, usual, odd) => {
  expect(read(status(header, usual, odd)).refusals).toEqual([]);
});
