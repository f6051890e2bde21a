// Folders of images as people leave them: renamed, copied, restarted, with the agent away. Each frame counts once.
import { cpSync, linkSync, mkdirSync, renameSync, rmSync, utimesSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { BEGIN_MS, images, name, picture, range } from '../../../../support/rheed/watched-frames.ts';

test('does not count higher numbers of a previous recording after a restart of the agent', async () => {
  const { counted, write, pass, away } = images();
  await counted();
  for (const at of range(0, 99)) write(name(at), picture());
  expect(await counted()).toBe(100);
  pass(60_000);
  for (const at of range(0, 9)) write(name(at), picture());
  for (let looks = 0; looks < 3; looks++) await counted();
  expect(await counted()).toBe(110);
  away()();
  await counted();
  expect(await counted()).toBe(110);
});

test('a recording that had been written over an older one is not counted from the first look on', async () => {
  const { counted, write } = images();
  for (const at of range(0, 99)) write(name(at), picture());
  for (const at of range(0, 9)) write(name(at), picture());
  expect(await counted()).toBe(0);
  for (let looks = 0; looks < 3; looks++) expect(await counted()).toBe(0);
});

test('a folder that gets another name is not counted again, also one that is not among the newest eight', async () => {
  const { counted, write, file } = images();
  for (let run = 0; run < 10; run++) for (const at of range(0, 4)) write(`run${run}/${name(at)}`, picture());
  expect(await counted()).toBe(0);
  renameSync(file('run0'), file('old0'));
  expect(await counted()).toBe(0);
});

const nameOf = (ms: number) =>
  `image_${new Date(ms).toISOString().slice(0, 23).replace('T', '_').replaceAll(':', '-')}.pgm`;
const FORMAT = 'yyyy-MM-dd_HH-mm-ss.SSS';

const both = (at: number, ms: number) => `${String(at).padStart(4, '0')}_${nameOf(ms + at * 33)}`;

test('with number and time: does not count leftovers of a longer recording after a restart', async () => {
  const { counted, reach, write, away, now } = images('{frame}_image_{time}.pgm', FORMAT);
  await counted();
  for (const at of range(0, 99)) write(both(at, BEGIN_MS), picture());
  expect(await counted()).toBe(100);
  for (const at of range(0, 9)) write(both(at, now() + 60_000), picture());
  expect(await reach(110)).toBe(110);
  away()();
  await counted();
  expect(await counted()).toBe(110);
});

test('frames that came between the last look and a new name of their folder are counted', async () => {
  const { counted, write, file } = images();
  await counted();
  for (const at of range(0, 5)) write(`now/${name(at)}`, picture());
  expect(await counted()).toBe(6);
  for (const at of range(6, 8)) write(`now/${name(at)}`, picture());
  renameSync(file('now'), file('run-1'));
  await counted();
  expect(await counted()).toBe(9);
});

test('a recording that goes on in its folder under another name counts on', async () => {
  const { counted, write, file } = images();
  await counted();
  for (const at of range(0, 5)) write(`now/${name(at)}`, picture());
  expect(await counted()).toBe(6);
  renameSync(file('now'), file('run-1'));
  expect(await counted()).toBe(6);
  for (const at of range(6, 8)) write(`run-1/${name(at)}`, picture());
  await counted();
  expect(await counted()).toBe(9);
});

test('a copy of a folder whose first images are dark is not counted', async () => {
  const { counted, write, file } = images();
  await counted();
  const dark = Buffer.alloc(5000, 3);
  for (const at of range(0, 2)) write(`run/${name(at)}`, dark);
  for (const at of range(3, 9)) write(`run/${name(at)}`, picture());
  expect(await counted()).toBe(10);
  cpSync(file('run'), file('run - Copy'), { recursive: true, preserveTimestamps: true });
  await counted();
  expect(await counted()).toBe(10);
});

test('dark bitmaps of 256 greys are alike and no copies: a second run of them counts', async () => {
  const { counted, write } = images();
  await counted();
  const dark = Buffer.alloc(1078 + 160 * 120);
  for (let grey = 0; grey < 256; grey++) dark.fill(grey, 54 + 4 * grey, 57 + 4 * grey);
  for (const at of range(0, 3)) write(`run1/${name(at)}`, dark);
  expect(await counted()).toBe(4);
  for (const at of range(0, 3)) write(`run2/${name(at)}`, dark);
  expect(await counted()).toBe(8);
});

test('numbers without leading zeros: frames of a camera that restarts while the agent is away count', async () => {
  const { counted, write, pass, away } = images('img{frame}.bmp');
  for (const at of range(0, 50)) write(`img${at}.bmp`, picture());
  await counted();
  for (const at of range(51, 60)) write(`img${at}.bmp`, picture());
  expect(await counted()).toBe(10);
  const back = away();
  pass(60_000);
  for (const at of range(0, 19)) write(`img${at}.bmp`, picture());
  back();
  for (let looks = 0; looks < 3; looks++) await counted();
  expect(await counted()).toBe(30);
});

test('watches a folder that is recreated under the same name', async () => {
  const { counted, reach, write, file, now } = images();
  mkdirSync(file('now'));
  await counted(1);
  for (const at of range(0, 9)) write(`now/${name(at)}`, picture());
  expect(await reach(10, 1)).toBe(10);
  renameSync(file('now'), file('run-1'));
  mkdirSync(file('now'));
  // What the system tells of the folder itself comes before its files.
  await setTimeout(100);
  expect(await counted(1)).toBe(10);
  for (const at of range(0, 7)) write(`now/${name(at)}`, picture(), now() + 60_000 + at * 33);
  expect(await reach(18)).toBe(18);
});

test('counts a skipped number that comes while the agent is away', async () => {
  const { counted, write, away } = images();
  await counted();
  for (const at of [0, 1, 2, 4, 5]) write(name(at), picture());
  expect(await counted()).toBe(5);
  const back = away();
  write(name(3), picture());
  back();
  await counted();
  expect(await counted()).toBe(6);
});

test('where watching begins in the hour that comes twice, frames count at once', async () => {
  const changeMs = Date.UTC(2026, 9, 25, 1);
  const local = (ms: number) => nameOf(ms + 2 * 3_600_000);
  const { counted, write } = images('image_{time}.pgm', FORMAT, 'Europe/Berlin');
  // From 02:05 to 02:40 summer time, an image each minute; the first look is at 02:40.
  const beginMs = changeMs - 55 * 60_000;
  for (const at of range(0, 34)) write(local(beginMs + at * 60_000), picture(), beginMs + at * 60_000);
  void changeMs;
  await counted(0);
  for (const at of range(35, 44)) write(local(beginMs + at * 60_000), picture(), beginMs + at * 60_000);
  expect(await counted(0)).toBe(10);
});

test('a picture beside them whose number is a date takes no frames away after a restart', async () => {
  const { counted, write, away } = images('*_{frame}.bmp');
  await counted();
  for (const at of range(0, 299)) write(name(at), picture());
  write('a_20261122.bmp', picture());
  expect(await counted()).toBe(301);
  for (const at of range(300, 309)) write(name(at), picture());
  expect(await counted()).toBe(311);
  away()();
  for (const at of range(310, 319)) write(name(at), picture());
  await counted();
  expect(await counted()).toBe(321);
});

test('an image that is put into a hidden folder (a trash) is no new frame', async () => {
  const { counted, write, file } = images();
  await counted();
  for (const at of range(0, 9)) write(name(at), picture());
  expect(await counted()).toBe(10);
  mkdirSync(file('.trash'));
  for (const at of range(2, 4)) renameSync(file(name(at)), file(`.trash/${name(at)}`));
  await setTimeout(100);
  expect(await counted()).toBe(10);
});

test('a folder that is moved twice, with a recording under its first name between, is not counted again', async () => {
  const { counted, reach, write, file, pass } = images();
  await counted();
  for (const at of range(0, 5)) write(`now/${name(at)}`, picture());
  expect(await counted()).toBe(6);
  renameSync(file('now'), file('run-1'));
  expect(await counted()).toBe(6);
  pass(60_000);
  for (const at of range(0, 3)) write(`now/${name(at)}`, picture());
  expect(await reach(10)).toBe(10);
  mkdirSync(file('november'));
  renameSync(file('run-1'), file('november/run-1'));
  await counted();
  expect(await counted()).toBe(10);
});

const timed = (ms: number) =>
  `image_${new Date(BEGIN_MS + ms).toISOString().slice(0, 23).replace('T', '_').replaceAll(':', '-')}.pgm`;
const TIMED = ['**/image_{time}.pgm', 'yyyy-MM-dd_HH-mm-ss.SSS'] as const;

test('timed: a recording that goes on in its folder under another name counts on', async () => {
  const { counted, write, file } = images(...TIMED);
  await counted();
  for (const at of range(0, 5)) write(`now/${timed(at * 33)}`, picture());
  expect(await counted()).toBe(6);
  renameSync(file('now'), file('run-1'));
  expect(await counted()).toBe(6);
  for (const at of range(6, 8)) write(`run-1/${timed(60_000 + at * 33)}`, picture());
  await counted();
  expect(await counted()).toBe(9);
});

test('a recording of the same length counts in another folder, though the disk numbers its files as those of a deleted one', async () => {
  const { counted, told, write, file } = images();
  await counted();
  for (let run = 0; run < 4; run++) {
    for (const at of range(0, 9)) write(`run-${run}/${name(at)}`, picture());
    expect(await counted()).toBe(10 * (run + 1));
    rmSync(file(`run-${run}`), { recursive: true });
  }
  expect(told()).toEqual([]);
});

test.each([
  ['a number', () => images(), (at: number) => name(at)],
  ['a time', () => images(...TIMED), (at: number) => timed(at * 33)],
] as const)(
  'images with %s that are put into a folder one after the other are not counted again',
  async (_, open, nameOf) => {
    const { counted, write, file } = open();
    await counted();
    for (const at of range(0, 5)) write(nameOf(at), picture());
    expect(await counted()).toBe(6);
    mkdirSync(file('run-1'));
    const seen = new Set<string | null>();
    const watcher = watch(file('.'), (__, one) => void seen.add(one));
    onTestFinished(() => watcher.close());
    for (const some of [range(0, 2), range(3, 5)]) {
      for (const at of some) renameSync(file(nameOf(at)), file(join('run-1', nameOf(at))));
      // The reader watches the same folder and was told before.
      await vi.waitUntil(() => some.every((at) => seen.has(nameOf(at))), { timeout: 30_000 });
      expect(await counted()).toBe(6);
    }
    expect(await counted()).toBe(6);
  },
);

test.each([
  ['the clock is put back by an hour', range(300, 309), BEGIN_MS + 60_000],
  ['an old picture with a higher number is put beside them', [400], BEGIN_MS - 86_400_000],
])('a recording counts once though %s', async (_, more, sinceMs) => {
  const { counted, write } = images();
  await counted();
  for (const at of range(0, 299)) write(name(at), picture(), BEGIN_MS + 3_600_000 + at * 33);
  expect(await counted()).toBe(300);
  for (const at of more) write(name(at), picture(), sinceMs + at * 33);
  for (let looks = 0; looks < 5; looks++) expect(await counted()).toBe(300 + more.length);
});

test('two cameras that begin in one moment both count, though the clock of their share is behind', async () => {
  const { counted, write, now } = images();
  await counted();
  await counted();
  const beganMs = now() - 5000;
  for (const at of range(0, 9)) {
    for (const head of ['left_', 'right_']) write(name(at, head), picture(), beganMs + at * 33);
  }
  expect(await counted()).toBe(20);
});

test('a renamed folder whose last frame was seen while it was written is not counted again', async () => {
  const { counted, write, file, now } = images();
  await counted();
  for (const at of range(0, 9)) write(`now/${name(at)}`, picture());
  const lastMs = now() + 100;
  expect(await counted()).toBe(10);
  utimesSync(file(`now/${name(9)}`), (lastMs + 90) / 1000, (lastMs + 90) / 1000);
  expect(await counted()).toBe(10);
  renameSync(file('now'), file('run-1'));
  expect(await counted()).toBe(10);
  expect(await counted()).toBe(10);
});

test('a mirror of links beside a recording counts no frame again', async () => {
  const { counted, write, file } = images();
  await counted();
  mkdirSync(file('mirror'));
  for (const frames of [range(0, 5), range(6, 8)]) {
    for (const at of frames) write(`now/${name(at)}`, picture());
    expect(await counted()).toBe((frames.at(-1) as number) + 1);
    for (const at of frames) linkSync(file(`now/${name(at)}`), file(`mirror/${name(at)}`));
    expect(await counted()).toBe((frames.at(-1) as number) + 1);
  }
});

test('counts frames from before a restart, behind skipped numbers, though the system reports them late', async () => {
  const { counted, figures, write, now } = images();
  await counted();
  for (const number of range(9700, 9739)) write(name(number), picture());
  await counted();
  const sinceMs = now();
  for (const [at, number] of [...range(9743, 9999), ...range(0, 5)].entries())
    write(name(number), picture(), sinceMs + at);
  // No walk is due, and the look begins before the system has told anything.
  await counted(100);
  await counted();
  expect(figures()).toMatchObject({ counted: 40 + 257 + 6, rollovers: 1, restarts: 0 });
});
