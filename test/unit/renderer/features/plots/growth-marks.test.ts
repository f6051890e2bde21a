import { expect, test } from 'vitest';
import { growthMarks } from '../../../../../src-renderer/features/plots/growth-marks.ts';

const restart = (atMs: number) => ({ atMs, answer: 'continue' as const, answeredMs: atMs + 1 });
const newestFirst = [
  { name: '', startedMs: 500, endedMs: null, restarts: [] },
  { name: 'GaAs 1', startedMs: 100, endedMs: 400, restarts: [restart(200), restart(300)] },
];

test('marks start, restarts and end of each growth in the order of time; one that runs has no end', () => {
  const marks = growthMarks(newestFirst, { fromMs: 0, toMs: 1000 });
  expect(marks.map(({ timeMs, text }) => [timeMs, text])).toEqual([
    [100, 'growth started: GaAs 1'],
    [200, 'Epistream restarted'],
    [300, 'Epistream restarted'],
    [400, 'growth ended: GaAs 1'],
    [500, 'growth started'],
  ]);
  expect(new Set(marks.map(({ id }) => id)).size).toBe(5);
  expect(marks.every(({ id }) => id < 0)).toBe(true);
});

test('leaves out what lies beside the span, also of a growth that reaches into it', () => {
  expect(growthMarks(newestFirst, { fromMs: 250, toMs: 450 }).map(({ timeMs }) => timeMs)).toEqual([300, 400]);
});
