import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeFill, type Room } from '../../../../src-main/agent/status/fill.ts';
import { hoursToFull } from '../../../../src-main/queue/store/space/forecast.ts';

const room = (freeBytes: number | null, bytesPerHour: number | null): Room => ({
  freeBytes,
  bytesPerHour,
  hoursToFull: hoursToFull(freeBytes, bytesPerHour),
});

test.each<[number | null, number | null, string, string]>([
  [31e9, 1e9, 'short', 'The buffer lasts about 31 h at this rate (1.00 GB an hour).'],
  [60e9, 1e9, 'filling', 'The buffer lasts about 60 h at this rate (1.00 GB an hour).'],
  [200e9, 0.35e9, 'filling', 'The buffer lasts about 23 days at this rate (350 MB an hour).'],
  [2e12, 1000, 'filling', 'The buffer lasts more than a year at this rate (less than 1 MB an hour).'],
  [0.5e9, 1e9, 'short', 'The buffer lasts less than an hour at this rate (1.00 GB an hour).'],
  [0, null, 'short', 'There is no room left for the buffer.'],
  [0, 1e9, 'short', 'There is no room left for the buffer.'],
  [5e9, 0, 'steady', 'The buffer does not grow at present.'],
  [5e9, -1e6, 'steady', 'The buffer does not grow at present.'],
  [5e9, null, 'unknown', 'Measuring how long the disk lasts.'],
  [null, 1e9, 'unknown', 'How long the buffer lasts is not known: the system does not tell what is free.'],
])('%s bytes free, growing by %s bytes an hour: %s', (freeBytes, bytesPerHour, level, text) => {
  expect(describeFill(room(freeBytes, bytesPerHour))).toEqual({ level, text });
});

test('never tells more hours than there are, and never a number for what is not known', () => {
  const bytes = fc.option(fc.integer({ min: 0, max: 4e12 }), { nil: null });
  const rate = fc.option(fc.integer({ min: -1e9, max: 1e10 }), { nil: null });
  fc.assert(
    fc.property(bytes, rate, (freeBytes, bytesPerHour) => {
      const given = room(freeBytes, bytesPerHour);
      const { level, text } = describeFill(given);
      if (level === 'unknown' || level === 'steady') expect(text).not.toMatch(/\d/);
      const told = text.match(/about (\d+) (h|days)/);
      if (told) expect(Number(told[1]) * (told[2] === 'h' ? 1 : 24)).toBeLessThanOrEqual(given.hoursToFull as number);
    }),
  );
});
