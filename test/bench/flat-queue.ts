// Cost with nothing waiting against 100 million points waiting: `npm run bench -- flat-queue [points]` (100,000,000), after
// `npm run build`. Needs about 1 byte of disk a point, and some minutes to fill the queue.
//
//   append       one line of a log of 32 channels committed, synced
//   seal         one chunk of 1,000 rows of 32 channels committed, synced
//   next chunk   the chunk that goes out next, read and checked
//   acknowledge  that chunk acknowledged, synced
//   tally        what the screen asks
//   start-up     the built agent on that queue, its service away, a tool writing: from the start of the process to the first
//                rows of the tool in the queue, as its own door tells
//
// Both queues are measured in turn, so that whatever else the machine does falls on both alike.
import { mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { askAgent } from '../../src-main/platform/control.ts';
import { openQueue, type Queue } from '../../src-main/queue/store/queue.ts';
import { CHANNELS, chunksCommit, lineCommit, openingCommit } from './parts/growth-log.ts';
import { inFolder, MeasuredAgent, median, RowWriter, tableLine } from './parts/rig.ts';

const ROWS_PER_CHUNK = 1000;
const CHUNKS_A_COMMIT = 10;
const TURNS = 300;
const WARM_UP = 30;
const STARTS = Number(process.env.EPISTREAM_ROUNDS ?? 5);
/** Nobody listens there. */
const AWAY = 'http://127.0.0.1:9';
const START_MAX_MS = 60_000;
const STEPS = ['append', 'seal', 'next chunk', 'acknowledge', 'tally'] as const;
const points = Number(process.argv[2] ?? 100_000_000);

type Times = Record<(typeof STEPS)[number], number[]>;

class Filled {
  readonly folder: string;
  readonly path: string;
  readonly queue: Queue;
  readonly times: Times = { append: [], seal: [], 'next chunk': [], acknowledge: [], tally: [] };
  #sequence = 1;
  #chunks = 0;

  constructor(folder: string, chunks: number) {
    this.folder = folder;
    this.path = join(folder, 'data/queue.db');
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    this.queue = openQueue(this.path);
    this.queue.commit(openingCommit(ROWS_PER_CHUNK));
    while (this.#chunks < chunks) this.seal(Math.min(CHUNKS_A_COMMIT, chunks - this.#chunks));
  }

  #timed<T>(step: keyof Times, work: () => T): T {
    const startMs = performance.now();
    const value = work();
    this.times[step].push(performance.now() - startMs);
    return value;
  }

  seal(chunks: number): void {
    this.queue.commit(chunksCommit(++this.#sequence, this.#chunks, chunks, ROWS_PER_CHUNK));
    this.#chunks += chunks;
  }

  /** One step of each kind. The commits are made ready outside of the time. */
  turn(): void {
    const line = lineCommit(++this.#sequence, this.#chunks * ROWS_PER_CHUNK + this.times.append.length);
    this.#timed('append', () => this.queue.commit(line));
    const sealing = chunksCommit(++this.#sequence, this.#chunks++, 1, ROWS_PER_CHUNK);
    this.#timed('seal', () => this.queue.commit(sealing));
    const chunk = this.#timed('next chunk', () => this.queue.nextChunk(1));
    if (!chunk) throw new Error('No chunk waits.');
    this.#timed('acknowledge', () => this.queue.acknowledge(chunk.id, Date.now()));
    this.#timed('tally', () => this.queue.tally(200));
  }

  get waitingPoints(): number {
    return this.queue.tally(1).waitingPoints;
  }

  medianMs(step: keyof Times): number {
    return median(this.times[step].slice(WARM_UP));
  }
}

/** Keys of the files that the agent has read from, as its queue holds them; none while it does not answer yet. */
async function filesRead(folder: string): Promise<string[]> {
  const asked = askAgent(join(folder, 'data'), { ask: 'positions', sourceId: 'log' });
  // Not yet announced, or nothing is recorded yet.
  const answer = (await asked.catch(() => undefined)) as [string, string][] | undefined;
  // What begins with @ is of the folder as a whole.
  return (answer ?? []).map(([key]) => key).filter((key) => !key.startsWith('@'));
}

/**
 * Start the agent at a log that it has not seen.
 *
 * @returns milliseconds until rows of it are in the queue.
 */
async function startUp(folder: string, round: number): Promise<number> {
  const logs = join(folder, `logs-${round}`);
  const tool = RowWriter.start(logs, 20, 100);
  // Its first rows are written before the agent begins.
  await setTimeout(1000);
  const known = new Set(seen.get(folder));
  const startMs = performance.now();
  const starting = MeasuredAgent.start({ folder, url: AWAY, logs, pointsPerChunk: 1000 }, 'run');
  try {
    for (;;) {
      const files = await filesRead(folder);
      const tookMs = performance.now() - startMs;
      seen.set(folder, files);
      if (files.some((key) => !known.has(key))) return tookMs;
      if (tookMs > START_MAX_MS) throw new Error('No row was read.');
      await setTimeout(10);
    }
  } finally {
    await Promise.all([tool.end(), (await starting).end()]);
  }
}

/** Files that were read from in rounds before. */
const seen = new Map<string, string[]>();

await inFolder(async (folder) => {
  const empty = new Filled(join(folder, 'empty'), 0);
  const full = new Filled(join(folder, 'full'), Math.round(points / (ROWS_PER_CHUNK * CHANNELS)));
  const { waitingPoints } = full;
  const bytes = statSync(full.path).size + statSync(`${full.path}-wal`).size;
  for (let i = 0; i < TURNS + WARM_UP; i++) for (const queue of [empty, full]) queue.turn();
  const steps = STEPS.map((step) => ({ step, emptyMs: empty.medianMs(step), fullMs: full.medianMs(step) }));
  for (const { queue } of [empty, full]) queue.close();
  const starts: { empty: number[]; full: number[] } = { empty: [], full: [] };
  for (let round = 0; round < STARTS; round++) {
    starts.empty.push(await startUp(empty.folder, round));
    starts.full.push(await startUp(full.folder, round));
  }
  const start = { step: 'start-up', emptyMs: median(starts.empty), fullMs: median(starts.full) };
  console.log(tableLine('median', 'nothing waits', `${waitingPoints.toLocaleString('en')} points wait`, 'ratio'));
  console.log(tableLine('---', '---', '---', '---'));
  for (const { step, emptyMs, fullMs } of [...steps, start]) {
    const ratio = (fullMs / emptyMs).toFixed(2);
    console.log(tableLine(step, `${emptyMs.toFixed(2)} ms`, `${fullMs.toFixed(2)} ms`, ratio));
  }
  console.log(tableLine('bytes a waiting point', '', (bytes / waitingPoints).toFixed(2), ''));
  console.log(JSON.stringify({ waitingPoints, bytes, steps, starts }));
});
