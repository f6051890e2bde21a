// Which channels of a folder are quiet, and which have stopped. Pure: it is told what was read and what time it is.
//
// A channel on a beat that is overdue has stopped when something else of the folder was written after it was due: that is
// the proof that tool, share and agent are alive. Without such a proof nothing can be said of it alone: the silence of a
// whole source shows in its health. A channel that is logged on change is never overdue.
//
// Bounds: CHANNELS_MAX channels and FILES_MAX files are remembered. One that was not heard for an hour gives way to a new
// one; while there is none, a new channel is not watched. Time is the time for which the folder was looked at: while the
// PC slept or the agent stood still, nothing could be heard.
import type { Readings } from '../../../model/readings.ts';
import { Rhythm, type RhythmKind } from './rhythm.ts';

export const CHANNELS_MAX = 10_000;
const FILES_MAX = 2000;
/** A channel silent for so long can be forgotten, milliseconds. */
const FORGOTTEN_MS = 3_600_000;
/** Rows of a block that are looked at: the last ones tell the rhythm of now. */
const ROWS_MAX = 64;
/** A look that comes later than this after the one before was no steady watch, milliseconds. */
const STEP_MAX_MS = 60_000;
/** Silence shorter than this is none: programs write in bursts. Milliseconds; the second while a file is not known yet. */
const SILENCE_MS = { known: 10_000, unknown: 60_000 };
/** Gaps between two arrivals that are remembered of a file and of the folder. */
const ARRIVALS = 16;
/** A pause in rows of the past counts up to this: a longer one was the tool at rest, milliseconds. */
const PAST_PAUSE_MAX_MS = 3_600_000;

/**
 * What the silence of a channel means. `quiet`: it is logged on change, and nothing changes; `stopped`: it was due, and others
 * were written since; `unclear`: the same, but it may be logged on change; `overdue`: it was due, and so is all else.
 */
export type Silence = 'quiet' | 'overdue' | 'unclear' | 'stopped';

export interface SilentChannel {
  readonly channel: string;
  readonly silence: Silence;
  /** For how long nothing came, ms. */
  readonly silentMs: number;
  /** Stamp of its last row, Unix ms. */
  readonly lastMs: number;
  /** Median time between two rows, ms; NaN while not known. */
  readonly beatMs: number;
}

/** Longest of the last gaps between arrivals. */
class Arrivals {
  readonly #gaps = new Float64Array(ARRIVALS);
  #count = 0;
  lastMs = Number.NaN;

  note(nowMs: number): void {
    if (nowMs === this.lastMs) return;
    if (!Number.isNaN(this.lastMs)) {
      this.#gaps[this.#count % ARRIVALS] = nowMs - this.lastMs;
      this.#count += 1;
    }
    this.lastMs = nowMs;
  }

  get longestMs(): number {
    return Math.max(0, ...this.#gaps.subarray(0, Math.min(this.#count, ARRIVALS)));
  }

  get isKnown(): boolean {
    return this.#count >= 3;
  }
}

interface Heard {
  readonly rhythm: Rhythm;
  file: FileFacts;
  /** Whether rows repeat, over all files it stood in. */
  hasRepeated: boolean;
  lastMs: number;
  /** Watched time at which it was heard last; NaN: not since this run began. */
  heardAtMs: number;
  /** Watched time until which its silence says nothing. */
  dueAtMs: number;
}

class FileFacts {
  readonly arrivals = new Arrivals();
  hasRepeated = false;
  noisyChannels = 0;
}

export class SilenceWatch {
  readonly #channels = new Map<string, Heard>();
  readonly #files = new Map<string, FileFacts>();
  readonly #folder = new Arrivals();
  #lookedAtMs = Number.NaN;
  #watchedMs = 0;

  /**
   * A look begins.
   *
   * @param monotonicMs - monotonic milliseconds.
   */
  look(monotonicMs: number): void {
    const stepMs = monotonicMs - this.#lookedAtMs;
    if (stepMs > 0 && stepMs <= STEP_MAX_MS) this.#watchedMs += stepMs;
    this.#lookedAtMs = monotonicMs;
  }

  /**
   * Rows were read.
   *
   * @param file - the file's identity.
   * @param block - its rows.
   * @param isLive - whether they were written just now (else they only teach the rhythm).
   */
  heard(file: string, block: Readings, isLive: boolean): void {
    const facts = touch(this.#files, file, FILES_MAX, () => new FileFacts());
    const rows = block.timesMs.length;
    const width = block.channels.length;
    const from = Math.max(0, rows - ROWS_MAX);
    facts.hasRepeated ||= hasRepeatedRow(block, from);
    const nowMs = this.#watchedMs;
    let noisy = 0;
    for (const [column, name] of block.channels.entries()) {
      const channel = this.#channelOf(name, facts);
      if (channel === null) continue;
      channel.file = facts;
      channel.hasRepeated ||= facts.hasRepeated;
      // It was due, and others were written since: that is its way, then.
      const isOwnPause = isLive && this.#folder.lastMs > channel.dueAtMs;
      if (from > 0) channel.rhythm.skip();
      let hasPoint = false;
      for (let row = from; row < rows; row++) {
        const value = block.values[row * width + column] as number;
        if (Number.isNaN(value)) continue;
        const timeMs = block.timesMs[row] as number;
        const isPast = !isLive && timeMs - channel.lastMs <= PAST_PAUSE_MAX_MS;
        channel.rhythm.note(timeMs, value, isPast || (isLive && (hasPoint || isOwnPause)));
        channel.lastMs = timeMs;
        hasPoint = true;
      }
      if (hasPoint && isLive) channel.heardAtMs = nowMs;
      if (channel.rhythm.isNoisy) noisy += 1;
    }
    facts.noisyChannels = noisy;
    if (!isLive) return;
    this.#wrote(facts);
    for (const name of block.channels) {
      const channel = this.#channels.get(name);
      if (channel?.heardAtMs === nowMs) channel.dueAtMs = nowMs + usualSilenceMs(channel);
    }
  }

  /** Something was written into a file that gave no row. */
  wrote(file: string): void {
    this.#wrote(touch(this.#files, file, FILES_MAX, () => new FileFacts()));
  }

  /** The channels of this run that are silent, and what their silence means. */
  judge(): SilentChannel[] {
    const silent: SilentChannel[] = [];
    for (const [channel, heard] of this.#channels) {
      // False for NaN, too: what was not heard in this run is not missed.
      if (!(this.#watchedMs > heard.dueAtMs)) continue;
      const { rhythm, lastMs, heardAtMs, hasRepeated, file, dueAtMs } = heard;
      const kind = rhythm.kind({ hasRepeated, noisyChannels: file.noisyChannels });
      if (kind === 'learning') continue;
      const silence = kind === 'on-change' ? 'quiet' : silenceOf(kind, this.#folder.lastMs > dueAtMs);
      silent.push({ channel, silence, silentMs: this.#watchedMs - heardAtMs, lastMs, beatMs: rhythm.beatMs });
    }
    return silent;
  }

  #channelOf(name: string, facts: FileFacts): Heard | null {
    if (!this.#channels.has(name) && this.#channels.size >= CHANNELS_MAX) {
      const [oldest] = this.#channels.values();
      const isFresh = oldest !== undefined && this.#watchedMs - oldest.heardAtMs < FORGOTTEN_MS;
      if (isFresh) return null;
    }
    return touch(this.#channels, name, CHANNELS_MAX, () => newChannel(facts));
  }

  #wrote(facts: FileFacts): void {
    facts.arrivals.note(this.#watchedMs);
    this.#folder.note(this.#watchedMs);
  }
}

function newChannel(file: FileFacts): Heard {
  const none = { lastMs: Number.NaN, heardAtMs: Number.NaN, dueAtMs: Number.NaN };
  return { rhythm: new Rhythm(), file, hasRepeated: false, ...none };
}

/** How long a channel may be silent without anything being said of it, milliseconds. */
function usualSilenceMs({ rhythm, file }: Heard): number {
  const least = file.arrivals.isKnown ? SILENCE_MS.known : SILENCE_MS.unknown;
  return Math.max(least, rhythm.usualMs, 6 * file.arrivals.longestMs);
}

function silenceOf(kind: Exclude<RhythmKind, 'learning' | 'on-change'>, isFolderAlive: boolean): Silence {
  if (!isFolderAlive) return 'overdue';
  return kind === 'beat' ? 'stopped' : 'unclear';
}

function touch<T>(map: Map<string, T>, key: string, most: number, make: () => T): T {
  const known = map.get(key);
  if (known !== undefined) map.delete(key);
  const value = known ?? make();
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value as string);
  return value;
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
