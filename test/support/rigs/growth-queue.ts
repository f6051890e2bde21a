// A data folder with a whole growth in its queue, written as the recorder does: two sources, gaps, units that change in the
// middle. What stands in it is told by series, to be compared with what is exported.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Commit, NewChunk } from '../../../src-main/model/queue.ts';
import { openQueue } from '../../../src-main/queue/store/queue.ts';
import { tempFolder } from '../temp-folder.ts';
import { emptyCommit } from './small-queue.ts';

const CHUNK_ROWS = 500;

export interface GrowthQueueOptions {
  /** Seconds; a reading a second. */
  readonly seconds: number;
  readonly channels: number;
  readonly gaps: number;
  /** Names of the first channels; absent: made up. */
  readonly names?: readonly string[];
  /** Unix ms of the first reading. */
  readonly startMs?: number;
}

interface ToldSeries {
  readonly source: string;
  readonly channel: string;
  readonly unit: string;
  readonly timesMs: number[];
  readonly values: number[];
}

export interface GrowthQueue {
  readonly data: string;
  readonly growth: string;
  readonly series: readonly ToldSeries[];
  readonly gaps: readonly { source: string; fromMs: number; toMs: number; cause: string }[];
  readonly points: number;
}

/** Values that lose something when a writer is careless. */
const ODD = [-0, 5e-324, 1.7976931348623157e308, 1e21, 0.1 + 0.2, -1e-7, 9007199254740991];
const numberOf = (channel: number, n: number) =>
  n % 997 === 0 ? (ODD[(channel + n / 997) % ODD.length] as number) : channel * 1000 + n / 3;
const unitOf = (channel: number) => ['°C', 'mbar', 'W', 'sccm', 'Å/s', '%'][channel % 6] as string;

/** Night in which Europe sets its clocks back: 01:00 UTC of this day lies in the middle of 8 hours from here. */
const NIGHT_MS = Date.UTC(2026, 9, 24, 21);

/**
 * Write a growth. Half of the channels are of the source `log`, half of `plc`; in the middle two of `log` change their unit,
 * which begins a new stream.
 */
export function writeGrowthQueue(options: GrowthQueueOptions): GrowthQueue {
  const { seconds, channels, gaps, names = [], startMs = NIGHT_MS } = options;
  const data = join(tempFolder('growth-queue'), 'data');
  mkdirSync(data);
  const queue = openQueue(join(data, 'queue.db'), { reserveBytes: 0 });
  const endMs = startMs + seconds * 1000;
  const middle = Math.floor(seconds / 2);
  const half = Math.floor(channels / 2);
  const streams = [
    { id: 1, source: 'log', from: 0, to: middle, first: 0, count: half, changed: false },
    { id: 2, source: 'plc', from: 0, to: seconds, first: half, count: channels - half, changed: false },
    { id: 3, source: 'log', from: middle, to: seconds, first: 0, count: half, changed: true },
  ];
  const gapSeconds = Math.max(2, Math.floor(seconds / gaps / 8));
  const told = Array.from({ length: gaps }, (_, i) => {
    const from = Math.floor(((i + 0.5) * seconds) / gaps);
    const source = i % 2 === 0 ? 'log' : 'plc';
    return { source, from, to: from + gapSeconds, cause: i % 3 === 0 ? 'link-down' : 'silent, "no" answer; =1+1' };
  });
  const isGone = (source: string, n: number) => told.some((gap) => gap.source === source && n > gap.from && n < gap.to);
  const part = { name: 'G-042', sampleId: null, newSampleName: null, projectId: null };
  const growth = {
    id: 'grwth1',
    startedMs: startMs - 5000,
    startCause: 'by hand',
    endedMs: endMs,
    endCause: 'by hand',
    fileName: null,
    parts: [{ id: 'part1', fromMs: startMs - 5000, toMs: endMs, ...part }],
    restarts: [],
  };
  let channelId = 0;
  const series: ToldSeries[] = [];
  const commit: { -readonly [N in 'streams' | 'channels' | 'changes']: Commit[N][number][] } = {
    streams: [],
    channels: [],
    changes: [],
  };
  const chunks: NewChunk[][] = [];
  for (const { id, source, from, to, first, count, changed } of streams) {
    const readings: number[] = [];
    for (let n = from; n < to; n++) if (!isGone(source, n)) readings.push(n);
    // Fractions of a millisecond are kept, too.
    const stamp = (n: number) => startMs + n * 1000 + (n % 2 === 0 ? 0 : 0.25);
    commit.streams.push({
      ...{ id, sourceId: source, period: 'p', nonce: `nonce${id}`, name: `T ${source} 2026 nonce${id}` },
      ...{ openedMs: startMs, pointsPerChunk: CHUNK_ROWS, synthSourceId: null, growth: 'part1' },
    });
    const own = Array.from({ length: count }, (_, i) => {
      const number = first + i;
      const unit = changed && number === 0 ? 'K' : changed && number === 1 ? 'Pa' : unitOf(number);
      channelId += 1;
      const channel = names[number] ?? (number === 2 ? '=cmd|calc, "x"' : `ch ${String(number + 1).padStart(2, '0')}`);
      commit.channels.push({ id: channelId, streamId: id, name: channel, unit });
      const found = series.find((one) => one.source === source && one.channel === channel && one.unit === unit);
      const to = found ?? { source, channel, unit, timesMs: [], values: [] };
      if (!found) series.push(to);
      for (const n of readings) {
        to.timesMs.push(stamp(n));
        to.values.push(numberOf(number, n));
      }
      return { id: channelId, number };
    });
    const lastReadingMs = stamp(readings.at(-1) as number);
    commit.changes.push({
      ...{ id, rowsRead: readings.length, points: readings.length * count, refused: 0 },
      ...{ firstReadingMs: stamp(readings[0] as number), lastReadingMs, pointsPerChunk: null, closedMs: endMs },
    });
    for (let at = 0, index = 0; at < readings.length; at += CHUNK_ROWS, index++) {
      const rows = readings.slice(at, at + CHUNK_ROWS);
      chunks.push([
        {
          ...{ streamId: id, channelIds: own.map((one) => one.id), index, rows: rows.length },
          timesMs: Float64Array.from(rows, stamp),
          values: Float64Array.from(own.flatMap(({ number }) => rows.map((n) => numberOf(number, n)))),
        },
      ]);
    }
  }
  const gapRows = told.map(({ source, from, to, cause }) => {
    return { sourceId: source, fromMs: startMs + from * 1000, toMs: startMs + to * 1000, cause };
  });
  const marks = [
    { sourceId: '(notes)', timeMs: startMs + 1000, text: 'substrate looks cloudy', place: '', line: null, byte: null },
    { sourceId: 'log', timeMs: startMs + 2000, text: 'Ga shutter open', place: 'events.txt', line: 3, byte: 40 },
  ];
  queue.commit({ ...emptyCommit, sequence: 1, ...commit, gaps: gapRows, growths: [growth], marks });
  for (const [i, some] of chunks.entries()) queue.commit({ ...emptyCommit, sequence: i + 2, chunks: some });
  queue.close();
  return {
    ...{ data, growth: growth.id, series },
    gaps: gapRows.map(({ sourceId, ...gap }) => ({ source: sourceId, ...gap })),
    points: series.reduce((sum, { values }) => sum + values.length, 0),
  };
}
