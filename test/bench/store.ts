// Figures of the queue with a large backlog: `npx n24 test/bench/store.ts [points]` (10,000,000). A table, then JSON.
//
//   append   one line of a log (32 channels) committed, synced: with 10,000 points waiting and with all of them, measured
//            in turn so that whatever else the machine does falls on both alike
//   memory   of the process while they wait
//   bytes    on disk for one waiting point, in chunks of 10 rows (live, one row a second) and of 1,000 (old logs)
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openQueue, type Queue } from '../../src-main/store/queue.ts';
import { CHANNELS, chunksCommit, lineCommit, openingCommit } from './growth-log.ts';

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

function fill(folder: string, name: string, points: number, rows: number, onPart?: (points: number) => void): Filled {
  const path = join(folder, `${name}.db`);
  const queue = openQueue(path);
  queue.commit(openingCommit(rows));
  const chunks = Math.max(1, Math.round(points / (rows * CHANNELS)));
  const perCommit = Math.max(1, Math.round(20_000 / rows));
  let sequence = 1;
  for (let index = 0; index < chunks; index += perCommit) {
    queue.commit(chunksCommit(++sequence, index, Math.min(perCommit, chunks - index), rows));
    onPart?.(index * rows * CHANNELS);
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

function memoryMegabytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss / 1e6;
}

function measure(points: number) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-store-'));
  try {
    const small = fill(folder, 'small', SMALL_POINTS, LIVE_ROWS);
    const memory = [{ points: SMALL_POINTS, megabytes: memoryMegabytes() }];
    let next = points / 10;
    const large = fill(folder, 'large', points, LIVE_ROWS, (done) => {
      if (done < next) return;
      memory.push({ points: done, megabytes: memoryMegabytes() });
      next += points / 10;
    });
    const [smallMs, largeMs]: [number[], number[]] = [[], []];
    for (let i = 0; i < APPENDS + WARM_UP; i++) {
      const times = [append(small), append(large)] as const;
      if (i < WARM_UP) continue;
      smallMs.push(times[0]);
      largeMs.push(times[1]);
    }
    memory.push({ points: large.queue.tally(1).waitingPoints, megabytes: memoryMegabytes() });
    const tallyStartMs = performance.now();
    large.queue.tally(200);
    const tallyMs = performance.now() - tallyStartMs;
    const live = bytesAPoint(large);
    small.queue.close();
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

const figures = measure(Number(process.argv[2] ?? 10_000_000));
const { append: appendFigures, memory, bytesAPoint: bytes } = figures;
const last = memory.at(-1);
console.log(`
waiting points                       ${SMALL_POINTS.toLocaleString('en')}    ${figures.points.toLocaleString('en')}    ratio
append, median                       ${appendFigures.smallMs.toFixed(2)} ms    ${appendFigures.largeMs.toFixed(2)} ms    ${appendFigures.ratio.toFixed(2)}
append, 99 of 100                    ${appendFigures.small99Ms.toFixed(2)} ms    ${appendFigures.large99Ms.toFixed(2)} ms
memory of the process                ${memory[0]?.megabytes.toFixed(0)} MB    ${last?.megabytes.toFixed(0)} MB
bytes a waiting point, live          ${bytes.live.toFixed(2)} (chunks of ${LIVE_ROWS} rows)
bytes a waiting point, old logs      ${bytes.backfill.toFixed(2)} (chunks of ${BACKFILL_ROWS} rows)
tally                                ${figures.tallyMs.toFixed(2)} ms
opening the large queue              ${figures.openMs.toFixed(0)} ms
`);
console.log(JSON.stringify(figures));
