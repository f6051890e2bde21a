// Kills (SIGKILL) of a writer at random moments, many a second: the next writer is started and loaded while the present
// one writes, and told where to write only when the present one is dead.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { openQueue } from '../../src-main/queue/store/queue.ts';
import { Chance } from '../simulation/random.ts';
import { judgeQueue, type Verdict } from './truth.ts';
import { WriterProcess } from './writer-process.ts';

const TOP = join(import.meta.dirname, '../..');
/** Longest that a writer lives, milliseconds. */
const LIFE_MS = 30;
/** Kills that one queue file goes through before the next one is begun. */
const KILLS_A_QUEUE = 25;
const WARM = 3;
/** Queues that are worked on side by side: while one waits for its writer's end, another is checked. */
const CHAINS = 3;

/** One round: a writer was killed, the queue was opened and held against what it had confirmed. */
export interface KillRound {
  readonly verdict: Verdict;
  readonly queueSeed: number;
  readonly kill: number;
}

/** The writer in one file: a process that loads no other source is ready in half the time. */
async function bundleWriter(): Promise<string> {
  const folder = join(TOP, 'node_modules/.cache/torture');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `writer-${process.pid}.mjs`);
  const bundle = await rolldown({
    input: join(import.meta.dirname, 'writer.ts'),
    platform: 'node',
    external: ['better-sqlite3', 'temporal-polyfill'],
  });
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  await bundle.close();
  return file;
}

/** Writers that are loaded and wait for their job. */
class WarmPool {
  readonly #file: string;
  readonly #warm: WriterProcess[] = [];

  constructor(file: string) {
    this.#file = file;
    for (let i = 0; i < WARM; i++) this.#add();
  }

  take(): WriterProcess {
    const writer = this.#warm.shift() as WriterProcess;
    this.#add();
    return writer;
  }

  async close(): Promise<void> {
    for (const writer of this.#warm) await writer.kill();
  }

  #add(): void {
    this.#warm.push(new WriterProcess((): ChildProcess => spawn(process.execPath, [this.#file], { stdio: 'pipe' })));
  }
}

async function killOnce(pool: WarmPool, path: string, confirmed: number, chance: Chance): Promise<number> {
  const writer = pool.take();
  writer.confirmed = confirmed;
  const started = new Promise((resolve) => writer.child.stdout?.once('data', resolve));
  writer.begin({ path, seed: chance.between(1, 2 ** 31), captures: null, reserveBytes: 0 });
  await started;
  await new Promise((resolve) => setTimeout(resolve, chance.next() * LIFE_MS));
  await writer.kill();
  return writer.confirmed;
}

/** Take one queue through its kills. */
async function runQueue(
  pool: WarmPool,
  folder: string,
  queueSeed: number,
  goOn: () => boolean,
  onRound: (round: KillRound) => void,
): Promise<void> {
  const chance = new Chance(queueSeed);
  const own = join(folder, String(queueSeed));
  const path = join(own, 'queue.db');
  mkdirSync(own);
  let confirmed = 0;
  for (let kill = 0; kill < KILLS_A_QUEUE && goOn(); kill++) {
    confirmed = await killOnce(pool, path, confirmed, chance);
    const queue = openQueue(path, { reserveBytes: 0 });
    const verdict = judgeQueue(queue, confirmed);
    queue.close();
    confirmed = verdict.rows;
    onRound({ verdict, queueSeed, kill });
  }
  rmSync(own, { recursive: true });
}

/**
 * Kill writers until told to stop.
 *
 * @param goOn - whether to go on (asked before each round).
 * @param onRound - what to do with each round.
 */
export async function runKills(seed: number, goOn: () => boolean, onRound: (round: KillRound) => void): Promise<void> {
  const file = await bundleWriter();
  const pool = new WarmPool(file);
  const folder = mkdtempSync(join(process.platform === 'linux' ? '/dev/shm' : tmpdir(), 'kills-'));
  let queueSeed = seed;
  const chain = async () => {
    while (goOn()) await runQueue(pool, folder, queueSeed++, goOn, onRound);
  };
  try {
    await Promise.all(Array.from({ length: CHAINS }, chain));
  } finally {
    await pool.close();
    rmSync(folder, { recursive: true, force: true });
    rmSync(file, { force: true });
  }
}
