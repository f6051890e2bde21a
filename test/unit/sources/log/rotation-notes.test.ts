// What a source says once of the way in which its log is rotated, since no look and no gap can show it.
import { appendFileSync, copyFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LogReader } from '../../../support/logs/log-reader.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const HEADER = 'time,v\n';
const row = (number: number) => `${1_790_000_000 + number},${number}\n`;

test.each([
  ['renaming', (log: string) => renameSync(log, `${log}.1`)],
  [
    'copying',
    (log: string) => {
      copyFileSync(log, `${log}.1`);
      truncateSync(log);
    },
  ],
])('a log that is rotated by %s says so, and what stands in no file', async (way, rotate) => {
  const log = join(tempFolder(), 'log.csv');
  writeFileSync(log, HEADER + row(1) + row(2));
  const reader = new LogReader({ path: join(log, '..'), match: 'log.csv' });
  onTestFinished(() => reader.kill());
  await reader.look();
  const said = () => [...reader.sink.notes.values()].filter(({ code }) => code.startsWith('log.rotated-by'));
  expect(said()).toEqual([]);
  rotate(log);
  appendFileSync(log, HEADER + row(3));
  for (let looks = 0; looks < 5 && said().length === 0; looks++) await reader.look();
  expect(said()).toMatchObject([{ level: 'info', code: `log.rotated-by-${way}`, hint: expect.stringMatching(/./) }]);
  expect(said()[0]?.message).toContain('log.csv');
  expect(reader.sink.values('v')).toEqual([1, 2, 3]);
});

test.each([
  'log.csv.2026-11-25',
  'log.csv.2026-11-25_16-38-07',
  'log.csv-20261125',
  'log.csv.1795624688',
  'log.2026-11.csv',
])('a log that is renamed to %s leaves no hole behind: what was added is a date, no place in a chain', async (name) => {
  const log = join(tempFolder(), 'log.csv');
  writeFileSync(log, HEADER + row(1) + row(2));
  const reader = new LogReader({ path: join(log, '..'), match: 'log.csv' });
  onTestFinished(() => reader.kill());
  await reader.look();
  renameSync(log, join(log, '..', name));
  writeFileSync(log, HEADER + row(3));
  for (let looks = 0; looks < 5; looks++) await reader.look();
  expect(reader.sink.values('v')).toEqual([1, 2, 3]);
  expect([...reader.sink.notes.values()].map(({ code }) => code)).not.toContain('log.rotated-missing');
  expect(reader.sink.gaps).toEqual([]);
});
