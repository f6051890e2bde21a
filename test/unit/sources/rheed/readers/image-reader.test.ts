// Folders of images as people and cameras leave them: real files, one look after the other.
import { copyFileSync, cpSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ImageReader } from '../../../../../src-main/sources/rheed/readers/image-reader.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

let pictures = 0;
/** A picture that no other equals. */
function picture(): Buffer {
  pictures += 1;
  return Buffer.from(
    Uint8Array.from({ length: 500 }, (_, at) => (at * 31 + pictures * 7 + ((at * pictures) % 251)) % 256),
  );
}

interface Folder {
  readonly path: string;
  /** Write images; each is a tenth of a second younger than the last. */
  write(names: readonly string[], bytes?: Buffer, isOneMoment?: boolean): void;
  /** What a look gives: the numbers, with the run where it is not the first. */
  look(): Promise<(number | null)[]>;
  /** Let time pass before the next image. */
  pass(ms: number): void;
  readonly reader: ImageReader;
  again(): Folder;
}

function open(
  path = tempFolder('images'),
  match = '**/*_{frame}.bmp',
  state?: unknown,
  beginMs = Date.now() - 3_600_000,
): Folder {
  // A look is due to walk each time: what the system tells of changes comes when it likes.
  let [nowMs, writtenMs] = [beginMs, beginMs];
  const reader = new ImageReader({
    ...{ path, match, timeFormat: null, timeZone: 'UTC', state },
    monotonicMs: () => nowMs,
  });
  return {
    path,
    reader,
    write(names, bytes, isOneMoment = false) {
      for (const name of names) {
        const file = join(path, name);
        mkdirSync(join(file, '..'), { recursive: true });
        writeFileSync(file, bytes ?? picture());
        if (!isOneMoment) writtenMs += 100;
        utimesSync(file, writtenMs / 1000, writtenMs / 1000);
      }
    },
    async look() {
      nowMs = Math.max(nowMs, writtenMs) + 20_000;
      writtenMs = nowMs;
      return (await reader.look(nowMs)).filter(({ isBaseline }) => !isBaseline).map(({ number }) => number);
    },
    pass(ms) {
      writtenMs += ms;
    },
    again() {
      reader.close();
      return open(path, match, JSON.parse(JSON.stringify(reader.state())), nowMs);
    },
  };
}

const names = (from: number, to: number, head = 'a_', width = 4) =>
  Array.from({ length: to - from + 1 }, (_, at) => `${head}${String(from + at).padStart(width, '0')}.bmp`);

test('counts new files at any depth, but none that the first look finds', async () => {
  const folder = open();
  folder.write([...names(0, 5), ...names(0, 3, 'old/b_')]);
  expect(await folder.look()).toEqual([]);
  folder.write([...names(6, 8), ...names(0, 1, '260215-2/image_001/c_')]);
  expect(await folder.look()).toEqual([6, 7, 8, 0, 1]);
  expect(await folder.look()).toEqual([]);
});

test('counts a restarted camera that overwrites its files, but not the old files that lie ahead', async () => {
  const folder = open();
  await folder.look();
  folder.write(names(0, 99));
  expect(await folder.look()).toHaveLength(100);
  // Told by the system when it likes, or found by asking for the first numbers again.
  const rewrite = async (from: number, to: number) => {
    folder.write(names(from, to));
    const seen: (number | null)[] = [];
    for (let looks = 0; looks < 6000 && seen.length < to - from + 1; looks++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      seen.push(...(await folder.look()));
    }
    return seen;
  };
  folder.pass(60_000);
  expect(await rewrite(0, 9)).toEqual(Array.from({ length: 10 }, (_, at) => at));
  expect(await rewrite(10, 12)).toEqual([10, 11, 12]);
  folder.write(names(100, 100));
  expect(await folder.look()).toEqual([100]);
});

test('does not count an old image that is edited', async () => {
  const folder = open();
  await folder.look();
  folder.write(names(0, 600));
  await folder.look();
  folder.write(names(400, 400));
  expect(await folder.look()).toEqual([]);
  folder.write(names(601, 602));
  expect(await folder.look()).toEqual([601, 602]);
});

test('reports a copied folder and does not count it, with its times or with new ones', async () => {
  const folder = open();
  await folder.look();
  folder.write(names(0, 9, 'run/a_'));
  await folder.look();
  cpSync(join(folder.path, 'run'), join(folder.path, 'run - Copy'), { recursive: true, preserveTimestamps: true });
  mkdirSync(join(folder.path, 'backup'));
  for (const name of readdirSync(join(folder.path, 'run'))) {
    copyFileSync(join(folder.path, 'run', name), join(folder.path, 'backup', name));
  }
  expect(await folder.look()).toEqual([]);
  expect(folder.reader.takeEvents().map(({ text }) => text)).toEqual([
    'run - Copy/a_{frame}.bmp is a copy of run/a_{frame}.bmp and is not counted',
    'backup/a_{frame}.bmp is a copy of run/a_{frame}.bmp and is not counted',
  ]);
  folder.write(names(10, 11, 'run/a_'));
  expect(await folder.look()).toEqual([10, 11]);
});

test('dark pictures are alike and no copies: a second run of them counts', async () => {
  const folder = open();
  await folder.look();
  const dark = Buffer.alloc(5000, 3);
  folder.write(names(0, 3, 'run1/a_'), dark);
  expect(await folder.look()).toHaveLength(4);
  folder.write(names(0, 3, 'run2/a_'), dark);
  expect(await folder.look()).toHaveLength(4);
});

test('numbers wider than their width, and numbers out of order, are counted once each', async () => {
  const folder = open();
  await folder.look();
  folder.write([...names(9997, 9999), 'a_10000.bmp', 'a_10002.bmp']);
  expect(await folder.look()).toEqual([9997, 9998, 9999, 10_000, 10_002]);
  folder.write(['a_10001.bmp', 'a_10003.bmp']);
  expect(await folder.look()).toEqual([10_001, 10_003]);
  expect(await folder.look()).toEqual([]);
});

test('files of one moment continue the recording before they restart it', async () => {
  const folder = open();
  await folder.look();
  folder.write(names(9990, 9997));
  expect(await folder.look()).toHaveLength(8);
  folder.write(['a_9998.bmp', 'a_9999.bmp', 'a_0000.bmp', 'a_0001.bmp'], undefined, true);
  expect(await folder.look()).toEqual([9998, 9999, 0, 1]);
});

test('frames that came while the agent was away are counted once it is back, those from before are not again', async () => {
  let folder = open();
  folder.write(names(0, 9, 'old/x_'));
  await folder.look();
  folder.write(names(0, 9));
  expect(await folder.look()).toHaveLength(10);
  folder.write([...names(10, 14), ...names(0, 2, 'new/b_')]);
  folder = folder.again();
  expect(await folder.look()).toEqual([10, 11, 12, 13, 14, 0, 1, 2]);
  rmSync(join(folder.path, 'old'), { recursive: true });
  folder = folder.again();
  expect(await folder.look()).toEqual([]);
});

test('times in names are read in the zone of the settings, and given beside the time of arrival', async () => {
  const path = tempFolder('timed');
  const nowMs = Date.UTC(2025, 11, 22, 14, 40);
  const reader = new ImageReader({
    ...{
      path,
      match: 'image_{time}.pgm',
      timeFormat: 'yyyy-MM-dd___HH-mm-ss.SSS',
      timeZone: 'Europe/Berlin',
      state: undefined,
    },
    monotonicMs: () => 0,
  });
  await reader.look(nowMs - 1000);
  writeFileSync(join(path, 'image_2025-12-22___15-39-59.500.pgm'), picture());
  let [sighting] = await reader.look(nowMs);
  while (!sighting) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    [sighting] = await reader.look(nowMs);
  }
  expect(sighting).toMatchObject({ ownMs: nowMs - 500, atMs: nowMs - 500, number: null });
  reader.close();
});
