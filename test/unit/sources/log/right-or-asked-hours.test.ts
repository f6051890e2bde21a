// Stamps that go once through the hour that the end of summer time repeats: their order does not tell which one it was.
import { describe, expect, test } from 'vitest';
import { Dialect } from '../../../../src-main/model/dialect.ts';
import { codeOf, follow as followed, read, recognise, recognised, rows } from '../../../support/logs/text-log.ts';

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

/** A log of which the first lines are known, read on line by line as a tool writes them; minutes of its rows, and why it stopped. */
function follow(text: string, seen: number, dialect = Dialect.parse({})) {
  const lines = text.split(/(?<=\n)/);
  const found = recognised(lines.slice(0, seen + 1).join(''), { dialect });
  const minutes: number[] = [];
  for (const { timesMs, stoppedAt, openHour = 'else', text: line } of followed(
    found,
    lines.slice(found.dataLine).join(''),
  )) {
    if (stoppedAt !== null) return { minutes, stopped: openHour, line };
    minutes.push(...[...timesMs].map((ms) => (ms - Date.UTC(2026, 9, 24, 22)) / MINUTE_MS));
  }
  return { minutes, stopped: null, line: '' };
}

describe('the hour that comes twice, in a log that is followed', () => {
  const before = every(5, -120, 30);
  const stays = (from: number, to: number) => log(every(5, from, to), () => true);
  test.each([
    ['it rests before the hour', log([...before, ...every(5, 35, 110), ...every(5, 190, 300)]), '02:10:00'],
    ['it rests within it', log([...before, ...every(5, 35, 140), ...every(5, 220, 300)]), '02:40:00'],
    ['it goes on without a step back, on a clock that is not set', stays(-120, 300), '03:00:00'],
    [
      'it rests out of it, on a clock that is not set',
      log([...before, ...every(5, 35, 175), 188], () => true),
      '03:08:00',
    ],
  ])('stops the reading where %s', (_, text, at) => {
    const { stopped, line } = follow(text, 12);
    expect([stopped, line.slice(11, 19)]).toEqual(['twice', at]);
    const answered = follow(text, 12, Dialect.parse({ time: { repeated_hour: 'first' } }));
    expect([answered.stopped, answered.minutes.length]).toEqual([null, text.split('\n').length - 2]);
  });

  test('is of the second one where a person says so', () => {
    const minutes = [...before, ...every(5, 35, 110), ...every(5, 190, 300)];
    const answered = follow(log(minutes), 12, Dialect.parse({ time: { repeated_hour: 'second' } }));
    expect(answered.minutes).toEqual(minutes);
  });

  test.each([
    ['it goes back', every(5, -120, 400)],
    ['it goes back after a rest', [...every(5, -120, 150), ...every(5, 185, 400)]],
    ['it rests from there on', [...every(5, -120, 150), ...every(5, 400, 500)]],
    ['no row is of it', [...every(5, -120, 115), ...every(5, 240, 400)]],
    ['a row comes every hour', every(60, -600, 510)],
    ['a row comes every day', every(1440, -14_400, 14_400)],
    ['rows come in pairs', every(5, -119.5, 400).flatMap((minute) => [minute, minute])],
  ] as [string, number[]][])('but is read where %s', (_, minutes) => {
    expect(follow(log(minutes), 8)).toEqual({ minutes, stopped: null, line: '' });
  });

  test('is asked about behind what is looked at for the layout', () => {
    const minutes = [...every(0.1, -600, 110), ...every(0.1, 190, 260)];
    const found = follow(log(minutes), 400);
    expect([found.stopped, found.minutes.length]).toEqual(['twice', 7101]);
  });
});

describe('marks of an event log in the hour that comes twice', () => {
  const events = (minutes: readonly number[], isSummer?: (minute: number) => boolean) =>
    log(minutes, isSummer)
      .split('\n')
      .slice(1)
      .map((line) => line.replace(/,.*/, ' Cell shutter was opened by the recipe'))
      .join('\n');
  /** Read on line by line behind the lines that are known. */
  const marksOf = (text: string, seen: number, dialect = Dialect.parse({})) => {
    const found = recognise(
      text
        .split(/(?<=\n)/)
        .slice(0, seen)
        .join(''),
      { dialect },
    );
    if ('code' in found) return { minutes: [], stopped: found.code };
    const minutes: number[] = [];
    for (const { marks, stoppedAt, openHour, text: line } of followed(found, text)) {
      if (stoppedAt !== null) return { minutes, stopped: openHour, line: line.slice(11, 19) };
      minutes.push(...marks.map(({ timeMs }) => (timeMs - Date.UTC(2026, 9, 24, 22)) / MINUTE_MS));
    }
    return { minutes, stopped: null };
  };
  const before = every(5, -120, 30);
  const rested = [...before, ...every(5, 35, 110), ...every(5, 190, 300)];

  test('are asked about where the lines rest before it, at first sight and later', () => {
    expect(marksOf(events(rested), 999)).toMatchObject({ stopped: 'log.hour-twice' });
    expect(marksOf(events(rested), 12)).toMatchObject({ stopped: 'twice', line: '02:10:00' });
  });

  test('are of the hour that a person says', () => {
    for (const seen of [12, 999]) {
      const second = Dialect.parse({ time: { repeated_hour: 'second' } });
      expect(marksOf(events(rested), seen, second)).toEqual({ minutes: rested, stopped: null });
      const first = Dialect.parse({ time: { repeated_hour: 'first' } });
      expect(marksOf(events(rested), seen, first)).toMatchObject({ stopped: null });
    }
  });

  test('are told where a file begins in it and goes out of it without a rest', () => {
    const minutes = every(5, 200, 300);
    expect(marksOf(events(minutes), 999)).toEqual({ minutes, stopped: null });
  });

  test.each([
    ['they go back', every(5, -120, 400)],
    ['none is of it', [...before, ...every(5, 35, 115), ...every(5, 240, 400)]],
    ['they come at any time of the day', [-600, -300, 17, 33, 400, 500]],
  ] as [string, number[]][])('but are kept where %s', (_, minutes) => {
    expect(marksOf(events(minutes), 999)).toEqual({ minutes, stopped: null });
    expect(marksOf(events(minutes), 3)).toEqual({ minutes, stopped: null });
  });

  test('and in the hour that summer time skips', () => {
    const text = rows(60, (n) => {
      const ms = Date.UTC(2026, 2, 29) + n * 5 * MINUTE_MS;
      return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} Cell shutter was opened by the recipe\n`;
    });
    expect(marksOf(text, 999)).toMatchObject({ stopped: 'log.hour-skipped' });
    expect(marksOf(text, 12)).toMatchObject({ stopped: 'never', line: '02:00:00' });
    expect(marksOf(text, 12, Dialect.parse({ time: { zone: '+01:00' } })).minutes).toHaveLength(60);
  });
});

describe('the hour that summer time skips', () => {
  const spring = (count: number) =>
    `Time,T (C)\n${rows(count, (n) => {
      const ms = Date.UTC(2026, 2, 29) + n * 5 * MINUTE_MS;
      return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')},60${n}.5\n`;
    })}`;

  test('is a question in the head of a file, and its answer reads all', () => {
    const found = recognise(spring(60));
    expect(codeOf(found)).toBe('log.hour-skipped');
    const answers = 'code' in found ? (found.answers ?? []) : [];
    expect(answers).toEqual([{ time: { zone: '+01:00' } }, { time: { zone: 'Europe/Berlin' } }]);
    const { timesMs } = read(spring(60), { dialect: Dialect.parse(answers[0]) });
    expect([...timesMs].every((ms, n) => ms === Date.UTC(2026, 2, 28, 23) + n * 5 * MINUTE_MS)).toBe(true);
  });

  test('stops a log that is followed, with nothing of it read', () => {
    const { minutes, stopped, line } = follow(spring(60), 12);
    expect([minutes.length, stopped, line.slice(11, 19)]).toEqual([24, 'never', '02:00:00']);
    expect(follow(spring(60), 12, Dialect.parse({ time: { zone: '+01:00' } })).minutes.length).toBe(60);
  });
});
