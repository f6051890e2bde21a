// How fast a backlog goes, where chunks make a saw of what waits.
import { expect, test, vi } from 'vitest';

vi.stubGlobal('window', {});
const { judge } = await import('../../../src-renderer/state/drain.ts');

/** What waits each second: `base` and a saw of chunks that go every ten seconds. */
const saw = (seconds: number, base: (second: number) => number) =>
  Array.from({ length: seconds }, (_, at) => ({ atMs: at * 1000, waiting: base(at) + (at % 10) * 12 }));

test('what goes out chunk by chunk keeps up, from the first half minute on', () => {
  for (const seconds of [20, 35, 60]) expect(judge(saw(seconds, () => 0))).toEqual({ kind: 'level' });
});

test('a backlog that falls tells how long it takes, one that rises is told after half a minute', () => {
  const draining = judge(saw(60, (second) => 6000 - second * 50));
  expect(draining.kind).toBe('draining');
  expect((draining as { leftMs: number }).leftMs / 1000).toBeGreaterThan(40);
  expect((draining as { leftMs: number }).leftMs / 1000).toBeLessThan(90);
  expect(judge(saw(60, (second) => 1000 + second * 50))).toEqual({ kind: 'growing' });
  expect(judge(saw(25, (second) => 1000 + second * 50))).toEqual({ kind: 'unknown' });
  expect(judge(saw(5, () => 0))).toEqual({ kind: 'unknown' });
});
