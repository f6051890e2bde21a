import { expect, test } from 'vitest';
import { SourcePanel } from '../../../src-main/pipeline/source-panel.ts';

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
