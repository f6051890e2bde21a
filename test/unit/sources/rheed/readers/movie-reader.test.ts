// Movies as they grow, byte for byte.

import { appendFileSync, closeSync, openSync, readFileSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NO_SCAN, scanAvi } from '../../../../../src-main/sources/rheed/readers/avi-scan.ts';
import { readKsaHeader } from '../../../../../src-main/sources/rheed/readers/ksa-header.ts';
import { MovieReader } from '../../../../../src-main/sources/rheed/readers/movie-reader.ts';
import { ksaFrame, openCameraFiles, tiffPage } from '../../../../support/rheed/camera-files.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

describe('a kSA header', () => {
  test('tells size and stride: 656 x 492 is 646,144 bytes from frame to frame', () => {
    expect(readKsaHeader(ksaFrame(656, 492, 1))).toEqual({
      ...{ signature: 'KSA00F', headerBytes: 640, width: 656, height: 492, strideBytes: 646_144 },
    });
    expect(readKsaHeader(ksaFrame(640, 480, 1))?.strideBytes).toBe(615_040);
  });

  test('is not seen in other bytes, or in too few', () => {
    expect(readKsaHeader(ksaFrame(656, 492, 1).subarray(0, 300))).toBeNull();
    expect(readKsaHeader(new Uint8Array(640))).toBeNull();
    expect(readKsaHeader(ksaFrame(0, 492, 1))).toBeNull();
  });
});

/** Looks at a folder again and again. */
function reader(path: string, fixed: { headerBytes: number; strideBytes: number } | null = null, state?: unknown) {
  // Each look is long after the one before, so that a walk is due: what the system tells of changes comes when it likes.
  let nowMs = 1_000_000;
  const movies = new MovieReader({ path, match: '*', fixed, monotonicMs: () => nowMs, state });
  const look = async () => {
    nowMs += 20_000;
    return (await movies.look(nowMs)).map(({ number, lostSoFar }) =>
      lostSoFar ? `${number} lost ${lostSoFar}` : number,
    );
  };
  return { movies, look };
}

test('a .imm counts whole frames only: half a frame at its end is none yet', async () => {
  const folder = tempFolder('imm');
  const { movies, look } = reader(folder);
  expect(await look()).toEqual([]);
  const frame = ksaFrame(40, 30, 3);
  const file = join(folder, 'a.imm');
  writeFileSync(file, frame);
  expect(await look()).toEqual([1]);
  appendFileSync(file, frame.subarray(0, 1000));
  expect(await look()).toEqual([]);
  appendFileSync(file, Buffer.concat([frame.subarray(1000), frame, frame]));
  expect(await look()).toEqual([4]);
  truncateSync(file, frame.length * 2);
  expect(await look()).toEqual([2]);
  movies.close();
});

test('counts files without a header by the stride of the settings; without one it reports them as skipped', async () => {
  const folder = tempFolder('raw');
  const [fixed, auto] = [reader(folder, { headerBytes: 16, strideBytes: 100 }), reader(folder)];
  await fixed.look();
  await auto.look();
  writeFileSync(join(folder, 'a.raw'), Buffer.alloc(16 + 550, 7));
  expect(await fixed.look()).toEqual([5]);
  expect(await auto.look()).toEqual([]);
  expect(auto.movies.takeEvents()).toMatchObject([{ kind: 'passed-over', text: expect.stringContaining('a.raw') }]);
  appendFileSync(join(folder, 'a.raw'), Buffer.alloc(100));
  expect(await auto.look()).toEqual([]);
  expect(auto.movies.takeEvents()).toEqual([]);
});

test('a TIFF counts its pages, whatever their size: one whose directory is not told yet is none', async () => {
  const folder = tempFolder('tiff');
  const { movies, look } = reader(folder);
  await look();
  const file = join(folder, 'a.tif');
  const write = (bytes: Uint8Array, at: number) => {
    const handle = openSync(file, 'r+');
    writeSync(handle, bytes, 0, bytes.length, at);
    closeSync(handle);
  };
  const place = (at: number) => Buffer.from(Uint32Array.of(at).buffer);
  writeFileSync(file, Buffer.from('II*\0\0\0\0\0', 'latin1'));
  expect(await look()).toEqual([]);
  let [at, nextAt] = [8, 4];
  for (let page = 1; page <= 30; page++) {
    const { bytes, directoryAt, nextAt: next } = tiffPage(page, at);
    write(bytes, at);
    expect(await look()).toEqual([]);
    write(place(directoryAt), nextAt);
    expect(await look()).toEqual([page]);
    [at, nextAt] = [at + bytes.length, next];
  }
  // A writer that tells the place of a page before the page is there.
  const { bytes, directoryAt } = tiffPage(31, at);
  write(place(directoryAt), nextAt);
  write(bytes.subarray(0, -1), at);
  expect(await look()).toEqual([]);
  write(bytes, at);
  expect(await look()).toEqual([31]);
  movies.close();
});

describe('an AVI', () => {
  /** An AVI of n frames with some dropped ones, as bytes. */
  function avi(frames: readonly ('frame' | 'dropped')[]): { bytes: Buffer; ends: number[] } {
    const folder = tempFolder('avi');
    const files = openCameraFiles({ kind: 'avi-movie', folder, rollsOverAt: null });
    const file = join(folder, 'movie-1.avi');
    const ends: number[] = [];
    for (const [number, one] of frames.entries()) {
      if (one === 'frame') files.write(number, 0);
      else files.lose(number);
      ends.push(readFileSync(file).length);
    }
    files.close();
    return { bytes: readFileSync(file), ends };
  }

  test('cut anywhere counts the frames that are there whole, and reading on gives the same as reading at once', async () => {
    const { bytes, ends } = avi(['frame', 'frame', 'dropped', 'frame', 'dropped', 'frame']);
    const file = join(tempFolder('cut'), 'a.avi');
    writeFileSync(file, bytes);
    const handle = await open(file);
    try {
      let step = NO_SCAN;
      for (let size = 0; size <= bytes.length; size += 3) {
        const atOnce = await scanAvi(handle, size, NO_SCAN);
        step = await scanAvi(handle, size, step);
        expect(step).toEqual(atOnce);
        // A frame's last byte only makes its length even: it may be missing.
        const whole = ends.filter((end, at) => end <= size + 1 && [0, 1, 3, 5].includes(at)).length;
        expect([whole, whole - 1]).toContain(atOnce.frames);
      }
      expect(await scanAvi(handle, bytes.length, step)).toMatchObject({ frames: 4, dropped: 2, indexed: 6 });
    } finally {
      await handle.close();
    }
  });

  test('reports an index that differs', async () => {
    const { bytes } = avi(['frame', 'frame', 'frame']);
    const folder = tempFolder('index');
    const { movies, look } = reader(folder);
    await look();
    // An index that lacks its last entry.
    const at = bytes.lastIndexOf('idx1');
    const short = Buffer.from(bytes.subarray(0, bytes.length - 16));
    short.writeUInt32LE(32, at + 4);
    writeFileSync(join(folder, 'a.avi'), short);
    expect(await look()).toEqual([3]);
    expect(movies.takeEvents()).toMatchObject([
      { kind: 'index-differs', text: 'the index of a.avi lists 2 frames, 3 were found' },
    ]);
  });
});
