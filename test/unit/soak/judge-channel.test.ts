// The judge of instruments must notice each kind of wrong, and let pass only what was told.
import { expect, test } from 'vitest';
import type { GapRow } from '../../../src-main/model/queue.ts';
import { judgeChannel } from '../../soak/judge.ts';
import { ChannelTruth, type Deed, type Outage } from '../../soak/truth.ts';

const EVERY_MS = 100;

function truthOf(...deeds: Deed[]): ChannelTruth {
  const truth = new ChannelTruth({ sourceId: 's', channel: 'a', everyMs: EVERY_MS, isAsked: true }, []);
  for (const [n, deed] of deeds.entries()) {
    truth.asks.push(1000 + n * EVERY_MS);
    truth.add(n + 0.5, 1000 + n * EVERY_MS, deed, n < 10 ? 'mbar' : 'Torr');
  }
  return truth;
}

/** A late reply, and the time at which another channel of the line was asked. */
function lateWith(otherMs: number): ChannelTruth {
  const truth = truthOf('late');
  truth.asks.push(otherMs);
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
const unplugged: Outage = { line: 'l', kind: 'unplugged', fromMs: 1250, toMs: 1850 };

test('what was said is well', () => {
  expect(judgeChannel(whole, storedOf(0, 1, 2, 3), [], [], [], 1400)).toEqual({
    ...{ taken: 4, wrong: [], wrongUnits: [], outagesSeen: 0, unnamed: [], holes: 0 },
  });
});

test.each([
  ['a value that was never said', whole, [7], [99], 'never said'],
  ['one stored twice', whole, [1, 1], [1.5, 1.5], 'stored twice'],
  ['one behind a later one', whole, [2, 3], [3.5, 2.5], 'behind a later one'],
  ['one before its question', whole, [0], [1.5], 'before it was said'],
  ['one behind the next question', whole, [5], [1.5], 'after the next question'],
  ['one whose reply was never sent', truthOf('silence'), [0], [0.5], 'never sent'],
  ['one whose reply was late, behind another question of its line', lateWith(1000.5), [0], [0.5], 'was made late'],
] as const)('%s is wrong', (_, truth, at, values, words) => {
  const { timesMs, units } = storedOf(...at);
  const { wrong } = judgeChannel(truth, { timesMs, values: [...values], units }, [], [], [], 1000);
  expect(wrong.join()).toContain(words);
});

test('a late reply is well while its own question is the last one of the line', () => {
  expect(judgeChannel(lateWith(1001.5), storedOf(0), [], [], [], 1000).wrong).toEqual([]);
});

test('a hole is well where gaps cover it without a break, and named where a millisecond is missing', () => {
  const points = storedOf(0, 1, 2, 9);
  const judge = (...gaps: GapRow[]) => judgeChannel(whole, points, gaps, [], [unplugged], 1910).unnamed;
  expect(judge(gap(1201, 1901))).toEqual([]);
  expect(judge(gap(1201, 1500), gap(1500, 1901))).toEqual([]);
  expect(judge(gap(1201, 1900))).toHaveLength(1);
  expect(judge(gap(1202, 1901))).toHaveLength(1);
  expect(judge(gap(1201, 1500), gap(1501, 1901))).toHaveLength(1);
  expect(judge()[0]).toContain('unplugged for 600 ms');
});

test('a refused reading ends a hole, and its gap may end 50 ms before it was noted, not more', () => {
  const points = storedOf(0, 1, 2, 10);
  const judge = (refusedMs: number, ...gaps: GapRow[]) =>
    judgeChannel(whole, points, gaps, [refusedMs], [unplugged], 2010).unnamed;
  expect(judge(1900, gap(1201, 1850))).toEqual([]);
  expect(judge(1900, gap(1201, 1849))).toHaveLength(1);
  expect(judge(1900)).toHaveLength(1);
});

test('what is missing up to the end is a hole, too', () => {
  const { unnamed, holes } = judgeChannel(whole, storedOf(0, 1), [], [], [], 1900);
  expect(unnamed).toHaveLength(1);
  expect(holes).toBe(1);
});

test('a right value under a unit that it was not in, or under none, is a wrong unit', () => {
  const points = storedOf(8, 9, 10, 11);
  const judge = (units: string[]) => judgeChannel(whole, { ...points, units }, [], [], [], 2200);
  expect(judge(points.units)).toMatchObject({ wrong: [], wrongUnits: [] });
  const { wrong, wrongUnits } = judge(['mbar', '', 'mbar', 'Torr']);
  expect(wrong).toEqual([]);
  expect(wrongUnits).toEqual([
    's a: 9.5 mbar at 1970-01-01T00:00:01.901Z: stored in ""',
    's a: 10.5 Torr at 1970-01-01T00:00:02.001Z: stored in "mbar"',
  ]);
});

test('readings that came and were not stored end a hole: it need not be named further than a reading may be late', () => {
  const points = storedOf(0, 1, 2, 8);
  const cause = '3 readings were not stored: the unit was changed';
  const judge = (fromMs: number, toMs: number) =>
    judgeChannel(whole, points, [{ ...gap(fromMs, toMs), cause }], [], [], 1810).unnamed;
  expect(judge(1401, 1501)).toEqual([]);
  expect(judge(1402, 1501)).toHaveLength(1);
  expect(judge(1401, 1500)).toHaveLength(1);
});
