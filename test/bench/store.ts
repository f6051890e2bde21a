// Figures of the queue with a large backlog: `npx n24 test/bench/store.ts [points]` (10,000,000). A table, then JSON.
//
//   append   one line of a log (32 channels) committed, synced: with 10,000 points waiting and with all of them, measured
//            in turn so that whatever else the machine does falls on both alike
//   memory   of the process while they wait
//   bytes    on disk for one waiting point, in chunks of 10 rows (live, one row a second) and of 1,000 (old logs)
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openQueue, type Queue } from '../../src-main/queue/store/queue.ts';
import { CHANNELS, chunksCommit, lineCommit, openingCommit } from './parts/growth-log.ts';

const SMALL_POINTS = 10_000;
const LIVE_ROWS = 10;
const BACKFILL_ROWS = 1000;
const APPENDS = 600;
const WARM_UP = 60;

interface Filled {
  readonly queue: Queue;
  readonly path: string;
  sequence: number;
  row: number;
}

function fill(folder: string, name: string, points: number, rows: number): Filled {
  const path = join(folder, `${name}.db`);
  const queue = openQueue(path);
  queue.commit(openingCommit(rows));
  const chunks = Math.max(1, Math.round(points / (rows * CHANNELS)));
  const perCommit = Math.max(1, Math.round(20_000 / rows));
  let sequence = 1;
  for (let index = 0; index < chunks; index += perCommit) {
    queue.commit(chunksCommit(++sequence, index, Math.min(perCommit, chunks - index), rows));
  }
  return { queue, path, sequence, row: chunks * rows };
}

function append(filled: Filled): number {
  const commit = lineCommit(++filled.sequence, filled.row++);
  const startMs = performance.now();
  filled.queue.commit(commit);
  return performance.now() - startMs;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] as number;
const percentile99 = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] as number;

function bytesAPoint({ queue, path }: Filled): number {
  const { waitingPoints } = queue.tally(1);
  queue.close();
  return statSync(path).size / waitingPoints;
}

/** Memory of a fresh process that opens a queue, appends lines to it and delivers chunks of it. */
function memoryMegabytes(path: string, sequence: number, row: number): number {
  const args = [import.meta.filename, '--work', path, String(sequence), String(row)];
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

/** What that process does. */
function work(path: string, sequence: number, row: number): void {
  const queue = openQueue(path);
  for (let i = 0; i < 300; i++) queue.commit(lineCommit(sequence + 1 + i, row + i));
  for (let i = 0; i < 300; i++) {
    const chunk = queue.nextChunk(1);
    if (chunk) queue.acknowledge(chunk.id, i);
  }
  queue.tally(200);
  console.log(process.memoryUsage().rss / 1e6);
  queue.close();
}

function measure(points: number) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-store-'));
  try {
    const small = fill(folder, 'small', SMALL_POINTS, LIVE_ROWS);
    const large = fill(folder, 'large', points, LIVE_ROWS);
    const [smallMs, largeMs]: [number[], number[]] = [[], []];
    for (let i = 0; i < APPENDS + WARM_UP; i++) {
      const times = [append(small), append(large)] as const;
      if (i < WARM_UP) continue;
      smallMs.push(times[0]);
      largeMs.push(times[1]);
    }
    const tallyStartMs = performance.now();
    large.queue.tally(200);
    const tallyMs = performance.now() - tallyStartMs;
    const live = bytesAPoint(large);
    small.queue.close();
    const memory = [small, large].map(({ path, sequence, row }) => memoryMegabytes(path, sequence, row));
    const backfill = bytesAPoint(fill(folder, 'backfill', points / 10, BACKFILL_ROWS));
    const openStartMs = performance.now();
    openQueue(large.path).close();
    return {
      points,
      append: {
        smallMs: median(smallMs),
        largeMs: median(largeMs),
        ratio: median(largeMs) / median(smallMs),
        small99Ms: percentile99(smallMs),
        large99Ms: percentile99(largeMs),
      },
      memory,
      bytesAPoint: { live, backfill },
      tallyMs,
      openMs: performance.now() - openStartMs,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function report(points: number): void {
  const figures = measure(points);
  const { append: times, memory, bytesAPoint: bytes } = figures;
  const row = (what: string, small: string, large: string, ratio = '') =>
    console.log(`${what.padEnd(34)}${small.padStart(12)}${large.padStart(14)}${ratio.padStart(8)}`);
  const ms = (value: number) => `${value.toFixed(2)} ms`;
  row('waiting points', SMALL_POINTS.toLocaleString('en'), points.toLocaleString('en'), 'ratio');
  row('append, median', ms(times.smallMs), ms(times.largeMs), times.ratio.toFixed(2));
  row('append, 99 of 100', ms(times.small99Ms), ms(times.large99Ms));
  row('memory of a process at work', ...(memory.map((size) => `${size.toFixed(0)} MB`) as [string, string]));
  row(`bytes a point, chunks of ${LIVE_ROWS} rows`, '', bytes.live.toFixed(2));
  row(`bytes a point, chunks of ${BACKFILL_ROWS} rows`, '', bytes.backfill.toFixed(2));
  row('tally', '', ms(figures.tallyMs));
  row('opening', '', ms(figures.openMs));
  console.log(JSON.stringify(figures));
}

const [first, path = '', sequence, row] = process.argv.slice(2);
if (first === '--work') work(path, Number(sequence), Number(row));
else report(Number(first ?? 10_000_000));
