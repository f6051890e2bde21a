// A folder with recordings, a reader each look of which walks through it, what is counted, and a restart of the agent.
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { FrameTally } from '../../../src-main/sources/rheed/count/frame-tally.ts';
import type { CounterReader } from '../../../src-main/sources/rheed/count/sighting.ts';
import { readCounterText } from '../../../src-main/sources/rheed/readers/counter-text.ts';
import { ImageReader } from '../../../src-main/sources/rheed/readers/image-reader.ts';
import { LineReader } from '../../../src-main/sources/rheed/readers/line-reader.ts';
import { MovieReader } from '../../../src-main/sources/rheed/readers/movie-reader.ts';
import { tempFolder } from '../temp-folder.ts';
import { ksaFrame } from './camera-files.ts';

export const BEGIN_MS = 1_790_000_000_000;
const OPTIONS = { setRate: null, rollsOverAt: null, stallAfterMs: 2000 };

/** A watched folder; each look comes 20 s after the one before, so that it walks. Gives all that was counted so far. */
function watching(make: (path: string, monotonicMs: () => number, state?: unknown) => CounterReader) {
  const path = tempFolder('watched');
  let nowMs = BEGIN_MS;
  let writtenMs = BEGIN_MS;
  let reader = make(path, () => nowMs);
  let tally = new FrameTally(OPTIONS);
  const counted = async (passMs = 20_000) => {
    nowMs = Math.max(nowMs, writtenMs) + passMs;
    tally.take(await reader.look(nowMs), nowMs);
    tally.settle(nowMs);
    return tally.figures().counted;
  };
  onTestFinished(() => reader.close());
  return {
    file: (name: string) => join(path, name),
    now: () => nowMs,
    /** Time passes before the next file. */
    pass(ms: number) {
      writtenMs = Math.max(writtenMs, nowMs) + ms;
    },
    /** Write a file, 10 ms younger than the one before. */
    write(name: string, bytes: Buffer | string, atMs?: number) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
      writtenMs = atMs ?? Math.max(writtenMs, nowMs) + 10;
      utimesSync(file, writtenMs / 1000, writtenMs / 1000);
    },
    counted,
    figures: () => tally.figures(),
    /** Look until so many were counted: what the system tells of files comes when it likes. */
    async reach(count: number, passMs = 20_000) {
      for (let looks = 0; looks < 3000 && (await counted(passMs)) < count; looks++) await setTimeout(20);
      return counted(passMs);
    },
    /** What the reader told since it was asked last. */
    told: () => reader.takeEvents().map(({ text }) => text),
    /** The agent ends; gives how to start it again. */
    away() {
      reader.close();
      const state = JSON.parse(JSON.stringify(reader.state())) as unknown;
      const kept = JSON.parse(JSON.stringify(tally.state));
      return () => {
        reader = make(path, () => nowMs, state);
        tally = new FrameTally(OPTIONS, kept);
      };
    },
  };
}

export const images = (match = '**/*_{frame}.bmp', timeFormat: string | null = null, timeZone = 'UTC') =>
  watching((path, monotonicMs, state) => new ImageReader({ path, match, timeFormat, timeZone, monotonicMs, state }));
export const movies = (match = '**/*') =>
  watching((path, monotonicMs, state) => new MovieReader({ path, match, fixed: null, monotonicMs, state }));
const text = readCounterText({ pattern: null, field: 'frame' });
export const logs = (kind: 'each' | 'value' = 'each') =>
  watching((path, monotonicMs, state) => new LineReader({ path, match: '**/*', text, kind, monotonicMs, state }));

/** A picture that no other equals and that is not dark. */
let pictures = 0;
export function picture(): Buffer {
  pictures += 1;
  const at = pictures;
  return Buffer.from(Uint8Array.from({ length: 500 }, (_, byte) => (byte * 31 + at * 7 + ((byte * at) % 251)) % 256));
}
export const name = (number: number, head = 'a_') => `${head}${String(number).padStart(4, '0')}.bmp`;
export const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
export const ksa = (count: number) => Buffer.concat(Array.from({ length: count }, (_, at) => ksaFrame(8, 6, at)));
export const lines = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => `{"frame": ${from + at}}\n`).join('');
