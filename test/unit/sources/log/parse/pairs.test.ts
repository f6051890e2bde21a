// Tables with a time before each group of columns: where they begin again, and over blocks.
import { describe, expect, test } from 'vitest';
import { parse, recognised } from '../../../../support/logs/text-log.ts';

const HEAD = 'Started: 2026-11-20 10:15:00\nTime [s]\ta\tTime [s]\tb\n';
const startMs = Date.UTC(2026, 10, 20, 10, 15);

describe('groups of columns with a time each', () => {
  const found = recognised(`${HEAD}0\t1\t0\t2\n1\t1\t100\t2\n2\t1\t200\t2\n`, { zone: 'UTC' });

  test('of which one runs far ahead are read over blocks', () => {
    const first = parse(found, '0\t1\t0\t2\n1\t3\t100\t4\n');
    const next = parse(found, '2\t5\t200\t6\n', first.carry ?? '');
    expect([...first.timesMs, ...next.timesMs].map((ms) => (ms - startMs) / 1000)).toEqual([0, 1, 100, 2, 200]);
    expect([first.stoppedAt, next.stoppedAt]).toEqual([null, null]);
  });

  test.each([
    ['where a time begins again', '0\t7\t300\t8\n'],
    ['behind their header', 'Time [s]\ta\tTime [s]\tb\n0\t7\t0\t8\n'],
  ])('are not read on %s: from where it counts then nobody knows', (_, again) => {
    const first = parse(found, '0\t1\t0\t2\n50\t3\t100\t4\n');
    expect(parse(found, again, first.carry ?? '')).toMatchObject({ stoppedAt: 0, rowsRead: 0 });
  });

  test('that are counted and that are not are told apart by row, and what is no time is refused', () => {
    const parsed = parse(found, '0\t1\tx\t2\n1\t3\t\t4\n2\t5\n');
    expect([...parsed.timesMs].map((ms) => ms - startMs)).toEqual([0, 1000, 2000]);
    expect(parsed.refusals.map(({ channel, text }) => `${channel} ${text}`)).toEqual(['b x', 'b 4']);
  });
});
