// A writer is recorded, and disks as a power cut at some moment may have left them are opened with the agent's own
// openQueue: every confirmed row must be there once and unaltered, and the agent must not call the disk's rest damage.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openQueue } from '../../src-main/queue/store/queue.ts';
import { recordScript } from '../support/faults/fault-shim.ts';
import { type CutState, cutPower, layOut, readOperations } from '../support/faults/power-cut.ts';
import { judgeQueue, type Verdict } from './truth.ts';

const WRITER = join(import.meta.dirname, 'writer.ts');
/** In memory: what a disk does with it is modelled, not measured. */
const SCRATCH = process.platform === 'linux' ? '/dev/shm' : tmpdir();

export interface RecordOptions {
  readonly seed: number;
  readonly captures: number;
  readonly isLying?: boolean;
}

/**
 * Record what a writer of the truth writes.
 *
 * @returns the log's bytes.
 * @throws when the writer failed.
 */
export async function recordWriter({ seed, captures, isLying = false }: RecordOptions): Promise<Buffer> {
  const folder = mkdtempSync(join(SCRATCH, 'power-cut-'));
  try {
    const options = { match: 'queue.db', folder, log: join(folder, 'record.log'), isLying };
    const job = { path: join(folder, 'queue.db'), seed, captures, reserveBytes: 0 };
    return await recordScript(options, WRITER, [], `${JSON.stringify(job)}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Open a state as the agent would after the power is back, and hold it against the truth. */
export function judgeState(state: CutState): Verdict {
  const folder = mkdtempSync(join(SCRATCH, 'cut-state-'));
  try {
    layOut(state, folder);
    const queue = openQueue(join(folder, 'queue.db'), { reserveBytes: 0 });
    try {
      return judgeQueue(queue, state.confirmed);
    } finally {
      queue.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Judge many states of one record. Takes the record, seed and number of states, what to do with each verdict, and whether to
 * stop early.
 */
export function judgeStates(
  log: Buffer,
  seed: number,
  states: number,
  onVerdict: (verdict: Verdict, state: CutState) => void,
  isOver: () => boolean = () => false,
): void {
  for (const state of cutPower(readOperations(log), seed, states)) {
    if (isOver()) return;
    onVerdict(judgeState(state), state);
  }
}
