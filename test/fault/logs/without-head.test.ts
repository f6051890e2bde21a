// Logs whose tool names the columns once and keeps its log open: another program copies and cuts it, and it goes on without them.
import { appendFileSync, copyFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLogRig } from '../../support/logs/log-rig.ts';

const HEADER = 'time,T (°C),p (mbar)\n';
const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => `${1_790_000_010 + from + n},${from + n},3.2E-09\n`).join('');
const numbers = (to: number) => Array.from({ length: to }, (_, n) => n);

function start(head = HEADER) {
  const { folder, reader } = openLogRig({ match: 'log.csv' });
  const log = join(folder, 'log.csv');
  writeFileSync(log, head + rows(0, 10));
  return { log, reader };
}

/** The tool writes ten rows more after its log was copied and cut. */
function goOn(log: string, from: number): void {
  copyFileSync(log, `${log}.1`);
  truncateSync(log);
  appendFileSync(log, rows(from, from + 10));
}

test('a log that goes on without its head keeps its channels and units, cut after cut', async () => {
  const { log, reader } = start();
  await reader.look();
  goOn(log, 10);
  await reader.look();
  await reader.look();
  goOn(log, 20);
  await reader.look();
  await reader.look(3000);
  expect(reader.sink.channels).toEqual(['T', 'p']);
  expect(reader.sink.values('T')).toEqual(numbers(30));
  expect([...reader.sink.declared.values()].map(({ unit }) => unit)).toEqual(['°C', 'mbar']);
  expect(reader.sink.notes.get('log.names-of-former')?.message).toContain('log.csv');
});

test('and so it does where it was cut while nobody looked', async () => {
  const { log, reader } = start();
  await reader.look();
  await reader.kill();
  goOn(log, 10);
  await reader.look();
  await reader.look(3000);
  expect(reader.sink.channels).toEqual(['T', 'p']);
  expect(reader.sink.values('T')).toEqual(numbers(20));
});

test.each([
  ['another number of columns', '1790000100,1\n1790000101,2\n1790000102,3\n'],
  ['stamps of another form', '2026-09-21 15:00:00,1,2\n2026-09-21 15:00:01,2,3\n2026-09-21 15:00:02,3,4\n'],
  ['names of its own', 'time,flow,rate\n1790000100,1,2\n1790000101,2,3\n1790000102,3,4\n'],
])('a log with %s is not given the names of the one before', async (_, text) => {
  const { log, reader } = start();
  await reader.look();
  writeFileSync(log, text);
  await reader.look();
  await reader.look(3000);
  expect(reader.sink.values('T')).toEqual(numbers(10));
  expect(reader.sink.notes.has('log.names-of-former')).toBe(false);
});

test('a log that never had names keeps none', async () => {
  const { log, reader } = start('');
  await reader.look();
  goOn(log, 10);
  await reader.look();
  await reader.look(3000);
  expect(reader.sink.channels).toEqual(['column 2', 'column 3']);
  expect(reader.sink.notes.has('log.names-of-former')).toBe(false);
});
