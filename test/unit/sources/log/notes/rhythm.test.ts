import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Rhythm, type RowFacts } from '../../../../../src-main/sources/log/notes/rhythm.ts';
import { chance } from '../../../../support/logs/log-walk.ts';

const ALONE: RowFacts = { hasRepeated: false, noisyChannels: 1 };

/** Rows of a channel: stamps, values, and whether a value came twice. */
interface Rows {
  readonly rows: readonly (readonly [timeMs: number, value: number])[];
  readonly hasRepeated: boolean;
}

function learn({ rows, hasRepeated }: Rows, noisyChannels = 1): Rhythm {
  const rhythm = new Rhythm();
  for (const [timeMs, value] of rows) rhythm.note(timeMs, value, true);
  expect(rhythm.kind({ hasRepeated, noisyChannels })).toBe(rhythm.kind({ hasRepeated, noisyChannels }));
  return rhythm;
}

/** A value that is looked at each second, with jitter, and written each time. */
function onBeat(seed: number, seconds: number, resolution: number): Rows {
  const pick = chance(seed);
  const rows = Array.from({ length: seconds }, (_, n): [number, number] => {
    return [n * 1000 + pick(200), Math.round((pick(1000) / 1000) * resolution)];
  });
  return { rows, hasRepeated: rows.some(([, value], n) => n > 0 && value === rows[n - 1]?.[1]) };
}

/** The same value, written only when it differs from the one before. */
function onChange(seed: number, seconds: number, resolution: number): Rows {
  const { rows } = onBeat(seed, seconds, resolution);
  return { rows: rows.filter(([, value], n) => n === 0 || value !== rows[n - 1]?.[1]), hasRepeated: false };
}

/** How often the value was not written for about two seconds or more, once enough was seen to tell. */
function pausesIn({ rows }: Rows): number {
  return rows.slice(20).filter(([ms], n) => ms - (rows[n + 19]?.[0] ?? ms) >= 1900).length;
}

/** Of the last 32 intervals, how many are far from the middle one. */
function oddIn({ rows }: Rows): number {
  const intervals = rows.slice(-32).map(([ms], n) => ms - (rows.at(n - 33)?.[0] ?? 0));
  const middle = intervals.toSorted((a, b) => a - b)[16] ?? 0;
  return intervals.filter((one) => one < 0.4 * middle || one > 2.5 * middle).length;
}

const seeds = fc.nat(1_000_000);
const seconds = fc.integer({ min: 60, max: 600 });

test('a value that is written each second is on a beat, whatever its resolution', () => {
  fc.assert(
    fc.property(seeds, seconds, fc.integer({ min: 2, max: 1_000_000 }), (seed, length, resolution) => {
      const rows = onBeat(seed, length, resolution);
      expect(learn(rows).kind({ ...ALONE, hasRepeated: rows.hasRepeated })).toBe('beat');
    }),
  );
});

test('a value that is written when it changes is not, as long as it pauses now and then', () => {
  fc.assert(
    fc.property(
      seeds,
      fc.integer({ min: 120, max: 600 }),
      fc.integer({ min: 2, max: 15 }),
      (seed, length, resolution) => {
        const written = onChange(seed, length, resolution);
        // Of 120 values with 14 steps it may happen that hardly any two in a row are the same.
        fc.pre(pausesIn(written) >= 3);
        expect(learn(written).kind(ALONE)).not.toBe('beat');
      },
    ),
  );
});

test('values written at irregular times are on change, even where one comes twice', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const pick = chance(seed);
      let timeMs = 0;
      const rows = Array.from({ length: 40 }, (): [number, number] => {
        timeMs += Math.round(-Math.log((1 + pick(999)) / 1000) * 60_000) + 1;
        return [timeMs, pick(3)];
      });
      const written = { rows, hasRepeated: true };
      // One in ten thousand of such logs happens to be regular.
      fc.pre(oddIn(written) >= 4);
      expect(learn(written).kind({ ...ALONE, hasRepeated: true })).toBe('on-change');
    }),
    { numRuns: 300 },
  );
});

test('a ramp is not taken for a beat: it may be logged on change', () => {
  const rows = Array.from({ length: 100 }, (_, n): [number, number] => [n * 1000, 300 + n / 2]);
  expect(learn({ rows, hasRepeated: false }).kind(ALONE)).toBe('unclear');
});

test('a channel in a row with measured values is on the beat of the row, pauses or not', () => {
  const { rows } = onChange(7, 300, 4);
  const steady = rows.filter((_, n) => n % 20 !== 0).map(([, value], n): [number, number] => [n * 1000, value]);
  const hiccups = steady.map(([timeMs, value], n): [number, number] => [timeMs + 1500 * Math.floor(n / 50), value]);
  expect(learn({ rows: hiccups, hasRepeated: false }).kind({ ...ALONE, noisyChannels: 3 })).toBe('beat');
});

test('fewer than sixteen intervals say nothing', () => {
  const rows = Array.from({ length: 16 }, (_, n): [number, number] => [n * 1000, n % 2]);
  expect(learn({ rows, hasRepeated: true }).kind({ ...ALONE, hasRepeated: true })).toBe('learning');
});

test('a pause that a channel made once is usual for a while, and less so with time', () => {
  const rhythm = new Rhythm();
  let timeMs = 0;
  const go = (rows: number) => {
    for (let n = 0; n < rows; n++) {
      timeMs += 1000;
      rhythm.note(timeMs, n % 2, true);
    }
  };
  go(50);
  expect(rhythm.usualMs).toBe(6000);
  timeMs += 599_000;
  go(1);
  expect(rhythm.usualMs).toBeGreaterThan(800_000);
  go(5000);
  expect(rhythm.usualMs).toBeLessThan(7000);
});
