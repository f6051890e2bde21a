// A thread of the torture run: it judges disk states of one record after the other, or lives seeds, until it is told to
// stop, and tells what it found every few rounds.
import { parentPort, workerData } from 'node:worker_threads';
import { simulate } from '../simulation/simulate.ts';
import { judgeStates, recordWriter } from './power-cuts.ts';
import type { Faults } from './score.ts';

export interface WorkerJob {
  readonly kind: 'states' | 'seeds';
  readonly seed: number;
  /** Seeds from one thread to the next. */
  readonly step: number;
  readonly endMs: number;
  readonly rounds: number;
}

/** One message: a round that was done. */
export type WorkerRound = { readonly command: string } & ({ readonly faults: Faults } | { readonly failure: string });

/** States that one record is good for. */
const STATES_A_RECORD = 500;
const CAPTURES = 60;

const { kind, seed, step, endMs, rounds } = workerData as WorkerJob;
let done = 0;
const isOver = () => done >= rounds || Date.now() >= endMs;

function tell(round: WorkerRound): void {
  done += 1;
  parentPort?.postMessage(round);
}

function words(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}

async function runStates(): Promise<void> {
  for (let own = seed; !isOver(); own += step) {
    const command = `npm run torture -- --states-of ${own}`;
    try {
      const log = await recordWriter({ seed: own, captures: CAPTURES });
      judgeStates(log, own, Math.min(STATES_A_RECORD, rounds - done), (faults) => tell({ command, faults }), isOver);
    } catch (thrown) {
      tell({ command, failure: words(thrown) });
    }
  }
}

async function runSeeds(): Promise<void> {
  for (let own = seed; !isOver(); own += step) {
    const command = `npx n24 test/simulation/simulate.ts ${own}`;
    try {
      tell({ command, faults: await simulate(own) });
    } catch (thrown) {
      tell({ command, failure: words(thrown) });
    }
  }
}

if (parentPort) await (kind === 'states' ? runStates() : runSeeds());
