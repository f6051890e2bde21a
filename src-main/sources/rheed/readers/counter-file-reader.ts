// A counter that somebody writes into a small file, over and over. Writing in place is not one step: a look can meet an empty
// file or half a number. What surprises (the first value, back, or far ahead) is looked at some times more before it is
// believed: half a number is a smaller one.
//
// Bounds: 64 KiB of the file are read; three more looks 25 ms apart at what surprises (back, or more than 5,000 ahead). It is
// told once when 20 looks in a row found no number, and the run ends when there was no file for 10 s.
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { AgentError } from '../../../model/agent-error.ts';
import type { CounterEvent, CounterReader, Sighting } from '../count/sighting.ts';
import { readRange } from '../files/read-range.ts';
import { look } from '../files/walk.ts';
import { withFile } from '../files/with-file.ts';
import { type CounterText, type CounterWords, TEXT_MAX } from './counter-text.ts';

/** Time between the looks at what surprises, milliseconds, and how many more there are. */
const AGAIN_MS = 25;
const AGAIN_TIMES = 3;
/** Frames ahead that surprise nobody. */
const AHEAD_FRAMES = 5000;
/** A file that is not there for so long is told, milliseconds. */
const MISSING_MS = 10_000;
/** Looks in a row without a number before that is told. */
const UNREAD_MAX = 20;

const CounterFileState = z.object({ path: z.string().optional(), number: z.number() });

export interface CounterFileReaderOptions {
  /** The file, absolute. */
  readonly path: string;
  readonly text: CounterText;
  readonly monotonicMs: () => number;
  readonly state: unknown;
}

export class CounterFileReader implements CounterReader {
  readonly #path: string;
  readonly #text: CounterText;
  readonly #monotonicMs: () => number;
  #number: number | null;
  #lost: number | null = null;
  #formerLookMs: number | null = null;
  #seenMs: number | null = null;
  #unread = 0;
  #events: CounterEvent[] = [];

  constructor({ path, text, monotonicMs, state }: CounterFileReaderOptions) {
    this.#path = path;
    this.#text = text;
    this.#monotonicMs = monotonicMs;
    const former = CounterFileState.safeParse(state);
    this.#number = former.success && (former.data.path ?? path) === path ? former.data.number : null;
  }

  describe(): string {
    return `counter file ${this.#path}`;
  }

  state(): unknown {
    return this.#number === null ? null : { path: this.#path, number: this.#number };
  }

  takeEvents(): readonly CounterEvent[] {
    return this.#events.splice(0);
  }

  close(): void {
    // Nothing is held open between two looks.
  }

  async look(nowMs: number): Promise<readonly Sighting[]> {
    const formerMs = this.#formerLookMs ?? nowMs;
    this.#formerLookMs = nowMs;
    this.#seenMs ??= nowMs;
    const startMs = this.#monotonicMs();
    const words = await this.#readSurely();
    // After the read: the time of the file is then that of what was read, or a later one.
    const facts = await look(this.#path);
    const readMs = nowMs + this.#monotonicMs() - startMs;
    if (words === null) return this.#noteUnread(facts === null, nowMs);
    this.#seenMs = nowMs;
    this.#unread = 0;
    const isBaseline = this.#number === null;
    if (words.number === this.#number && words.lost === this.#lost) return [];
    this.#number = words.number;
    this.#lost = words.lost;
    const modifiedMs = facts?.modifiedMs ?? 0;
    const isTimed = modifiedMs >= formerMs - 100 && modifiedMs <= readMs + 100;
    const time = isTimed
      ? { atMs: Math.min(modifiedMs, readMs), uncertaintyMs: 10 }
      : { atMs: (formerMs + readMs) / 2, uncertaintyMs: (readMs - formerMs) / 2 };
    const lost = words.lost === null ? {} : { lostSoFar: words.lost };
    return [{ run: this.#path, kind: 'value', number: words.number, ...time, ownMs: words.ownMs, isBaseline, ...lost }];
  }

  async #readSurely(): Promise<CounterWords | null> {
    const first = await this.#read();
    if (first === null) return null;
    const isSurprising = (number: number, former: number) => number < former || number > former + AHEAD_FRAMES;
    if (this.#number !== null && !isSurprising(first.number, this.#number)) return first;
    let last = first;
    for (let times = 0; times < AGAIN_TIMES; times++) {
      await setTimeout(AGAIN_MS);
      const next = await this.#read();
      // Each must go on from the one before; else nothing is certain, and the next look tells.
      if (next === null || isSurprising(next.number, last.number)) return null;
      last = next;
    }
    return last;
  }

  async #read(): Promise<CounterWords | null> {
    const bytes = await withFile(this.#path, (handle) => readRange(handle, 0, TEXT_MAX));
    return bytes === null ? null : this.#text.read(Buffer.from(bytes).toString('latin1'));
  }

  #noteUnread(isMissing: boolean, nowMs: number): readonly Sighting[] {
    if (isMissing && nowMs - (this.#seenMs ?? nowMs) >= MISSING_MS) {
      throw new AgentError({
        code: 'rheed.file-missing',
        message: `There is no counter file ${this.#path}.`,
        hint: 'Check the path in the settings, and that the camera program runs. Counting goes on when it is there.',
        retry: 'later',
      });
    }
    if (!isMissing) this.#unread += 1;
    if (this.#unread === UNREAD_MAX) {
      const text = `${this.#path} holds no number where the settings say`;
      this.#events.push({ kind: 'unreadable', atMs: nowMs, text });
    }
    return [];
  }
}
