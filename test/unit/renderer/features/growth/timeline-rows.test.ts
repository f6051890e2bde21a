import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findOn, lengthWithin } from '../../../../../src-renderer/features/growth/timeline-rows.ts';
import { isState } from '../../../../../src-renderer/format/state-line.ts';

test('draws a bar from a 1 to the next 0, and nothing after the last point', () => {
  const line = { timesMs: [0, 10, 20, 30, 40, 50], values: [0, 1, 1, 0, 1, 1] };
  expect(findOn(line, [])).toEqual([
    { fromMs: 10, toMs: 30, text: '' },
    { fromMs: 40, toMs: 50, text: '' },
  ]);
});

test('ends a bar where a gap begins, and begins another one behind it', () => {
  const line = { timesMs: [0, 10, 100, 110], values: [1, 1, 1, 0] };
  expect(findOn(line, [{ fromMs: 12, toMs: 98 }])).toEqual([
    { fromMs: 0, toMs: 12, text: '' },
    { fromMs: 100, toMs: 110, text: '' },
  ]);
  expect(findOn(line, [])).toEqual([{ fromMs: 0, toMs: 110, text: '' }]);
});

test('draws nothing in a hole of a state that is written again and again, and goes on over a pause of one that is not', () => {
  const every = (fromS: number, toS: number) => Array.from({ length: toS - fromS }, (_, n) => (fromS + n) * 1000);
  const timesMs = [...every(0, 60), ...every(240, 300)];
  expect(findOn({ timesMs, values: timesMs.map(() => 1) }, [])).toEqual([
    { fromMs: 0, toMs: 59_000, text: '' },
    { fromMs: 240_000, toMs: 299_000, text: '' },
  ]);
  const onChange = { timesMs: [0, 1000, 600_000, 601_000], values: [0, 1, 0, 1] };
  expect(findOn(onChange, [])).toEqual([
    { fromMs: 1000, toMs: 600_000, text: '' },
    { fromMs: 601_000, toMs: 601_000, text: '' },
  ]);
});

test('never shows a state as 1 where a point is 0', () => {
  const rising = fc.array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.constantFrom(0, 1))).map((steps) => {
    let timeMs = 0;
    return steps.map(([stepMs, value]) => {
      timeMs += stepMs;
      return { timeMs, value };
    });
  });
  fc.assert(
    fc.property(rising, (points) => {
      const on = findOn({ timesMs: points.map((one) => one.timeMs), values: points.map((one) => one.value) }, []);
      for (const { timeMs, value } of points) {
        const isInside = on.some(({ fromMs, toMs }) => timeMs >= fromMs && timeMs < toMs);
        if (value === 0) expect(isInside).toBe(false);
        else expect(on.some(({ fromMs, toMs }) => timeMs >= fromMs && timeMs <= toMs)).toBe(true);
      }
    }),
  );
});

test('takes for a state what is 0 and 1, and was 1 or is called like one; no counter of faults, no measured value', () => {
  const line = (channel: string, unit: string, values: number[]) => isState({ channel, unit, values });
  expect(line('Ga', '', [0, 1, 0])).toBe(true);
  expect(line('In shutter', '', [0, 0])).toBe(true);
  expect(line('stalls', '', [0, 0])).toBe(false);
  expect(line('rotations', '', [0, 1, 2])).toBe(false);
  expect(line('voltage', 'V', [0, 1])).toBe(false);
  expect(line('Ga shutter', '', [])).toBe(false);
});

test('counts of a stretch only what lies within the span', () => {
  const stretches = [
    { fromMs: 0, toMs: 10 },
    { fromMs: 20, toMs: 30 },
  ];
  expect(lengthWithin(stretches, { fromMs: 5, toMs: 25 })).toBe(10);
  expect(lengthWithin(stretches, { fromMs: 11, toMs: 19 })).toBe(0);
});
