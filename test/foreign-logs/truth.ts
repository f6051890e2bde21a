// What a written log holds in truth, and a small writer for logs of which every line is told apart.
import { Buffer } from 'node:buffer';

export const ZONE = 'Europe/Berlin';
/** The clock of the PC that reads. */
export const NOW_MS = Date.UTC(2026, 10, 23, 12);

export interface TruePoint {
  /** Line of the file, from 1. */
  readonly line: number;
  readonly timeMs: number;
  readonly value: number;
}

export interface TrueChannel {
  /** What the channel may be called and its unit, each pair as one text such as `T_sub|°C`. */
  readonly names: readonly string[];
  readonly points: readonly TruePoint[];
  /** It need not be streamed: a counter, seconds beside a stamp, a column without a name. */
  readonly isOptional?: boolean;
}

export interface Truth {
  readonly channels: readonly TrueChannel[];
  /** Times are written no finer than this, milliseconds. */
  readonly toleranceMs: number;
  /** Nothing that is needed to read it is missing or contradicts. */
  readonly isWellFormed: boolean;
  /** The file lacks what is needed, such as its start: to ask is right, and an answer may leave the place to a person. */
  readonly isOpen?: boolean;
  /** From this line on rows may be delivered only after an answer; absent: none. */
  readonly changedFrom?: number;
}

export interface WrittenLog {
  readonly bytes: Uint8Array;
  readonly path: string;
  /** Unix ms; 0: lost. */
  readonly modifiedMs: number;
  readonly truth: Truth;
}

/** How a log is named and what is true of it besides its rows. */
interface Facts extends Partial<Omit<Truth, 'channels'>> {
  readonly path?: string;
  readonly modifiedMs?: number;
  /** What ends a line. */
  readonly end?: string;
  /** Channels that need not be streamed, by place. */
  readonly optional?: readonly number[];
}

/** Writes a log line by line. Its channels are named first; each row gives a value for each of them. */
export class LogText {
  readonly #lines: string[] = [];
  readonly #channels: { readonly names: readonly string[]; readonly points: TruePoint[] }[];

  /** @param channels - for each channel what it may be called, as in `TrueChannel`. */
  constructor(...channels: readonly (string | readonly string[])[]) {
    this.#channels = channels.map((names) => ({ names: typeof names === 'string' ? [names] : names, points: [] }));
  }

  /** Lines that hold no points. */
  lines(...texts: readonly string[]): this {
    this.#lines.push(...texts);
    return this;
  }

  /** A line with points: its text, its instant, and the value of each channel (NaN or absent: none). */
  row(text: string, timeMs: number, ...values: readonly number[]): this {
    const line = this.#lines.push(text);
    for (const [index, value] of values.entries())
      if (!Number.isNaN(value)) this.#channels[index]?.points.push({ line, timeMs, value });
    return this;
  }

  /** As many rows as are wanted. */
  rows(count: number, row: (n: number) => readonly [text: string, timeMs: number, ...values: number[]]): this {
    for (let n = 0; n < count; n++) this.row(...row(n));
    return this;
  }

  /** The log as it stands on the disk. */
  done({ path = 'log.csv', modifiedMs = 0, end = '\n', optional = [], ...facts }: Facts = {}): WrittenLog {
    const channels = this.#channels.map((channel, index) =>
      optional.includes(index) ? { ...channel, isOptional: true } : channel,
    );
    const truth: Truth = { toleranceMs: 0.01, isWellFormed: facts.isOpen !== true, ...facts, channels };
    return { bytes: Buffer.from(this.#lines.map((line) => line + end).join('')), path, modifiedMs, truth };
  }
}
