import { expect, test } from 'vitest';
import { SourcePanel } from '../../../../src-main/agent/pipeline/source-panel.ts';

/** A panel, and its clock, which a test sets. */
function panelAt(kind: 'log' | 'serial' = 'log') {
  const clock = { atMs: 0, nowMs: () => clock.atMs, monotonicMs: () => clock.atMs };
  return { clock, panel: new SourcePanel({ id: 'log', kind, place: '/logs', clock }) };
}

test('counts rows that are read but not on disk yet, until they are', () => {
  const { clock, panel } = panelAt();
  panel.read(10, 5_000);
  panel.read(4, 4_000);
  expect(panel.view).toMatchObject({ pointsUnstored: 14, newestReadMs: 5_000, pointsRead: 0, lastReadingMs: null });
  clock.atMs = 6_000;
  panel.captured(1, 10, 0, 5_000);
  expect(panel.view).toMatchObject({ pointsUnstored: 4, pointsRead: 10, lastReadingMs: 5_000, lastCaptureMs: 6_000 });
  panel.dropped(4);
  expect(panel.view).toMatchObject({ pointsUnstored: 0, pointsRead: 10, newestReadMs: 5_000 });
});

test('tells when it last stored a reading, not when it last stored a remark', () => {
  const { clock, panel } = panelAt();
  clock.atMs = 1_000;
  panel.captured(1, 3, 0, 1_000);
  clock.atMs = 61_000;
  panel.captured(1, 0, 0, null);
  expect(panel.view).toMatchObject({ lastCaptureMs: 1_000, rowsRead: 2 });
});

test('keeps its rhythm and its last reading when its settings are saved again', () => {
  const { clock, panel: previous } = panelAt();
  for (const timeMs of [0, 600_000, 1_200_000, 1_800_000]) {
    clock.atMs = timeMs;
    previous.captured(1, 1, 0, timeMs);
  }
  const panel = new SourcePanel({ id: 'log', kind: 'log', place: '/other', clock, previous });
  expect(panel.view).toMatchObject({ lastCaptureMs: 1_800_000, lateAfterMs: 1_800_000, rowsRead: 0, place: '/other' });
});

test('keeps saying why it was lost until data come again, whatever is opened meanwhile', () => {
  const { clock, panel } = panelAt('serial');
  const give = (atMs: number) => {
    clock.atMs = atMs;
    panel.captured(1, 1, 0, atMs);
  };
  for (const atMs of [0, 1000, 2000, 3000]) give(atMs);
  panel.setState('waiting', 'No data for 30 s.', 'Look at the cable.');
  for (let atMs = 34_000; atMs < 100_000; atMs += 34_000) {
    clock.atMs = atMs;
    panel.setState('starting', '', '');
    panel.setState('running', '', '');
    expect(panel.view).toMatchObject({ health: 'gone', message: 'No data for 30 s.', hint: 'Look at the cable.' });
    panel.setState('waiting', 'No data for 30 s.', 'Look at the cable.');
  }
  panel.setState('running', '', '');
  give(101_000);
  expect(panel.view.health).toBe('gone');
  give(102_000);
  expect(panel.view).toMatchObject({ health: 'giving', message: '', hint: '' });
});
