// Recordings that get another name, names that are used again, clocks that are put back: a frame is counted once.
import { appendFileSync, copyFileSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FrameTally } from '../../../../../src-main/sources/rheed/count/frame-tally.ts';
import { Sequence } from '../../../../../src-main/sources/rheed/count/sequence.ts';
import type { CounterReader } from '../../../../../src-main/sources/rheed/count/sighting.ts';
import type { Candidate } from '../../../../../src-main/sources/rheed/files/candidate.ts';
import { compileNames } from '../../../../../src-main/sources/rheed/files/name-pattern.ts';
import { addGone } from '../../../../../src-main/sources/rheed/readers/came-and-went.ts';
import { readCounterText } from '../../../../../src-main/sources/rheed/readers/counter-text.ts';
import { ImageReader } from '../../../../../src-main/sources/rheed/readers/image-reader.ts';
import { LineReader } from '../../../../../src-main/sources/rheed/readers/line-reader.ts';
import { MovieReader } from '../../../../../src-main/sources/rheed/readers/movie-reader.ts';
import { ksaFrame } from '../../../../support/rheed/camera-files.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

/** Counts what a reader sees. Each look comes so long after the one before that a walk is due. */
function counting(make: (monotonicMs: () => number, state?: unknown) => CounterReader) {
  let nowMs = Date.now();
  let reader = make(() => nowMs);
  let tally = new FrameTally({ setRate: null, rollsOverAt: null, stallAfterMs: 2000 });
  const counted = async () => {
    nowMs += 20_000;
    tally.take(await reader.look(nowMs), nowMs);
    tally.settle(nowMs);
    return tally.figures().counted;
  };
  const again = () => {
    reader.close();
    const state = JSON.parse(JSON.stringify(reader.state())) as unknown;
    reader = make(() => nowMs, state);
    tally = new FrameTally({ setRate: null, rollsOverAt: null, stallAfterMs: 2000 }, tally.state);
  };
  return { counted, again, now: () => nowMs };
}

const frames = (count: number) => Buffer.concat(Array.from({ length: count }, (_, at) => ksaFrame(8, 6, at)));
const lines = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => `{"frame": ${from + at}}\n`).join('');
const field = readCounterText({ pattern: null, field: 'frame' });

describe('a movie', () => {
  const movies = (path: string) =>
    counting((monotonicMs, state) => new MovieReader({ path, match: '*.imm', fixed: null, monotonicMs, state }));

  test('that gets its name when it is done is not counted again, nor after a restart', async () => {
    const path = tempFolder('renamed');
    const { counted, again } = movies(path);
    await counted();
    const file = join(path, 'recording.imm');
    writeFileSync(file, frames(5));
    expect(await counted()).toBe(5);
    renameSync(file, join(path, 'run-1.imm'));
    expect(await counted()).toBe(5);
    again();
    appendFileSync(join(path, 'run-1.imm'), frames(2));
    expect(await counted()).toBe(7);
    writeFileSync(file, frames(3));
    expect(await counted()).toBe(10);
  });

  test('that makes room for the next one before the first look is not counted again', async () => {
    const path = tempFolder('displaced');
    const { counted } = movies(path);
    await counted();
    const file = join(path, 'recording.imm');
    writeFileSync(file, frames(5));
    expect(await counted()).toBe(5);
    renameSync(file, join(path, 'run-1.imm'));
    writeFileSync(file, frames(4));
    await counted();
    expect(await counted()).toBe(9);
  });

  test('whose name was used long before counts again', async () => {
    const path = tempFolder('recycled');
    const { counted } = movies(path);
    await counted();
    let written = 0;
    for (let round = 0; round < 2; round++) {
      for (let at = 0; at < 6; at++) {
        // Fewer frames than before: the file was rewritten.
        writeFileSync(join(path, `m${at}.imm`), frames(4 - round));
        written += 4 - round;
        expect(await counted()).toBe(written);
      }
    }
  });
});

describe('a log', () => {
  const logs = (path: string) =>
    counting(
      (monotonicMs, state) => new LineReader({ path, match: '**/*', text: field, kind: 'each', monotonicMs, state }),
    );

  test('that is rotated by its name is not counted again, and its last lines are read', async () => {
    const path = tempFolder('rotated');
    const { counted, again } = logs(path);
    await counted();
    const file = join(path, 'events.jsonl');
    writeFileSync(file, lines(0, 5));
    expect(await counted()).toBe(5);
    appendFileSync(file, lines(5, 3));
    renameSync(file, join(path, 'events.jsonl.1'));
    writeFileSync(file, lines(8, 2));
    await counted();
    expect(await counted()).toBe(10);
    again();
    appendFileSync(file, lines(10, 2));
    expect(await counted()).toBe(12);
  });

  test('that was not followed any more and grows again is read from its last offset', async () => {
    const path = tempFolder('old-log');
    const { counted } = logs(path);
    await counted();
    for (let at = 0; at < 6; at++) {
      writeFileSync(join(path, `log-${at}.jsonl`), lines(0, 3));
      await counted();
    }
    appendFileSync(join(path, 'log-0.jsonl'), lines(3, 2));
    expect(await counted()).toBe(20);
  });
});

describe('images', () => {
  const images = (path: string, match: string, timeFormat: string | null = null, timeZone = 'UTC') =>
    counting((monotonicMs, state) => new ImageReader({ path, match, timeFormat, timeZone, monotonicMs, state }));
  const write = (folder: string, count: number, atMs: number) => {
    mkdirSync(folder, { recursive: true });
    for (let at = 0; at < count; at++) {
      const file = join(folder, `a_${String(at).padStart(4, '0')}.bmp`);
      writeFileSync(file, `${at}`);
      utimesSync(file, (atMs + at) / 1000, (atMs + at) / 1000);
    }
  };

  test('whose folder is put elsewhere are not counted again', async () => {
    const path = tempFolder('moved');
    const { counted, now } = images(path, '**/*_{frame}.bmp');
    await counted();
    write(join(path, 'now'), 6, now() + 10_000);
    expect(await counted()).toBe(6);
    renameSync(join(path, 'now'), join(path, 'run-1'));
    expect(await counted()).toBe(6);
    write(join(path, 'now'), 4, now() + 10_000);
    expect(await counted()).toBe(10);
  });

  test('from before a restart are not counted again when the system reports them late', () => {
    const sequence = new Sequence({ name: 'a_{frame}.bmp', width: 4, first: 0, last: -1, newestMs: 0 }, true);
    const accept = (number: number, moment: number) => sequence.accept(number, moment * 8, moment * 8 + 60);
    for (let number = 0; number < 480; number++) expect(accept(number, number)).toBe(true);
    // It restarts 8 ms after the last frame.
    expect(accept(0, 480)).toBe(true);
    expect(sequence.accept(479, 479 * 8, 481 * 8 + 60)).toBe(false);
    for (let number = 1; number < 480; number++) expect(accept(number, 480 + number)).toBe(true);
  });

  test('with local times in their names count through the hour that comes twice', async () => {
    const path = tempFolder('twice');
    const { counted } = images(path, 'i_{time}.pgm', 'yyyy-MM-dd_HH-mm-ss.SSS', 'Europe/Berlin');
    await counted();
    // 02:59:59 summer time, and one second after it 02:00:00 winter time.
    const changeMs = Date.UTC(2026, 9, 25, 1);
    let written = 0;
    for (let at = -20; at < 20; at++) {
      const timeMs = changeMs + at * 500;
      const local = new Date(timeMs + (at < 0 ? 2 : 1) * 3_600_000).toISOString().replace('Z', '');
      const file = join(path, `i_${local.replace('T', '_').replaceAll(':', '-')}.pgm`);
      writeFileSync(file, `${at}`);
      utimesSync(file, timeMs / 1000, timeMs / 1000);
      written += 1;
    }
    expect(await counted()).toBe(written);
  });

  test('that came and went between two looks are counted, those that were deleted long after are not', () => {
    const pattern = compileNames('a_{frame}.bmp', null);
    const there = (number: number): Candidate => {
      const path = `a_${number}.bmp`;
      const facts = { sizeBytes: 1, modifiedMs: number * 30, inode: `${number}`, bornMs: null, isFolder: false };
      return { path, named: pattern.read(path) as NonNullable<ReturnType<typeof pattern.read>>, facts };
    };
    const candidates = [there(24), there(25)];
    const told = ['a_3.bmp', 'a_21.bmp', 'a_22.bmp', 'a_24.bmp', 'a_26.bmp', 'other.txt'];
    addGone(candidates, new Set(told), pattern, () => 20);
    expect(candidates.map(({ named }) => named.number)).toEqual([24, 25, 21, 22]);
    // They stand before the next one that is there, not behind the newest.
    expect(candidates[2]?.facts.modifiedMs).toBe(24 * 30);
  });

  test('that are hard to tell from old ones: a copy of a whole folder is no new recording', async () => {
    const path = tempFolder('copied');
    const { counted } = images(path, '**/*_{frame}.bmp');
    await counted();
    const picture = (at: number) => Buffer.from(Uint8Array.from({ length: 300 }, (_, byte) => (byte * 7 + at) % 256));
    mkdirSync(join(path, 'now'));
    for (let at = 0; at < 3; at++) writeFileSync(join(path, 'now', `a_000${at}.bmp`), picture(at));
    expect(await counted()).toBe(3);
    mkdirSync(join(path, 'copy'));
    for (let at = 0; at < 3; at++)
      copyFileSync(join(path, 'now', `a_000${at}.bmp`), join(path, 'copy', `a_000${at}.bmp`));
    rmSync(join(path, 'now', 'a_0002.bmp'));
    expect(await counted()).toBe(3);
  });
});
