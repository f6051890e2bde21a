import { expect, test } from 'vitest';
import { type Choice, rowsOf } from '../../../../../src-renderer/features/catalogue/entry-rows.ts';
import { setZoneInForce } from '../../../../../src-renderer/format/time-zone.ts';
import type { Entry } from '../../../../../src-renderer/state/catalogue.ts';

const all: Choice = { from: '', to: '', tool: '', sample: '', order: 'uploaded' };

function entry(dataId: string, tool: string, source: string, start: string, words: string, sample = ''): Entry {
  return {
    ...{ dataId, name: `${tool} ${source} ${start} ${words} nonce`, type: 'tool_state', status: 'success' },
    ...{ uploadedMs: Date.parse(`${start.replace(' ', 'T')}Z`), accessedMs: null, sampleId: null },
    ...{ sampleName: sample || null, tags: [], projects: [], made: { tool, source, start, words } },
  };
}

const entries = [
  entry('a', 'MBE-1', 'tool-log', '2026-11-23 04:05:55', 'G3-120', 'S-9'),
  entry('b', 'MBE-2', 'tool-log', '2026-11-22 04:05:55', 'G3-120'),
  entry('c', 'MBE-1', 'camera', '2026-11-23 04:06:00', 'G3-120'),
  entry('d', 'MBE-1', 'tool-log', '2026-11-20 04:05:55', ''),
  entry('e', 'MBE-1', 'tool-log', '2026-10-01 04:05:55', 'G3-120'),
];

const told = (choice: Partial<Choice>) =>
  rowsOf(entries, { ...all, ...choice }).map((row) =>
    row.kind === 'growth' ? `growth of ${row.entries.length}` : `${row.isInGrowth ? '  ' : ''}${row.entry.dataId}`,
  );

test('entries of one growth stand together, of one tool and one time, whatever others are called so', () => {
  expect(told({})).toEqual(['growth of 2', '  a', '  c', 'b', 'd', 'e']);
});

test('days, tool and sample choose, the first and the last day included', () => {
  expect(told({ from: '2026-11-22', to: '2026-11-23' })).toEqual(['growth of 2', '  a', '  c', 'b']);
  expect(told({ tool: 'mbe-2' })).toEqual(['b']);
  expect(told({ sample: 's-9' })).toEqual(['a']);
  expect(told({ from: '2026-11-24' })).toEqual([]);
});

test('the day of an upload is that of the zone of the page', () => {
  setZoneInForce('Asia/Tokyo');
  const late = { ...entry('f', '', '', '2026-11-23 20:00:00', ''), made: null };
  const found = (from: string) => rowsOf([late], { ...all, from }).length;
  expect([found('2026-11-24'), found('2026-11-25')]).toEqual([1, 0]);
  setZoneInForce('UTC');
  expect(found('2026-11-24')).toBe(0);
});

test('an order is that of its word, and what says nothing comes last', () => {
  expect(told({ order: 'started' })).toEqual(['growth of 2', '  c', '  a', 'b', 'd', 'e']);
  expect(told({ order: 'tool' }).at(-1)).toBe('b');
  expect(told({ order: 'sample' })[1]).toBe('  a');
});
