// The rate of a camera is one figure: that of the channel, of the session and of a look at the counter. A camera is played by
// a clock of its own, into real files whose times are those of a system with ticks of 4 ms.
import { readdirSync, renameSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type CounterState, measuredRate } from '../../../../src-main/growth/rheed-session/session-rules.ts';
import { type CounterPreview, previewCounter } from '../../../../src-main/sources/rheed/preview.ts';
import type { PortLine } from '../../../../src-main/sources/rheed/readers/port-reader.ts';
import { openRheedSource } from '../../../../src-main/sources/rheed/rheed-source.ts';
import { MemorySink } from '../../../support/logs/log-sink.ts';
import { type CameraFiles, type CameraKind, openCameraFiles } from '../../../support/rheed/camera-files.ts';
import { counterOf } from '../../../support/rheed/played-cameras.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const TICK_MS = 4;
const KINDS: readonly CameraKind[] = [
  'images',
  'timed-images',
  'ksa-movie',
  'avi-movie',
  'tiff-movie',
  'counter-file',
  'log',
  'plain-log',
  'port',
];

/** A camera that writes at a steady rate, and the source that counts it, by one played clock. */
class PlayedCamera {
  readonly sink = new MemorySink();
  readonly views: CounterState[] = [];
  readonly #kind: CameraKind;
  readonly #folder = tempFolder('rate');
  readonly #frameMs: number;
  readonly #files: CameraFiles;
  #nowMs = Math.floor(Date.now() / 1000) * 1000;
  #next = 100;
  #nextMs = Number.POSITIVE_INFINITY;
  #lines: PortLine[] = [];
  readonly #stampedMs = new Map<string, number>();

  constructor(kind: CameraKind, fps: number) {
    this.#kind = kind;
    this.#frameMs = 1000 / fps;
    if (kind !== 'port') this.#writeOld();
    this.#files = this.#open(kind);
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** From now on it writes. */
  begin(): void {
    this.#nextMs = this.#nowMs;
  }

  restart(): void {
    this.#files.restart();
    this.#next = 0;
  }

  /** Time passes, and the camera writes. */
  pass(durationMs: number): void {
    const untilMs = this.#nowMs + durationMs;
    for (; this.#nextMs <= untilMs; this.#nextMs += this.#frameMs) {
      this.#nowMs = this.#nextMs;
      this.#files.write(this.#next, this.#nextMs);
      this.#next += 1;
      this.#stamp();
    }
    this.#nowMs = untilMs;
  }

  /** Watch for so long. */
  async watch(durationMs: number): Promise<void> {
    const stop = new AbortController();
    const endMs = this.#nowMs + durationMs;
    const onCounter = (view: CounterState) => {
      this.views.push(view);
      if (this.#nowMs >= endMs) stop.abort();
    };
    await openRheedSource({ id: 'camera', fps: null, ...this.#counter(), onCounter }).run(this.sink, stop.signal);
  }

  /** What a person sees who connects it. */
  preview(): Promise<CounterPreview> {
    return previewCounter(this.#counter());
  }

  #counter() {
    const clock = {
      nowMs: () => this.#nowMs,
      monotonicMs: () => this.#nowMs,
      sleep: async (ms: number) => {
        this.pass(ms);
        // The system tells of new names by its own clock.
        if (this.#kind.endsWith('images')) await setTimeout(2);
      },
    };
    const openPort = () => ({ takeLines: () => this.#lines.splice(0), close: () => {} });
    return { counter: counterOf(this.#kind, this.#folder), timeZone: 'UTC', clock, openPort };
  }

  /** What an earlier recording left: a hundred frames, made in another rhythm. */
  #writeOld(): void {
    const files = this.#open(this.#kind);
    for (let number = 0; number < 100; number++) files.write(number, this.#nowMs - 60_000 + 170 * number);
    files.close();
    for (const name of readdirSync(this.#folder)) {
      const isMovie = name.startsWith('movie-');
      if (isMovie) renameSync(join(this.#folder, name), join(this.#folder, `old-${name}`));
    }
    const nowMs = this.#nowMs;
    this.#nowMs -= 40_000;
    this.#stamp();
    this.#nowMs = nowMs;
  }

  #open(kind: CameraKind): CameraFiles {
    if (kind !== 'port') return openCameraFiles({ kind, folder: this.#folder, rollsOverAt: null });
    return {
      write: (number) => void this.#lines.push({ text: `FC ${number} 0`, atMs: this.#nowMs }),
      lose: () => {},
      restart: () => {},
      close: () => {},
    };
  }

  #stamp(): void {
    if (this.#kind === 'port') return;
    const seconds = Math.floor(this.#nowMs / TICK_MS) * (TICK_MS / 1000);
    for (const name of readdirSync(this.#folder)) {
      const path = join(this.#folder, name);
      if (this.#stampedMs.get(name) === statSync(path).mtimeMs) continue;
      utimesSync(path, seconds, seconds);
      this.#stampedMs.set(name, statSync(path).mtimeMs);
    }
  }
}

describe.each(KINDS)('the rate of %s', (kind) => {
  test.each([5, 10, 25, 30])(
    'is right to a hundredth after 20 frames at %i a second, for channel and session',
    async (fps) => {
      const camera = new PlayedCamera(kind, fps);
      // Twenty frames, the time until a new file is seen, and that of a reading.
      const knownMs = 20_000 / fps + 3200;
      const begins: number[] = [];
      const play = async (begin: () => void) => {
        begin();
        begins.push(camera.nowMs);
        await camera.watch(knownMs + 1500);
      };
      await play(() => camera.begin());
      await play(() => camera.pass(3000));
      await play(() => camera.restart());
      const points = camera.sink.points('frame rate').filter(({ value }) => value !== 0);
      for (const { value } of points) expect(Math.abs(value / fps - 1)).toBeLessThan(0.01);
      for (const beganMs of begins) {
        const isKnown = points.some(({ timeMs }) => timeMs > beganMs && timeMs <= beganMs + knownMs);
        expect(isKnown, `known after ${beganMs - (begins[0] ?? 0)} ms`).toBe(true);
      }
      const rates = camera.views.flatMap((view) => measuredRate(view) ?? []);
      expect(rates.length).toBeGreaterThan(0);
      for (const rate of rates) expect(Math.abs(rate / fps - 1)).toBeLessThan(0.01);
      const last = camera.views.at(-1) as CounterState;
      expect(measuredRate(last)).toBeCloseTo(camera.sink.values('frame rate').at(-1) ?? 0, 3);
      const { rate } = await camera.preview();
      expect(Math.abs((rate?.perSecond ?? 0) / fps - 1)).toBeLessThan(0.01);
    },
  );
});
