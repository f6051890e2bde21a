// What a test file costs: processor time of its own process and of those that it started, and how many it started. Runs in
// the process of the file before and after it, since several files may share one; the reporter (costs.ts) prints the sums.
import { subscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { afterAll } from 'vitest';

export interface FileCost {
  /** Processor time of the file's own process, its start included where no other file shares it, milliseconds. */
  readonly ownMs: number;
  /** Processor time of the processes that it started and that have ended, milliseconds; 0 where the system does not say. */
  readonly childrenMs: number;
  /** How many processes it started. */
  readonly processes: number;
}

/** Length of a tick in `/proc/self/stat` on Linux (proc(5)), milliseconds. */
const TICK_MS = 10;
/** Place of `cutime` behind the name of the program in `/proc/self/stat`; `cstime` follows. */
const CUTIME = 13;

/** Counted once a process, however many files it runs. */
const counts = globalThis as { startedProcesses?: number; countedCost?: FileCost };
if (counts.startedProcesses === undefined) {
  counts.startedProcesses = 0;
  subscribe('child_process', () => {
    counts.startedProcesses = (counts.startedProcesses ?? 0) + 1;
  });
}

function readChildrenMs(): number {
  if (process.platform !== 'linux') return 0;
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[CUTIME]) + Number(fields[CUTIME + 1])) * TICK_MS;
}

function readCost(): FileCost {
  const { user, system } = process.cpuUsage();
  return { ownMs: (user + system) / 1000, childrenMs: readChildrenMs(), processes: counts.startedProcesses ?? 0 };
}

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads which fixtures are used off this pattern.
afterAll(({}, file) => {
  const now = readCost();
  const before = counts.countedCost ?? { ownMs: 0, childrenMs: 0, processes: 0 };
  counts.countedCost = now;
  const cost: FileCost = {
    ownMs: now.ownMs - before.ownMs,
    childrenMs: now.childrenMs - before.childrenMs,
    processes: now.processes - before.processes,
  };
  (file as { meta: object }).meta = { ...file.meta, cost };
});
