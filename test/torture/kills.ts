// Start, act, kill (SIGKILL), judge, again and again; and the kills of a writer at random moments, many a second: the next writer
// is started and loaded while the present one writes, and told where to write only when the present one is dead. What else is
// killed stands in support/faults/kills.ts.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openQueue } from '../../src-main/queue/store/queue.ts';
import { Chance } from '../simulation/random.ts';
import { judgeQueue, type Verdict } from './truth.ts';
import { bundleWriter, WriterProcess } from './writer-process.ts';

/** Most rows that a writer stores before it is killed. */
const LIFE_ROWS = 600;
/** Kills that one queue file goes through before the next one is begun. */
const KILLS_A_QUEUE = 25;
const WARM = 3;
/** Queues that are worked on side by side: while one waits for its writer's end, another is checked. */
const CHAINS = 3;

/** A process that is to be killed. */
export interface Life {
  readonly child: ChildProcess;
  /** Fulfilled when it is gone. */
  readonly ended: Promise<{ readonly signal: NodeJS.Signals | null }>;
}

/** What is killed, and what must hold then. `kill` counts from 0. */
export interface Act<L extends Life> {
  /** Its process ends by itself once its work is done, perhaps before its moment: such a life is judged, and is no kill. */
  readonly mayEnd?: boolean;
  start(kill: number): L;
  /** Fulfilled at the moment of the kill. It may kill by itself, where the moment is a sharp one. */
  act(life: L, kill: number): Promise<void>;
  /** Called after each kill. */
  judge?(life: L, kill: number): void | Promise<void>;
  /** Called when all kills are over. Takes how many there were. */
  end?(kills: number): Promise<void>;
}

/**
 * Start, act, kill, judge.
 *
 * @param goOn - whether to go on; asked before each life.
 * @throws what `judge` throws, and when a process that must not ends by itself.
 */
export async function killOver<L extends Life>(act: Act<L>, goOn: (kill: number) => boolean): Promise<void> {
  for (let kill = 0; goOn(kill); ) {
    const life = act.start(kill);
    await Promise.race([act.act(life, kill), life.ended]);
    life.child.kill('SIGKILL');
    const { signal } = await life.ended;
    if (signal !== 'SIGKILL' && !act.mayEnd) throw new Error(`life ${kill} ended by itself`);
    await act.judge?.(life, kill);
    if (signal === 'SIGKILL') kill += 1;
  }
}

/** One round: a writer was killed, the queue was opened and compared with the rows that it had confirmed. */
export interface KillRound {
  readonly verdict: Verdict;
  readonly queueSeed: number;
}

/** Take one queue through its kills. */
async function runQueue(
  start: () => WriterProcess,
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
  const act: Act<WriterProcess> = {
    start,
    act: (writer) => {
      writer.confirmed = confirmed;
      writer.begin({ path, seed: chance.between(1, 2 ** 31), captures: null, reserveBytes: 0 });
      return writer.more(chance.between(0, LIFE_ROWS));
    },
    judge: (writer) => {
      const queue = openQueue(path, { reserveBytes: 0 });
      const verdict = judgeQueue(queue, writer.confirmed);
      queue.close();
      confirmed = verdict.rows;
      onRound({ verdict, queueSeed });
    },
  };
  await killOver(act, (kill) => kill < KILLS_A_QUEUE && goOn());
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
  // Writers that are loaded and wait for their job.
  const warm: WriterProcess[] = [];
  const take = () => {
    while (warm.length <= WARM) {
      warm.push(new WriterProcess(() => spawn(process.execPath, [file], { stdio: 'pipe' })));
    }
    return warm.shift() as WriterProcess;
  };
  const folder = mkdtempSync(join(process.platform === 'linux' ? '/dev/shm' : tmpdir(), 'kills-'));
  let queueSeed = seed;
  const chain = async () => {
    while (goOn()) await runQueue(take, folder, queueSeed++, goOn, onRound);
  };
  try {
    await Promise.all(Array.from({ length: CHAINS }, chain));
  } finally {
    for (const writer of warm) await writer.kill();
    rmSync(folder, { recursive: true, force: true });
    rmSync(file, { force: true });
  }
}
