import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Clock } from '../../../../src-main/platform/clock.ts';
import { previewCounter } from '../../../../src-main/sources/rheed/preview.ts';
import { ksaFrame } from '../../../support/rheed/camera-files.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** A clock on which something happens while somebody sleeps. */
function clockWith(meanwhile: () => void): Clock {
  let nowMs = Date.now();
  return {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    sleep: async (durationMs) => {
      nowMs += durationMs + 20_000;
      meanwhile();
    },
  };
}

const at = { timeZone: 'UTC' };

test('a movie of kSA frames is recognised by its header, as a still is', async () => {
  const path = tempFolder('preview');
  writeFileSync(join(path, 'a.imm'), Buffer.concat([ksaFrame(640, 480, 1), ksaFrame(640, 480, 2).subarray(0, 100)]));
  const counter = { type: 'movie', path, match: '*.imm', strideBytes: null, headerBytes: 0 } as const;
  const { seen, problem, frames } = await previewCounter({ ...at, counter, clock: clockWith(() => {}) });
  expect([problem, frames]).toEqual(['', 0]);
  expect(seen[0]).toBe(
    'a.imm: kSA (KSA00F), 640 x 480 pixels of 16 bit, header 640 bytes; 1 frame of 615,040 bytes, 100 bytes over',
  );
});

test('images that come between the two looks are counted, those from before only say where it stands', async () => {
  const path = tempFolder('preview');
  const write = (number: number) => writeFileSync(join(path, `a_${number}.bmp`), `${number}`);
  for (const number of [0, 1, 2]) write(number);
  const counter = { type: 'images', path, match: '*_{frame}.bmp', timeFormat: null } as const;
  const clock = clockWith(() => {
    for (const number of [3, 4]) write(number);
  });
  const { seen, frames } = await previewCounter({ ...at, counter, clock });
  expect(frames).toBe(2);
  expect(seen).toEqual(['a_{frame}.bmp stands at 4']);
});

test('its problem names the obstacle', async () => {
  const path = join(tempFolder('preview'), 'nowhere');
  const images = { type: 'images', path, match: '*_{frame}.bmp', timeFormat: null } as const;
  const missing = await previewCounter({ ...at, counter: images, clock: clockWith(() => {}) });
  expect(missing.problem).toContain(`The folder ${path} cannot be listed`);
  mkdirSync(path);
  const unclear = await previewCounter({ ...at, counter: { ...images, match: '*.bmp' }, clock: clockWith(() => {}) });
  expect(unclear.problem).toContain('says neither where the number nor where the time');
});

test('gives up a folder of very many files in time, and says why', async () => {
  const path = tempFolder('many');
  for (let number = 0; number < 3000; number++) writeFileSync(join(path, `a_${number}.bmp`), '');
  const images = { type: 'images', path, match: '*_{frame}.bmp', timeFormat: null } as const;
  const movie = { type: 'movie', path, match: '*', strideBytes: null, headerBytes: 0 } as const;
  const text = { pattern: null, field: null, lostField: null, timeField: null };
  const log = { type: 'log', path, match: '*', lines: 'each-frame', ...text } as const;
  for (const counter of [images, movie, log]) {
    const { problem, hint } = await previewCounter({ ...at, counter, clock: clockWith(() => {}), limitMs: 1 });
    expect(problem).toBe(`Looking at ${path} takes longer than 0.001 s: it holds very many files, or is slow.`);
    expect(hint).toContain('a narrower match');
  }
});
