// `npm run torture -- --minutes N`: kills, power cuts and simulated lives, as many as fit into the time, and one table.
// It ends with 1 when anything was lost, doubled, altered or is a gap that nobody made.
//
//   --minutes N       time for all of it (5)
//   --kills N, --states N, --seeds N   stop each kind after so many; 0 leaves it out
//   --seed N          where seeds begin (by chance)
//   --states-of N, --kills-of N        repeat what a table named
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { findShimObstacle } from '../support/faults/fault-shim.ts';
import { runKills } from './kills.ts';
import { judgeStates, recordWriter } from './power-cuts.ts';
import { drawTable, Score } from './score.ts';
import type { WorkerJob, WorkerRound } from './torture-worker.ts';

/** How the time is shared out. Kills take longest to come by. */
const SHARES = { kills: 0.45, states: 0.35, seeds: 0.2 };
const THREADS = 2;
const STATES_REPEATED = 500;
const CAPTURES = 60;

export interface TortureOptions {
  readonly minutes: number;
  readonly seed: number;
  /** Most rounds of each kind. */
  readonly kills: number;
  readonly states: number;
  readonly seeds: number;
}

async function kill({ minutes, seed, kills }: TortureOptions): Promise<Score> {
  const score = new Score('kills');
  const endMs = Date.now() + minutes * 60_000 * SHARES.kills;
  const startMs = performance.now();
  const goOn = () => score.rounds < kills && Date.now() < endMs;
  await runKills(seed, goOn, ({ verdict, queueSeed }) => {
    score.add(verdict, `npm run torture -- --kills-of ${queueSeed}`);
  });
  score.spentMs = performance.now() - startMs;
  return score;
}

/** Let threads do rounds of a kind. */
async function inThreads(kind: WorkerJob['kind'], rounds: number, options: TortureOptions): Promise<Score> {
  const score = new Score(kind === 'states' ? 'disk states' : 'simulated seeds');
  const startMs = performance.now();
  const endMs = Date.now() + options.minutes * 60_000 * SHARES[kind];
  const threads = Array.from({ length: THREADS }, (_, thread) => {
    const job: WorkerJob = {
      kind,
      seed: options.seed + thread,
      step: THREADS,
      endMs,
      rounds: Math.ceil((rounds - thread) / THREADS),
    };
    return new Promise<void>((resolve, reject) => {
      const worker = new Worker(new URL('./torture-worker.ts', import.meta.url), { workerData: job });
      worker.on('message', (round: WorkerRound) => {
        if ('faults' in round) score.add(round.faults, round.command);
        else score.fail(round.command, round.failure);
      });
      worker.on('error', reject);
      worker.on('exit', () => resolve());
    });
  });
  await Promise.all(threads);
  score.spentMs = performance.now() - startMs;
  return score;
}

/**
 * Run all kinds, one after the other.
 *
 * @param options - time, most rounds of each kind, and where seeds begin.
 * @returns the scores.
 */
export async function torture(options: TortureOptions): Promise<Score[]> {
  const scores: Score[] = [];
  if (options.kills > 0) scores.push(await kill(options));
  if (options.states > 0) scores.push(await inThreads('states', options.states, options));
  if (options.seeds > 0) scores.push(await inThreads('seeds', options.seeds, options));
  return scores;
}

async function repeatStates(seed: number): Promise<Score> {
  const score = new Score(`disk states of ${seed}`);
  const log = await recordWriter({ seed, captures: CAPTURES });
  judgeStates(log, seed, STATES_REPEATED, (faults, { at, kind, confirmed }) => {
    score.add(faults, `state ${kind} after ${at} operations, ${confirmed} rows confirmed`);
  });
  return score;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '5' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
      kills: { type: 'string', default: 'Infinity' },
      states: { type: 'string', default: 'Infinity' },
      seeds: { type: 'string', default: 'Infinity' },
      'states-of': { type: 'string' },
      'kills-of': { type: 'string' },
    },
  });
  const options = {
    minutes: Number(values.minutes),
    seed: Number(values.seed),
    kills: Number(values.kills),
    states: Number(values.states),
    seeds: Number(values.seeds),
  };
  const obstacle = findShimObstacle();
  if (obstacle) console.error(`power cuts are left out: ${obstacle}`);
  let scores: Score[];
  if (values['states-of']) scores = [await repeatStates(Number(values['states-of']))];
  else if (values['kills-of']) scores = [await kill({ ...options, seed: Number(values['kills-of']), kills: 75 })];
  else scores = await torture({ ...options, states: obstacle ? 0 : options.states });
  console.log(drawTable(scores));
  process.exitCode = scores.every(({ isClean }) => isClean) ? 0 : 1;
}

if (import.meta.main) await main();
