// A judge of the soak that passes a loss is worth nothing: each kind of wrong is noticed.
import { expect, test } from 'vitest';
import type { GapRow } from '../../../src-main/model/queue.ts';
import type { Series } from '../../soak/delivered-series.ts';
import { judgeChannel } from '../../soak/judge.ts';
import { judgeSeries } from '../../soak/judge-series.ts';
import { ChannelTruth, type Deed } from '../../soak/truth.ts';

const written: Series = { timesMs: [10, 20, 30, 40], values: [1, 2, 2, 3] };

test.each([
  ['as it was written', written.timesMs, written.values, {}],
  ['without a point', [10, 20, 40], [1, 2, 3], { lost: 1 }],
  ['with a point twice', [10, 20, 20, 30, 40], [1, 2, 2, 2, 3], { doubled: 1 }],
  ['with another value', [10, 20, 30, 40], [1, 2, 2, 4], { altered: 1 }],
  ['with a stamp that the tool did not write', [10, 20, 30, 35, 40], [1, 2, 2, 2, 3], { altered: 1 }],
  ['with a point behind a later one', [10, 30, 20, 40], [1, 2, 2, 3], { altered: 1 }],
] as const)('a log that came %s is judged so', (_, timesMs, values, found) => {
  const judged = judgeSeries('T', written, { timesMs: [...timesMs], values: [...values] });
  expect(judged).toMatchObject({ expected: 4, lost: 0, doubled: 0, altered: 0, ...found });
});

const EVERY_MS = 100;

function truthOf(...deeds: Deed[]): ChannelTruth {
  const truth = new ChannelTruth({ sourceId: 's', channel: 'a', everyMs: EVERY_MS, isAsked: true }, []);
  for (const [n, deed] of deeds.entries()) {
    truth.asks.push(1000 + n * EVERY_MS);
    truth.add(n + 0.5, 1000 + n * EVERY_MS, deed, n < 10 ? 'mbar' : 'Torr');
  }
  return truth;
}

const whole = truthOf(...Array<Deed>(20).fill('whole'));
/** What is stored of some replies, each a millisecond after its question. */
const storedOf = (...numbers: number[]) => ({
  timesMs: numbers.map((n) => 1001 + n * EVERY_MS),
  values: numbers.map((n) => n + 0.5),
  units: numbers.map((n) => (n < 10 ? 'mbar' : 'Torr')),
});
const gap = (fromMs: number, toMs: number): GapRow => ({ sourceId: 's', fromMs, toMs, cause: 'no answer' });

test.each([
  ['a value that was never said', whole, [7], [99], 'never said'],
  ['one stored twice', whole, [1, 1], [1.5, 1.5], 'stored twice'],
  ['one behind a later one', whole, [2, 3], [3.5, 2.5], 'behind a later one'],
  ['one before its question', whole, [0], [1.5], 'before it was said'],
  ['one behind the next question', whole, [5], [1.5], 'after the next question'],
  ['one whose reply was never sent', truthOf('silence'), [0], [0.5], 'never sent'],
] as const)('of an instrument, %s is wrong', (_, truth, at, values, words) => {
  const { timesMs, units } = storedOf(...at);
  const { wrong } = judgeChannel(truth, { timesMs, values: [...values], units }, [], [], [], 1000);
  expect(wrong.join()).toContain(words);
});

test('a right value under a unit that it was not in, or under none, is a wrong unit', () => {
  const points = storedOf(8, 9, 10, 11);
  const judge = (units: string[]) => judgeChannel(whole, { ...points, units }, [], [], [], 2200);
  expect(judge(points.units)).toMatchObject({ taken: 4, wrong: [], wrongUnits: [] });
  expect(judge(['mbar', '', 'mbar', 'Torr']).wrongUnits).toHaveLength(2);
});

test('a hole is well where gaps cover it without a break, and named where a millisecond is missing', () => {
  const judge = (...gaps: GapRow[]) => judgeChannel(whole, storedOf(0, 1, 2, 9), gaps, [], [], 1910).unnamed;
  expect(judge(gap(1201, 1500), gap(1500, 1901))).toEqual([]);
  expect(judge(gap(1201, 1900))).toHaveLength(1);
  expect(judge(gap(1202, 1901))).toHaveLength(1);
  expect(judge(gap(1201, 1500), gap(1501, 1901))).toHaveLength(1);
  expect(judgeChannel(whole, storedOf(0, 1), [], [], [], 1900).unnamed).toHaveLength(1);
});
