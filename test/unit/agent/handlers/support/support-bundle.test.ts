import { expect, test } from 'vitest';
import { formatShiftNote } from '../../../../../src-main/agent/handlers/journal/shift-note.ts';
import { cover, hideWebhook } from '../../../../../src-main/agent/handlers/support/support-bundle.ts';

test('covers every digit between quotes, also where the closing quote is missing, and nothing else', () => {
  expect(cover('read "+612.34 K" at line 7, "a b" and "9')).toBe('read "+###.## K" at line 7, "a b" and "#');
  expect(cover('no quotes 612.34')).toBe('no quotes 612.34');
});

test('shows no more of the address of a webhook than its host', () => {
  for (const line of [
    "{ webhook: 'https://h.org:8/s3?k=s3', mail: null }",
    '  webhook: https://h.org:8?k=s3',
    'webhook: https://h.org:8/s3/,x',
  ])
    expect(hideWebhook(line)).toMatch(/webhook: '?https:\/\/h\.org:8\/\(removed\)/);
  expect(hideWebhook("alarm: { webhook: 'https://h.org/s3cret' }\nx: 1")).not.toContain('s3cret');
  expect(hideWebhook('webhook: null\nx: 1')).toBe('webhook: null\nx: 1');
});

test('writes the note of the shift: what was recorded in its hours, what is missing, what needs somebody', () => {
  const nowMs = Date.UTC(2026, 10, 21, 6, 0, 0);
  const hour = 3_600_000;
  const stream = {
    name: 'MBE-1 log',
    pointsStored: 1200,
    pointsAcknowledged: 1100,
    pointsRefused: 50,
    pointsResent: 0,
  };
  const note = formatShiftNote({
    toolName: 'MBE-1',
    timeZone: 'Europe/Berlin',
    nowMs,
    hours: 12,
    waitingPoints: 50,
    streams: [
      { ...stream, lastStoredMs: nowMs - hour },
      { ...stream, name: 'of last week', lastStoredMs: nowMs - 200 * hour },
    ] as never,
    gaps: [
      { sourceId: 'gauge', fromMs: nowMs - 2 * hour, toMs: nowMs - hour, cause: 'unplugged' },
      { sourceId: 'gauge', fromMs: nowMs - 50 * hour, toMs: nowMs - 40 * hour, cause: 'of long ago' },
    ],
    growths: [
      { name: 'G3-120', startedMs: nowMs - 4 * hour, endedMs: null },
      { name: 'of long ago', startedMs: nowMs - 40 * hour, endedMs: nowMs - 30 * hour },
    ],
    notes: [{ timeMs: nowMs - 3 * hour, text: 'As cracker open' }],
    events: [
      { atMs: nowMs - hour, level: 'error', message: 'Line one\nand two.', hint: 'Look.' },
      ...[5, 6, 7].map((hoursAgo) => ({
        ...{ atMs: nowMs - hoursAgo * hour, level: 'warning' },
        ...{ message: `${hoursAgo} frames lost: frames 1 to ${hoursAgo}.`, hint: '' },
      })),
    ],
  });
  expect(note).toContain('2026-11-20 19:00:00 to 2026-11-21 07:00:00 (Europe/Berlin)');
  expect(note).toContain('50 points wait on this PC');
  expect(note).toContain('50 points refused by the service');
  expect(note).toContain('  - MBE-1 log: 1,200 points stored, 1,100 acknowledged');
  expect(note).toContain('  - gauge: 2026-11-21 05:00:00 to 2026-11-21 06:00:00: unplugged');
  expect(note).toContain('  - 2026-11-21 06:00:00 Line one and two. Look.');
  expect(note).toContain('  - G3-120: 2026-11-21 03:00:00 to now');
  expect(note).toContain('  - 2026-11-21 04:00:00 As cracker open');
  // What repeats itself is one line.
  expect(note).toContain(
    '  - 3 times from 2026-11-21 00:00:00 to 2026-11-21 02:00:00, last: 5 frames lost: frames 1 to 5.',
  );
  expect(note).not.toContain('of last week');
  expect(note).not.toContain('of long ago');
});
