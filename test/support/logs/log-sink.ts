// A sink that keeps what a source hands over, as a store would: whole captures, in order, positions with them.
import type { ChannelDeclaration } from '../../../src-main/model/channel.ts';
import type { Mark } from '../../../src-main/model/marks.ts';
import type { Capture, Source, SourceNote, SourceSink } from '../../../src-main/sources/source.ts';

export interface KeptPoint {
  readonly timeMs: number;
  readonly value: number;
}

export class MemorySink implements SourceSink {
  readonly captures: Capture[] = [];
  readonly kept = new Map<string, string>();
  readonly declared = new Map<string, ChannelDeclaration>();
  readonly notes = new Map<string, SourceNote>();
  readonly gaps: { fromMs: number; toMs: number; cause: string }[] = [];
  /** Keep the bytes of the files too; a store only hashes them. */
  isKeepingBytes = false;
  /** Called before a capture is kept; what it throws is what the store failed with. */
  beforeCapture: (capture: Capture) => void | Promise<void> = () => undefined;
  #waiting: { isDone: () => boolean; done: () => void }[] = [];

  positions(): Promise<ReadonlyMap<string, string>> {
    return Promise.resolve(new Map(this.kept));
  }

  declare(channels: readonly ChannelDeclaration[]): void {
    for (const channel of channels) this.declared.set(channel.name, channel);
  }

  async capture(capture: Capture): Promise<void> {
    await this.beforeCapture(capture);
    const own = withOwnNumbers(capture);
    this.captures.push(this.isKeepingBytes ? withOwnBytes(own) : withoutBytes(own));
    for (const { key, value } of capture.positions) {
      if (value === '') this.kept.delete(key);
      else this.kept.set(key, value);
    }
    this.#check();
  }

  note(note: SourceNote): void {
    this.notes.set(note.code, note);
    this.#check();
  }

  gap(fromMs: number, toMs: number, cause: string): void {
    this.gaps.push({ fromMs, toMs, cause });
    this.#check();
  }

  /** Points of a channel in the order in which they were handed over. */
  points(channel: string): KeptPoint[] {
    const points: KeptPoint[] = [];
    for (const { blocks } of this.captures) {
      for (const { channels, timesMs, values } of blocks) {
        const column = channels.indexOf(channel);
        if (column === -1) continue;
        timesMs.forEach((timeMs, row) => {
          const value = values[row * channels.length + column] ?? Number.NaN;
          if (!Number.isNaN(value)) points.push({ timeMs, value });
        });
      }
    }
    return points;
  }

  values(channel: string): number[] {
    return this.points(channel).map(({ value }) => value);
  }

  get channels(): string[] {
    const names = new Set(this.captures.flatMap(({ blocks }) => blocks.flatMap(({ channels }) => channels)));
    return [...names].sort();
  }

  get rowsRead(): number {
    return this.captures.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
  }

  get refusedCount(): number {
    return this.captures.reduce((sum, { refusedCount }) => sum + refusedCount, 0);
  }

  get refusals(): Capture['refusals'] {
    return this.captures.flatMap(({ refusals }) => refusals);
  }

  /** Marks in the order in which they were handed over. */
  get marks(): Mark[] {
    return this.captures.flatMap(({ marks = [] }) => marks);
  }

  get pointCount(): number {
    return this.channels.reduce((sum, channel) => sum + this.points(channel).length, 0);
  }

  /** Wait until a condition holds; looked at with every capture, note and gap. */
  until(isDone: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ isDone, done: resolve });
      this.#check();
    });
  }

  #check(): void {
    this.#waiting = this.#waiting.filter(({ isDone, done }) => {
      if (!isDone()) return true;
      done();
      return false;
    });
  }
}

/** The bytes are good only until the capture is kept. */
/** The memory of times and values is the source's again once they are kept. */
function withOwnNumbers(capture: Capture): Capture {
  const blocks = capture.blocks.map((one) => ({ ...one, timesMs: one.timesMs.slice(), values: one.values.slice() }));
  return { ...capture, blocks };
}

function withOwnBytes(capture: Capture): Capture {
  const sourceBytes = (capture.sourceBytes ?? []).map((one) => ({ ...one, bytes: one.bytes.slice() }));
  return { ...capture, sourceBytes };
}

function withoutBytes(capture: Capture): Capture {
  const { sourceBytes, ...rest } = capture;
  return rest;
}

/** Run a source to its end. */
export async function runToEnd(source: Source, sink: SourceSink = new MemorySink()): Promise<void> {
  await source.run(sink, new AbortController().signal);
}
