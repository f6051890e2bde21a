// A log source that looks only when told to, so that a test decides what happens between two looks. It can be killed at
// any moment and started again: all that survives is what the sink has kept.

import type { Clock } from '../../../src-main/platform/clock.ts';
import { diskFiles, type Files } from '../../../src-main/platform/files.ts';
import { type LogSourceOptions, openLogSource } from '../../../src-main/sources/log/log-source.ts';
import { MemorySink } from './log-sink.ts';

/** A wait this long or longer is the pause between two looks; a shorter one gathers hints. */
const PAUSE_MS = 400;

class LookClock implements Clock {
  /** Wall clock minus the real one, ms. */
  offsetMs = 0;
  /** Real time that the wall clock shows for as long as it stands still; null: it goes on. */
  standingMs: number | null = null;
  #passedMs = 0;
  #sleepers = new Set<() => void>();
  #onPause: (() => void)[] = [];
  isPaused = false;

  nowMs(): number {
    return (this.standingMs ?? Date.now()) + this.offsetMs + this.#passedMs;
  }

  /** Passes only when a test says so: the longer a look takes, the longer the source rests, until a rest looks like the pause. */
  monotonicMs(): number {
    return this.#passedMs;
  }

  sleep(durationMs: number, signal?: AbortSignal): Promise<void> {
    if (durationMs >= PAUSE_MS) {
      this.isPaused = true;
      for (const tell of this.#onPause.splice(0)) tell();
    }
    return new Promise((resolve) => {
      const done = () => {
        this.#sleepers.delete(done);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      if (signal?.aborted) return resolve();
      this.#sleepers.add(done);
      // What the system tells of a folder is looked at with the next look: only a test ends a pause.
      if (durationMs < PAUSE_MS) signal?.addEventListener('abort', done);
    });
  }

  advance(durationMs: number): void {
    this.#passedMs += durationMs;
  }

  wake(): void {
    this.isPaused = false;
    for (const done of [...this.#sleepers]) done();
  }

  /** Fulfilled when the source pauses the next time. */
  nextPause(): Promise<void> {
    return new Promise((resolve) => this.#onPause.push(resolve));
  }
}

/**
 * The files of this PC, of whose changes the system tells nothing: then a look is made when the test says so and never later,
 * however slow the machine is.
 */
const unwatchedFiles: Files = { ...diskFiles, isWatchable: false };

export class LogReader {
  readonly sink = new MemorySink();
  readonly clock = new LookClock();
  #options: Omit<LogSourceOptions, 'clock'>;
  #abort = new AbortController();
  #running: Promise<unknown> = Promise.resolve();
  /** What ended the last run, when it failed. */
  failure: unknown = null;
  #isRunning = false;
  #isDying = false;

  constructor(options: Partial<LogSourceOptions> & { path: string }) {
    const files = unwatchedFiles;
    this.#options = { id: 'log', match: '**/*', dialect: 'auto', timeZone: 'UTC', backfill: 'all', files, ...options };
  }

  /** Change the settings for the next start. */
  use(options: Partial<LogSourceOptions>): void {
    this.#options = { ...this.#options, ...options };
  }

  /** Look once (starting first when it is not running) and read everything that the look finds. */
  async look(passedMs = 500): Promise<void> {
    this.clock.advance(passedMs);
    if (!this.#isRunning) return this.#start();
    const paused = this.clock.nextPause();
    this.clock.wake();
    await this.#untilPaused(paused);
  }

  /** Wake it from every wait that is not the pause: the gathering of hints, the rests between old data. */
  async #untilPaused(paused: Promise<void>): Promise<void> {
    const waking = setInterval(() => this.clock.wake(), 2);
    await Promise.race([paused, this.#running]);
    clearInterval(waking);
    this.#tellFailure();
  }

  /** A run that failed although nobody killed it is a failed test. */
  #tellFailure(): void {
    if (this.failure !== null && !this.#isDying) throw this.failure;
  }

  async #start(): Promise<void> {
    this.#abort = new AbortController();
    this.failure = null;
    this.#isRunning = true;
    const paused = this.clock.nextPause();
    const source = openLogSource({ ...this.#options, clock: this.clock });
    this.#running = source.run(this.sink, this.#abort.signal).catch((error: unknown) => {
      this.failure = error;
    });
    this.#running = this.#running.then(() => {
      this.#isRunning = false;
    });
    await this.#untilPaused(paused);
  }

  /** End the run as a kill would: nothing that it held in memory is used again. */
  async kill(): Promise<void> {
    this.#abort.abort();
    this.clock.wake();
    await this.#running;
  }

  /** Kill it while a capture is under way, before or after that is on disk; does nothing when none comes at this look. */
  async lookAndDie(when: 'before' | 'after'): Promise<void> {
    let hasDied = false;
    this.sink.beforeCapture = () => {
      if (hasDied || when === 'before') {
        hasDied = true;
        throw new Error('killed');
      }
      hasDied = true;
    };
    this.#isDying = true;
    await this.look();
    this.#isDying = false;
    this.sink.beforeCapture = () => undefined;
    await this.kill();
  }
}
