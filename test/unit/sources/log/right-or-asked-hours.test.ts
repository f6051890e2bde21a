// Stamps that go once through the hour that the end of summer time repeats: their order does not tell which one it was.
import { describe, expect, test } from 'vitest';
import { Dialect } from '../../../../src-main/model/dialect.ts';
import { codeOf, read, recognise, rows } from '../../../support/logs/text-log.ts';

const MINUTE_MS = 60_000;
/** The clock of Berlin, in the night of 25 October 2026, at instants after midnight there, minutes. */
const log = (minutes: readonly number[], isSummer = (minute: number) => minute < 180) =>
  `Time,T (C)\n${rows(minutes.length, (n) => {
    const minute = minutes[n] as number;
    const ms = Date.UTC(2026, 9, 24, 22) + minute * MINUTE_MS + (isSummer(minute) ? 2 : 1) * 60 * MINUTE_MS;
    return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')},60${n}.5\n`;
  })}`;
const every = (step: number, from: number, to: number) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, n) => from + n * step);
const minutesOf = (text: string, dialect = Dialect.parse({})) =>
  [...read(text, { dialect }).timesMs].map((ms) => (ms - Date.UTC(2026, 9, 24, 22)) / MINUTE_MS);

describe('the hour that comes twice, gone through once', () => {
  test.each([
    ['a rest before it came again', [...every(5, 60, 110), ...every(5, 190, 245)]],
    ['a shorter rest', [...every(5, 100, 115), ...every(5, 190, 285)]],
    ['a rest within it', [...every(5, 60, 140), ...every(5, 220, 300)]],
    ['a row an hour, one left out', [30, 90, 150, 270, 330, 390, 450, 510]],
    ['a rest before and one behind it', [...every(5, 60, 110), ...every(5, 130, 165), ...every(5, 300, 400)]],
    ['no rest at all, as on a clock that is not set', every(1, 60, 300)],
  ] as [string, number[]][])('is asked about: %s', (name, minutes) => {
    const text = name.startsWith('no rest') ? log(minutes, () => true) : log(minutes);
    const found = recognise(text);
    expect(codeOf(found)).toBe('log.hour-twice');
    const read = ('code' in found ? (found.answers ?? []) : []).map((answer) => minutesOf(text, Dialect.parse(answer)));
    const isTold = name.startsWith('a rest before it') || name.startsWith('a shorter') || name.startsWith('a row');
    if (isTold) expect(read).toContainEqual(minutes);
    expect(read[0]).not.toEqual(read[1]);
  });

  test('also behind the lines that are looked at first', () => {
    const minutes = [...every(0.1, 0, 110), ...every(0.1, 185, 260)];
    expect(codeOf(recognise(log(minutes)))).toBe('log.hour-twice');
  });

  test.each([
    ['it goes back', every(5, 60, 400)],
    ['it goes back after a rest', [...every(5, 60, 150), ...every(5, 185, 400)]],
    ['it goes back behind the first lines', every(0.2, 0, 300)],
    ['it stops in the first hour', every(5, 60, 150)],
    ['it rests from there on', [...every(5, 60, 150), ...every(5, 400, 500)]],
    ['no row is of it', [...every(5, 60, 115), ...every(5, 240, 400)]],
    ['a row every hour', every(60, 30, 510)],
  ] as [string, number[]][])('but is read where %s', (_, minutes) => {
    expect(minutesOf(log(minutes)).map((minute) => Math.round(minute * 10) / 10)).toEqual(
      minutes.map((minute) => Math.round(minute * 10) / 10),
    );
  });
});
