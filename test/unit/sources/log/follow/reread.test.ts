// What the queue has lost is read again from the file, once, whatever the settings say of old data.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LogReader } from '../../../../support/logs/log-reader.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const rows = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `${1_790_000_000 + from + i},${from + i}\n`).join('');
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** A log of which rows 6 to 15 were read; rows 1 to 5 were there before anybody looked. */
async function open() {
  const path = tempFolder('reread');
  const log = join(path, 'log.csv');
  const head = `time,v\n${rows(1, 5)}`;
  writeFileSync(log, head);
  const reader = new LogReader({ path, match: '*.csv', backfill: 'from-now' });
  await reader.look();
  appendFileSync(log, rows(6, 15));
  await reader.look();
  await reader.kill();
  const values = () => reader.sink.values('v');
  expect(values()).toEqual(numbers(6, 15));
  const [key = ''] = [...reader.sink.kept.keys()].filter((one) => one.startsWith('log.csv'));
  const byteOf = (row: number) => `time,v\n${rows(1, row - 1)}`.length;
  const lose = (from: number, to: number) =>
    reader.sink.kept.set('@reread', JSON.stringify({ isNoted: false, pieces: [[key, byteOf(from), byteOf(to + 1)]] }));
  return { log, reader, values, lose };
}

test('pieces that are lost are read again, and nothing else that is unread', async () => {
  const { log, reader, values, lose } = await open();
  lose(8, 12);
  appendFileSync(log, rows(16, 18));
  await reader.look();
  await reader.look();
  expect(values()).toEqual([...numbers(6, 15), ...numbers(16, 18), ...numbers(8, 12)]);
  expect(reader.sink.captures.at(-2)?.origin ?? reader.sink.captures.at(-1)?.origin).toBe('backfill');
  expect(reader.sink.kept.has('@reread')).toBe(false);
  await reader.kill();
  await reader.look();
  expect(values()).toHaveLength(10 + 3 + 5);
});

test('a kill at any commit reads nothing a second time and leaves nothing out', async () => {
  for (let commits = 0; commits < 6; commits++) {
    const { reader, values, lose } = await open();
    lose(8, 12);
    let left = commits;
    reader.sink.beforeCapture = () => {
      left -= 1;
      if (left < 0) throw new Error('killed');
    };
    await reader.look().catch(() => undefined);
    await reader.kill().catch(() => undefined);
    reader.sink.beforeCapture = () => undefined;
    await reader.look();
    await reader.look();
    expect(values(), `${commits} commits`).toEqual([...numbers(6, 15), ...numbers(8, 12)]);
    await reader.kill();
  }
});
