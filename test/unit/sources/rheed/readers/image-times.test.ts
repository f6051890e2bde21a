// Images whose names carry a time and no number: each counts once, however often a walk meets its name again.
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { Sequence } from '../../../../../src-main/sources/rheed/count/sequence.ts';
import { ImageReader } from '../../../../../src-main/sources/rheed/readers/image-reader.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const BEGIN_MS = 1_790_000_000_000;
const nameOf = (ms: number) =>
  `image_${new Date(ms).toISOString().slice(0, 23).replace('T', '_').replaceAll(':', '-')}.pgm`;

/** Images from a moment on, a frame each 10 ms. */
function write(path: string, beginMs: number, frames: number): void {
  mkdirSync(path, { recursive: true });
  for (let at = 0; at < frames; at++) {
    const ms = beginMs + at * 10;
    const file = join(path, nameOf(ms));
    writeFileSync(file, randomBytes(100));
    utimesSync(file, ms / 1000, ms / 1000);
  }
}

/** A reader each look of which walks through the folder; gives how many frames a look counts. */
function open(path: string, state?: unknown) {
  let nowMs = 0;
  const reader = new ImageReader({
    ...{ path, match: '**/image_{time}.pgm', timeFormat: 'yyyy-MM-dd_HH-mm-ss.SSS', timeZone: 'UTC', state },
    monotonicMs: () => nowMs,
  });
  onTestFinished(() => reader.close());
  const look = async (atMs: number) => {
    nowMs += 20_000;
    return (await reader.look(atMs)).filter(({ isBaseline }) => !isBaseline).length;
  };
  return { look, reader };
}

test('what was there at the first look is not counted by a later one', async () => {
  const path = tempFolder('timed');
  write(path, BEGIN_MS, 100);
  const { look } = open(path);
  expect(await look(BEGIN_MS + 1000)).toBe(0);
  expect(await look(BEGIN_MS + 16_000)).toBe(0);
  write(path, BEGIN_MS + 16_000, 3);
  expect(await look(BEGIN_MS + 17_000)).toBe(3);
});

test('a walk after a pause counts none again, though the last look found its frames later than the one 10 s before', async () => {
  const path = tempFolder('timed');
  const { look } = open(path);
  expect(await look(BEGIN_MS)).toBe(0);
  write(path, BEGIN_MS, 300);
  expect(await look(BEGIN_MS + 3001)).toBe(300);
  write(path, BEGIN_MS + 10_000, 280);
  expect(await look(BEGIN_MS + 13_200)).toBe(280);
  expect(await look(BEGIN_MS + 23_400)).toBe(0);
  expect(await look(BEGIN_MS + 38_400)).toBe(0);
});

test('what was counted before a restart is not counted after it, and what came meanwhile is', async () => {
  const path = tempFolder('timed');
  const before = open(path);
  expect(await before.look(BEGIN_MS)).toBe(0);
  write(path, BEGIN_MS, 300);
  expect(await before.look(BEGIN_MS + 3001)).toBe(300);
  before.reader.close();
  write(path, BEGIN_MS + 4000, 7);
  const { look } = open(path, JSON.parse(JSON.stringify(before.reader.state())));
  expect(await look(BEGIN_MS + 6000)).toBe(7);
  expect(await look(BEGIN_MS + 21_000)).toBe(0);
});

test.each([
  ['put elsewhere', (from: string, to: string) => renameSync(from, to), 'now/image_{time}.pgm under a new name and'],
  [
    'copied, with its times',
    (from: string, to: string) => cpSync(from, to, { recursive: true, preserveTimestamps: true }),
    'a copy of now/image_{time}.pgm and',
  ],
  [
    'copied, with new times',
    (from: string, to: string) => cpSync(from, to, { recursive: true }),
    'a copy of now/image_{time}.pgm and',
  ],
])('a folder that is %s is told and not counted again, also behind a restart', async (_, put, why) => {
  const path = tempFolder('timed');
  const first = open(path);
  expect(await first.look(BEGIN_MS)).toBe(0);
  write(join(path, 'now'), BEGIN_MS, 20);
  expect(await first.look(BEGIN_MS + 3001)).toBe(20);
  put(join(path, 'now'), join(path, 'run-1'));
  const told = `run-1/image_{time}.pgm is ${why} is not counted`;
  expect(await first.look(BEGIN_MS + 18_000)).toBe(0);
  expect(first.reader.takeEvents().map(({ text }) => text.replace(/ again$/, ''))).toEqual([told]);
  const second = open(path, JSON.parse(JSON.stringify(first.reader.state())));
  expect(await second.look(BEGIN_MS + 38_000)).toBe(0);
  write(join(path, 'next'), BEGIN_MS + 40_000, 5);
  expect(await second.look(BEGIN_MS + 60_000)).toBe(5);
});

test('each frame counts once, told in any order up to 5 s late and met again by any walk', () => {
  const afterMs = fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: 1, max: 400 }) },
    fc.integer({ min: 2000, max: 12_000 }),
  );
  const frame = fc.record({ afterMs, lateMs: fc.integer({ min: 0, max: 5000 }) });
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 120 }), fc.integer({ min: 10, max: 4000 }), (frames, lookEachMs) => {
      // It is met with the frame that is told first, which need not be the oldest.
      const meet = (first: number) =>
        new Sequence({ name: 'image_{time}.pgm', width: 0, first, last: first - 1, newestMs: 0 }, false);
      let sequence: Sequence | undefined;
      let orderMs = BEGIN_MS;
      const told = frames.map(({ afterMs, lateMs }) => {
        orderMs += afterMs;
        return { orderMs, toldMs: orderMs + lateMs };
      });
      const counted: number[] = [];
      for (let nowMs = BEGIN_MS; nowMs < orderMs + 30_000; nowMs += lookEachMs) {
        const there = told.filter(({ toldMs }) => toldMs <= nowMs);
        for (const one of there) {
          if (sequence && !sequence.isWorthLooking(one.orderMs)) continue;
          sequence ??= meet(one.orderMs);
          if (sequence.accept(one.orderMs, one.orderMs, nowMs)) counted.push(one.orderMs);
        }
      }
      expect(counted.toSorted((a, b) => a - b)).toEqual(told.map((one) => one.orderMs));
    }),
  );
});
