import { expect, onTestFinished, test } from 'vitest';
import { formatSecond } from '../../../../src-main/model/format.ts';
import {
  formatClock,
  formatExact,
  formatMoment,
  formatZone,
  formatZoned,
  inZone,
} from '../../../../src-renderer/format/time.ts';
import { setZoneInForce } from '../../../../src-renderer/format/time-zone.ts';

const timeMs = Date.UTC(2026, 10, 20, 13, 2, 11, 302);
const berlin = 'Europe/Berlin';

test('writes the time of a zone, with the name of the zone on request', () => {
  expect(formatClock(timeMs, berlin)).toBe('14:02:11');
  expect(formatZone(timeMs, berlin)).toBe('CET');
  expect(formatZone(Date.UTC(2026, 6, 1), berlin)).toBe('CEST');
  expect(formatExact(timeMs, berlin)).toBe('20 Nov 2026, 14:02:11.302');
  expect(formatZoned(timeMs, berlin)).toBe('20 Nov 2026, 14:02:11.302 CET');
});

test('writes midnight as 00, not 24', () => {
  expect(formatClock(Date.UTC(2026, 10, 19, 23, 0, 0), berlin)).toBe('00:00:00');
});

test('adds the day when it is another one, and the year when that is another one', () => {
  expect(formatMoment(timeMs, timeMs + 1_000, berlin)).toBe('14:02:11');
  expect(formatMoment(timeMs, timeMs + 86_400_000, berlin)).toBe('20 Nov, 14:02:11');
  expect(formatMoment(timeMs, timeMs + 366 * 86_400_000, berlin)).toBe('20 Nov 2026, 14:02:11');
  expect(formatMoment(Date.UTC(2023, 5, 11, 22, 0, 1), timeMs, berlin)).toBe('12 Jun 2023, 00:00:01');
});

test('writes thousandths of moments before 1970 too', () => {
  expect(formatExact(-1, 'UTC')).toBe('31 Dec 1969, 23:59:59.999');
});

test('writes the instants in a sentence of the agent in the zone in force, and no other text', () => {
  onTestFinished(() => setZoneInForce('UTC'));
  setZoneInForce(berlin);
  const sentence = `Asleep from ${formatSecond(timeMs)} to ${formatSecond(timeMs + 3_600_000)}.`;
  expect(inZone(sentence)).toBe('Asleep from 20 Nov 2026, 14:02:11 to 20 Nov 2026, 15:02:11.');
  // A line of a log, as it was written.
  const quoted = 'Line 5 is "2026-11-20T13:02:11Z,580".';
  expect(inZone(quoted)).toBe(quoted);
});
