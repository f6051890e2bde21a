import { expect, test } from 'vitest';
import { SourcePanel } from '../../../../src-main/agent/pipeline/source-panel.ts';

test('tells what was read and is not on disk yet, until it is', () => {
  const panel = new SourcePanel('log', 'log', '/logs');
  panel.read(10, 5_000);
  panel.read(4, 4_000);
  expect(panel.view).toMatchObject({ pointsUnstored: 14, newestReadMs: 5_000, pointsRead: 0, lastReadingMs: null });
  panel.captured(6_000, 1, 10, 0, 5_000);
  expect(panel.view).toMatchObject({ pointsUnstored: 4, pointsRead: 10, lastReadingMs: 5_000, lastCaptureMs: 6_000 });
  panel.dropped(4);
  expect(panel.view).toMatchObject({ pointsUnstored: 0, pointsRead: 10, newestReadMs: 5_000 });
});

test('tells the longest of the last pauses, so that each source is judged by its own rhythm', () => {
  const panel = new SourcePanel('log', 'log', '/logs');
  const at = (timesMs: readonly number[]) => {
    for (const timeMs of timesMs) panel.captured(timeMs, 1, 1, 0, timeMs);
    return panel.view.pauseMs;
  };
  expect(at([1_000])).toBe(0);
  expect(at([2_000, 62_000, 63_000])).toBe(60_000);
  // A long pause is forgotten once the source goes on as before.
  expect(at([64_000, 65_000, 66_000, 67_000, 68_000, 69_000, 70_000])).toBe(1_000);
});
