import { describe, expect, test } from 'vitest';
import { ZoneClock } from '../../../../../src-main/sources/log/time/zone-clock.ts';
import { amount } from '../../../../support/run/effort.ts';

const local = (text: string) => Date.parse(`${text}Z`);
const instant = (text: string) => Date.parse(text);

describe('a zone clock', () => {
  test('turns wall-clock stamps into instants, summer and winter', () => {
    const berlin = new ZoneClock('Europe/Berlin');
    expect(berlin.toInstant(local('2026-07-01T12:00:00'), Number.NaN)).toBe(instant('2026-07-01T10:00:00Z'));
    expect(berlin.toInstant(local('2026-12-01T12:00:00.25'), Number.NaN)).toBe(instant('2026-12-01T11:00:00.250Z'));
    expect(berlin.lastKind).toBe('plain');
  });

  test('settles the hour that comes twice by the order of lines', () => {
    const berlin = new ZoneClock('Europe/Berlin');
    const stamps = ['01:59', '02:00', '02:30', '02:59', '02:00', '02:30', '02:59', '03:00'];
    let former = Number.NaN;
    const instants = stamps.map((stamp) => {
      former = berlin.toInstant(local(`2026-10-25T${stamp}:00`), former);
      return new Date(former).toISOString().slice(11, 16);
    });
    expect(instants).toEqual(['23:59', '00:00', '00:30', '00:59', '01:00', '01:30', '01:59', '02:00']);
  });

  test('says which stamps lie in the hour that comes twice, and which in the one that does not exist', () => {
    const berlin = new ZoneClock('Europe/Berlin');
    berlin.toInstant(local('2026-10-25T02:30:00'), Number.NaN);
    expect(berlin.lastKind).toBe('twice');
    expect(berlin.toInstant(local('2026-03-29T02:30:00'), Number.NaN)).toBe(instant('2026-03-29T01:30:00Z'));
    expect(berlin.lastKind).toBe('never');
    berlin.toInstant(local('2026-03-29T03:00:00'), Number.NaN);
    expect(berlin.lastKind).toBe('plain');
  });

  test('takes small disorder in the first pass for disorder, not for the second pass', () => {
    const berlin = new ZoneClock('Europe/Berlin');
    const first = berlin.toInstant(local('2026-10-25T02:30:00'), instant('2026-10-25T00:30:05Z'));
    expect(first).toBe(instant('2026-10-25T00:30:00Z'));
  });

  test('knows zones whose changes are not whole hours or not at night', () => {
    const island = new ZoneClock('Australia/Lord_Howe');
    expect(island.toInstant(local('2026-04-05T01:45:00'), Number.NaN)).toBe(instant('2026-04-04T14:45:00Z'));
    expect(island.lastKind).toBe('twice');
    expect(new ZoneClock('Asia/Kathmandu').toInstant(local('2026-01-01T05:45:00'), Number.NaN)).toBe(
      instant('2026-01-01T00:00:00Z'),
    );
  });

  /** The weeks in which the clock is set, or all of a year. */
  const year = [['2026-01-01', '2027-01-01']];
  const weeks = [
    ['2026-03-05', '2026-03-12'],
    ['2026-10-29', '2026-11-05'],
  ];
  test.each(amount(weeks, year, year))('agrees with the zone data every seven minutes from %s to %s', (from, to) => {
    const newYork = new ZoneClock('America/New_York');
    const format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'America/New_York',
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    let former = Number.NaN;
    for (let at = instant(`${from}T00:00:00Z`); at < instant(`${to}T00:00:00Z`); at += 7 * 60_000) {
      former = newYork.toInstant(local(format.format(at).replace(' ', 'T')), former);
      expect(former).toBe(at);
    }
  });

  test('refuses a zone that does not exist', () => {
    expect(() => new ZoneClock('Europe/Atlantis')).toThrowError(expect.objectContaining({ code: 'log.zone-unknown' }));
  });
});
