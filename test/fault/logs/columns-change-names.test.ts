// Row 54 where lines name their own values: a name that comes later is a new channel, from its very line on; another unit
// under a known name is a question.
import { expect, test } from 'vitest';
import { HeldDesk } from '../../../src-main/sources/log/follow/held-desk.ts';
import { openLogRig } from '../../support/logs/log-rig.ts';

function begin() {
  const held = new HeldDesk();
  return { ...openLogRig({ held }), held };
}

test('a pair that comes later begins its channel at its line, over kills, each value once', async () => {
  const { writer, reader } = begin();
  const line = (second: number, rest: string) => `2026-11-20T10:15:0${second}Z ${rest}\n`;
  await writer.append('log.txt', line(0, 'T=1 P=2') + line(1, 'P=4 T=3'));
  await reader.look();
  await writer.append('log.txt', line(2, 'T=5 P=6 F=7') + line(3, 'T=8 note=ok P=9'));
  await reader.lookAndDie('before');
  await reader.look();
  await reader.kill();
  await writer.append('log.txt', line(4, 'F=10 G=11 T=12 P=13'));
  await reader.look();
  await reader.look();
  expect(reader.sink.values('T')).toEqual([1, 3, 5, 8, 12]);
  expect(reader.sink.values('P')).toEqual([2, 4, 6, 9, 13]);
  expect(reader.sink.values('F')).toEqual([7, 10]);
  expect(reader.sink.values('G')).toEqual([11]);
  expect(reader.sink.refusedCount).toBe(0);
});

test('a channel that is written for the first time is taken up by itself, also in a drain', async () => {
  const { writer, reader } = begin();
  const rows = (names: string[], from: number) =>
    names.map((name, index) => `2026-11-20 10:15:${10 + from + index};${name};${from + index};mbar\n`).join('');
  await writer.append('log.csv', `Time;Tag;Value;Unit\n${rows(['A', 'B', 'A', 'B', 'A', 'B'], 0)}`);
  await reader.look();
  await writer.append('log.csv', rows(['C', 'A', 'C', 'D'], 6));
  await reader.look();
  await reader.look();
  expect(reader.sink.values('A')).toEqual([0, 2, 4, 7]);
  expect(reader.sink.values('C')).toEqual([6, 8]);
  expect(reader.sink.values('D')).toEqual([9]);
  expect(reader.sink.declared.get('C')?.unit).toBe('mbar');
  expect(reader.sink.refusedCount).toBe(0);
});

test('a log with one channel so far does not mix the second one with it', async () => {
  const { writer, reader } = begin();
  await writer.append('log.csv', 'time,tag,value\n2026-11-20 10:15:00,T1,600\n2026-11-20 10:15:01,T1,601\n');
  await reader.look();
  await writer.append('log.csv', '2026-11-20 10:15:02,P1,5\n2026-11-20 10:15:02,T1,602\n');
  await reader.look();
  await reader.look();
  expect(reader.sink.values('T1')).toEqual([600, 601, 602]);
  expect(reader.sink.values('P1')).toEqual([5]);
});

test('another unit under a known name stops the file, and is a question', async () => {
  const { writer, reader, held } = begin();
  const row = (second: number, name: string, unit: string) =>
    `2026-11-20 10:15:${10 + second};${name};${second};${unit}\n`;
  const before = `Time;Tag;Value;Unit\n${[0, 1, 2, 3].map((n) => row(n, n % 2 ? 'A' : 'B', 'mbar')).join('')}`;
  await writer.append('log.csv', before);
  await reader.look();
  await writer.append('log.csv', [4, 5, 6, 7].map((n) => row(n, n % 2 ? 'A' : 'B', 'Pa')).join(''));
  await reader.look();
  expect(reader.sink.values('A')).toEqual([1, 3]);
  expect(held.list()).toMatchObject([{ code: 'log.columns-changed', byte: before.length }]);
  const given = held.answer('log.csv', { answer: 'accept' }, async () => undefined);
  await reader.look();
  await given;
  expect(reader.sink.values('A')).toEqual([1, 3, 5, 7]);
  expect(reader.sink.declared.get('A')?.unit).toBe('Pa');
});
