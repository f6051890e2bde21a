import { expect, test } from 'vitest';
import { judgeReady, type ReadyParts } from '../../../../src-main/agent/status/ready.ts';
import type { RunningGrowth } from '../../../../src-main/contract/growth.ts';
import type { ServiceView, StoreView } from '../../../../src-main/contract/snapshot.ts';
import { NOW_MS, sourceView } from '../../../support/facts.ts';

const service: ServiceView = {
  ...{
    address: 'https://s',
    isEmbedded: false,
    state: 'connected',
    pausedSinceMs: null,
    needsKey: false,
    message: '',
    hint: '',
  },
  ...{ sinceMs: NOW_MS, nextTryMs: null },
};
const store: StoreView = {
  ...{
    state: 'ok',
    message: '',
    hint: '',
    path: '/q',
    waitingPoints: 0,
    keepsUp: true,
    fileBytes: 1,
    freeBytes: 1e9,
  },
  ...{ bytesPerHour: 1, hoursToFull: 900, fill: 'filling', fillText: 'The buffer lasts about 37 days.' },
};
const growth: RunningGrowth = {
  ...{ id: 'g', name: 'A', sampleId: 's', newSampleName: null, projectId: null, startedMs: 1, startCause: 'by hand' },
  ...{ endedMs: null, endCause: '', state: 'running', askedMs: null, changeBecomes: 'same-streams' },
  ...{ waits: [], problems: [] },
};
const sources = [
  sourceView({ id: 'log', lastCaptureMs: NOW_MS - 3000 }),
  sourceView({ id: 'camera', kind: 'rheed', lastCaptureMs: NOW_MS - 1000 }),
];
const well: ReadyParts = {
  nowMs: NOW_MS,
  facts: { isClockPlausible: true, timeZone: 'Europe/Berlin', synthSourceId: 7 },
  ...{ service, sources, store, growth },
  awake: { isWanted: true, problem: null },
};

const rowOf = (parts: Partial<ReadyParts>, id: string) => {
  const found = judgeReady({ ...well, ...parts }).find((row) => row.id === id);
  return `${found?.state}: ${found?.reason}`;
};

test('all is well: eight rows in their order, each with a sentence', () => {
  const rows = judgeReady(well);
  expect(rows.map(({ id }) => id)).toEqual([
    'log',
    'clock',
    'key',
    'instrument',
    'sample',
    'buffer',
    'counter',
    'awake',
  ]);
  expect(rows.map(({ state }) => state)).toEqual(rows.map(() => 'ok'));
  for (const { reason } of rows) expect(reason).toMatch(/^\S.*\.$/);
  expect(rows[0]?.reason).toBe('log was written 3 s ago.');
});

test('a log that is silent warns, one that cannot be read is missing, none is none', () => {
  const log = (more: Parameters<typeof sourceView>[0]) => rowOf({ sources: [sourceView(more)] }, 'log');
  expect(log({ lastCaptureMs: NOW_MS - 600_000, health: 'silent' })).toBe('warn: log was last written 10 min ago.');
  expect(log({ lastCaptureMs: null })).toMatch(/^warn: Nothing has come from log/);
  expect(log({ state: 'waiting', message: 'There is no folder.' })).toBe(
    'missing: Source log is not recorded: There is no folder.',
  );
  expect(rowOf({ sources: [] }, 'log')).toMatch(/^none: /);
  expect(rowOf({ sources: [] }, 'counter')).toMatch(/^none: /);
});

test('a PC that may fall asleep warns with the reason, also where the settings let it', () => {
  expect(rowOf({ awake: { isWanted: true, problem: 'cat ended with 1.' } }, 'awake')).toMatch(
    /^warn: .*cat ended with 1\./,
  );
  expect(rowOf({ awake: { isWanted: false, problem: null } }, 'awake')).toMatch(/^none: .*keep_awake: false/);
});

test('clock, key, instrument and buffer: what is not known is never called well', () => {
  expect(rowOf({ facts: { ...well.facts, isClockPlausible: false } }, 'clock')).toMatch(/^missing: /);
  const note = { level: 'warning', code: 'log.tool-clock', message: 'The tool is 3 min behind.', hint: '' } as const;
  expect(rowOf({ sources: [sourceView({ notes: [note] })] }, 'clock')).toBe('warn: The tool is 3 min behind.');
  expect(rowOf({ service: { ...service, needsKey: true, state: 'held', message: 'No key.' } }, 'key')).toBe(
    'missing: No key.',
  );
  expect(rowOf({ service: { ...service, state: 'unknown' } }, 'key')).toMatch(/^warn: /);
  expect(rowOf({ service: { ...service, state: 'offline', message: 'Away.' } }, 'key')).toMatch(
    /^warn: .*the service card says why\.$/,
  );
  expect(rowOf({ service: { ...service, isEmbedded: true, state: 'unknown' } }, 'key')).toMatch(/^ok: /);
  expect(rowOf({ facts: { ...well.facts, synthSourceId: null } }, 'instrument')).toMatch(/^warn: /);
  expect(rowOf({ store: { ...store, state: 'failing', message: 'The disk is full.' } }, 'buffer')).toMatch(
    /^missing: .*full/,
  );
  expect(rowOf({ store: { ...store, fill: 'short' } }, 'buffer')).toMatch(/^warn: /);
});

test('a sample is chosen, waits to be made, or is missing; a question after a restart comes first', () => {
  expect(rowOf({ growth: null }, 'sample')).toMatch(/^none: /);
  expect(rowOf({ growth: { ...growth, sampleId: null } }, 'sample')).toMatch(/^missing: /);
  const waits = [{ message: 'The sample "G3" is made with a session.', hint: '' }];
  expect(rowOf({ growth: { ...growth, sampleId: null, newSampleName: 'G3', waits } }, 'sample')).toMatch(
    /^warn: .*"G3"/,
  );
  expect(rowOf({ growth: { ...growth, newSampleName: 'G3' } }, 'sample')).toMatch(/^ok: .*"G3"/);
  expect(rowOf({ growth: { ...growth, state: 'asks' } }, 'sample')).toMatch(/^warn: .*restarted/);
});
