import { expect, test } from 'vitest';
import { SourcePanel } from '../../../../src-main/agent/pipeline/source-panel.ts';

test('counts rows that are read but not on disk yet, until they are', () => {
  const panel = new SourcePanel('log', 'log', '/logs');
  panel.read(10, 5_000);
  panel.read(4, 4_000);
  expect(panel.view).toMatchObject({ pointsUnstored: 14, newestReadMs: 5_000, pointsRead: 0, lastReadingMs: null });
  panel.captured(6_000, 1, 10, 0, 5_000);
  expect(panel.view).toMatchObject({ pointsUnstored: 4, pointsRead: 10, lastReadingMs: 5_000, lastCaptureMs: 6_000 });
  panel.dropped(4);
  expect(panel.view).toMatchObject({ pointsUnstored: 0, pointsRead: 10, newestReadMs: 5_000 });
});

test('tells when it last stored a reading, not when it last stored a remark', () => {
  const panel = new SourcePanel('log', 'log', '/logs');
  panel.captured(1_000, 1, 3, 0, 1_000);
  panel.captured(61_000, 1, 0, 0, null);
  expect(panel.view).toMatchObject({ lastCaptureMs: 1_000, rowsRead: 2, pauseMs: 0 });
  panel.captured(62_000, 1, 3, 0, 62_000);
  expect(panel.view).toMatchObject({ lastCaptureMs: 62_000, pauseMs: 61_000 });
});

test('takes a single long pause for none of its rhythm, and one that came again for a part of it', () => {
  const panel = new SourcePanel('log', 'log', '/logs');
  const at = (timesMs: readonly number[]) => {
    for (const timeMs of timesMs) panel.captured(timeMs, 1, 1, 0, timeMs);
    return panel.view.pauseMs;
  };
  expect(at([1_000, 2_000, 3_000, 4_000, 3_604_000, 3_605_000])).toBe(1_000);
  expect(at([7_205_000, 7_206_000])).toBe(3_600_000);
});

test('keeps its rhythm and its last reading when its settings are saved again', () => {
  const former = new SourcePanel('log', 'log', '/logs');
  for (const timeMs of [0, 600_000, 1_200_000, 1_800_000]) former.captured(timeMs, 1, 1, 0, timeMs);
  const panel = new SourcePanel('log', 'log', '/other', former);
  expect(panel.view).toMatchObject({ lastCaptureMs: 1_800_000, pauseMs: 600_000, rowsRead: 0, place: '/other' });
});

test('tells the longest of the last pauses that came more than once, so that each source is judged by its own rhythm', () => {
  const panel = new SourcePanel('log', 'log', '/logs');
  const at = (timesMs: readonly number[]) => {
    for (const timeMs of timesMs) panel.captured(timeMs, 1, 1, 0, timeMs);
    return panel.view.pauseMs;
  };
  expect(at([1_000])).toBe(0);
  expect(at([2_000, 62_000])).toBe(60_000);
  expect(at([122_000, 123_000])).toBe(60_000);
  // A long pause is forgotten once the source goes on as before.
  expect(at(Array.from({ length: 16 }, (_, i) => 124_000 + 1_000 * i))).toBe(1_000);
});
