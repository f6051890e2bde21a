// Channels of a folder that have stopped while others go on. The silence of the whole source shows in its health
// (agent/pipeline/source-health.ts).
//
// Only a channel on a beat is missed: nine in ten of its last intervals lie near their median, and the rows of its file repeat or
// go up and down, as measured values do. A value that is logged on change does neither for long. Such a channel has stopped when it
// is silent for longer than its pauses tell, and something else of the folder was written since: that is the proof that tool, share
// and agent are alive.
//
// Bounds: CHANNELS_MAX channels are watched, those that were heard first. Time is the time for which the folder was looked at: while
// the PC slept or the agent stood still, nothing could be heard.
import { formatDuration, formatSecond } from '../../../model/format.ts';
import type { Readings } from '../../../model/readings.ts';
import type { SourceNote } from '../../source.ts';
import { NoteBoard } from './note-board.ts';
import { remarkOf } from './remarks.ts';

export const CHANNELS_MAX = 10_000;
const CODE = 'log.channels-stopped';
/** Intervals that are remembered, and how many of them a judgement needs. */
const REMEMBERED = 32;
const NEEDED = 16;
/** An interval is regular within these multiples of the median, and a beat when so many of its intervals are. */
const REGULAR = { least: 0.4, most: 2.5, share: 0.9 };
/** Rows of a block that are looked at: the last ones tell the beat of now. */
const ROWS_MAX = 64;
/** Silence shorter than this is none: programs write in bursts. Milliseconds; the second while the bursts are not known. */
const SILENCE_MS = { known: 10_000, unknown: 60_000 };
const ARRIVALS_KNOWN = 3;
/** A look that comes later than this after the one before was no steady watch, milliseconds. */
const STEP_MAX_MS = 60_000;

/** The last values of a series that grows by one at a time. */
class Recent {
  readonly #values = new Float64Array(REMEMBERED);
  count = 0;

  add(value: number): void {
    this.#values[this.count % REMEMBERED] = value;
    this.count += 1;
  }

  /** Those that are remembered, rising. */
  get sorted(): Float64Array {
    return this.#values.slice(0, Math.min(this.count, REMEMBERED)).sort();
  }
}

/** Whether the rows of a file are those of a value that is measured on a beat. */
interface FileFacts {
  hasRepeated: boolean;
  hasTurned: boolean;
}

class Channel {
  readonly file: FileFacts;
  /** Milliseconds between two stamps, and between two arrivals while it was watched. */
  readonly #intervals = new Recent();
  readonly #arrivals = new Recent();
  lastMs = Number.NaN;
  #values: [number, number] = [Number.NaN, Number.NaN];
  #turns = 0;
  /** When it was heard last, by the time of the watch; NaN: not in this run. */
  heardMs = Number.NaN;
  /** When it is missed; null: not worked out since it was heard. */
  #dueMs: number | null = null;

  constructor(file: FileFacts) {
    this.file = file;
  }

  /** Take its next row in. */
  note(timeMs: number, value: number): void {
    // Rows that go back or stand still (a clock change, a copied block) tell nothing of the beat.
    if (timeMs > this.lastMs) this.#intervals.add(timeMs - this.lastMs);
    const [first, second] = this.#values;
    if ((second - first) * (value - second) < 0) this.#turns += 1;
    if (this.#turns >= 3) this.file.hasTurned = true;
    if (value !== second) this.#values = [second, value];
    this.lastMs = timeMs;
  }

  /** Rows of it came now. */
  hear(nowMs: number): void {
    if (nowMs > this.heardMs) this.#arrivals.add(nowMs - this.heardMs);
    this.heardMs = nowMs;
    this.#dueMs = null;
  }

  /** When its silence is longer than its pauses tell, by the time of the watch. */
  get dueMs(): number {
    if (this.#dueMs !== null) return this.#dueMs;
    const intervals = this.#intervals.sorted;
    const usual = intervals[Math.floor(intervals.length * 0.9)] ?? 0;
    const least = this.#arrivals.count >= ARRIVALS_KNOWN ? SILENCE_MS.known : SILENCE_MS.unknown;
    const longest = Math.max(6 * usual, 1.5 * (intervals.at(-1) ?? 0), 6 * (this.#arrivals.sorted.at(-1) ?? 0));
    this.#dueMs = this.heardMs + Math.max(least, longest);
    return this.#dueMs;
  }

  /** Median time between two rows where it is on a beat, milliseconds; null: it is not. */
  get beatMs(): number | null {
    const sorted = this.#intervals.sorted;
    const median = sorted[Math.floor(sorted.length / 2)];
    if (sorted.length < NEEDED || median === undefined || !(this.file.hasRepeated || this.file.hasTurned)) return null;
    const regular = sorted.filter((one) => one >= REGULAR.least * median && one <= REGULAR.most * median);
    return regular.length >= sorted.length * REGULAR.share ? median : null;
  }
}

/** Watches a folder, and says which channels have stopped. */
export class StoppedChannels {
  readonly #channels = new Map<string, Channel>();
  readonly #files = new Map<string, FileFacts>();
  readonly #board: NoteBoard;
  #lookedAtMs = Number.NaN;
  #watchedMs = 0;
  /** When something was written in the folder last, by the time of the watch. */
  #writtenMs = Number.NaN;

  constructor(note: (note: SourceNote) => void) {
    this.#board = new NoteBoard(note);
  }

  /** A look begins, at this monotonic time in milliseconds. */
  look(monotonicMs: number): void {
    const stepMs = monotonicMs - this.#lookedAtMs;
    if (stepMs > 0 && stepMs <= STEP_MAX_MS) this.#watchedMs += stepMs;
    this.#lookedAtMs = monotonicMs;
  }

  /** Rows of a series of files were read; null: something was, and gave no row. Old ones (not live) only teach the beat. */
  heard(series: string, block: Readings | null, isLive: boolean): void {
    if (isLive) this.#writtenMs = this.#watchedMs;
    if (block === null) return;
    const file = this.#files.get(series) ?? { hasRepeated: false, hasTurned: false };
    this.#files.set(series, file);
    const width = block.channels.length;
    const rows = block.timesMs.length;
    const from = Math.max(0, rows - ROWS_MAX);
    file.hasRepeated ||= hasRepeatedRow(block, from);
    for (const [column, name] of block.channels.entries()) {
      const channel = this.#channels.get(name) ?? new Channel(file);
      if (this.#channels.size < CHANNELS_MAX) this.#channels.set(name, channel);
      if (from > 0) channel.lastMs = Number.NaN;
      let hasPoint = false;
      for (let row = from; row < rows; row++) {
        const value = block.values[row * width + column] as number;
        if (Number.isNaN(value)) continue;
        channel.note(block.timesMs[row] as number, value);
        hasPoint = true;
      }
      if (hasPoint && isLive) channel.hear(this.#watchedMs);
    }
  }

  /** Say what has changed. */
  publish(): void {
    const stopped: string[] = [];
    for (const [name, channel] of this.#channels) {
      // Most were heard just now. What was not heard in this run is not missed.
      if (!(this.#watchedMs - channel.heardMs > SILENCE_MS.known)) continue;
      // Nothing else was written since it was due: then nothing can be said of it alone.
      if (this.#writtenMs <= channel.dueMs || channel.beatMs === null) continue;
      stopped.push(`${name} (every ${formatDuration(channel.beatMs)}, last ${formatSecond(channel.lastMs)})`);
    }
    this.#tell(stopped);
  }

  /** The run ends: what was said of now no longer holds. */
  end(): void {
    this.#tell([]);
  }

  #tell(stopped: readonly string[]): void {
    this.#board.keepOnly(CODE, stopped);
    for (const subject of stopped) this.#board.add(CODE, remarkOf(CODE), subject);
    this.#board.publish();
  }
}

function hasRepeatedRow({ values, channels, timesMs }: Readings, from: number): boolean {
  const width = channels.length;
  for (let row = from + 1; row < timesMs.length; row++) {
    let column = 0;
    while (column < width && Object.is(values[row * width + column], values[(row - 1) * width + column])) column += 1;
    if (column === width && width > 0) return true;
  }
  return false;
}
