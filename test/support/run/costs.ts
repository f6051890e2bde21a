// Where the time of a test run went, printed at its end: clock and processor time of each project, the files that took
// longest, and the slowest tests. "Waiting" is the clock time in which neither the file nor its processes used a processor.
import type { Reporter, TestModule } from 'vitest/node';
import type { FileCost } from './file-cost.ts';

const LISTED = 20;
/** A run of fewer files is watched by a person, who needs no table. */
const FILES_MIN = 10;

interface Row {
  readonly project: string;
  readonly name: string;
  readonly tests: number;
  readonly clockMs: number;
  readonly cost: FileCost;
}

const inSeconds = (ms: number) => (ms / 1000).toFixed(1).padStart(8);

function describe(name: string, rows: readonly Row[]): string {
  const sum = (partOf: (row: Row) => number) => rows.reduce((total, row) => total + partOf(row), 0);
  const clockMs = sum(({ clockMs: ms }) => ms);
  const ownMs = sum((row) => row.cost.ownMs);
  const childrenMs = sum((row) => row.cost.childrenMs);
  const waitingMs = sum(({ clockMs: ms, cost }) => Math.max(0, ms - cost.ownMs - cost.childrenMs));
  const counts = `${String(sum((row) => row.tests)).padStart(6)} ${String(sum((row) => row.cost.processes)).padStart(6)}`;
  return `${inSeconds(clockMs)} ${inSeconds(ownMs)} ${inSeconds(childrenMs)} ${inSeconds(waitingMs)} ${counts}  ${name}`;
}

function readRow(module: TestModule): Row {
  const { duration, collectDuration, setupDuration } = module.diagnostic();
  const { cost } = module.meta() as { cost?: FileCost };
  return {
    project: module.project.name,
    name: module.relativeModuleId,
    tests: [...module.children.allTests()].length,
    clockMs: duration + collectDuration + setupDuration,
    cost: cost ?? { ownMs: 0, childrenMs: 0, processes: 0 },
  };
}

export default class Costs implements Reporter {
  readonly #startMs = performance.now();

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < FILES_MIN) return;
    const rows = modules.map(readRow);
    const projects = Map.groupBy(rows, ({ project }) => project);
    const byClock = rows.toSorted((a, b) => b.clockMs - a.clockMs).slice(0, LISTED);
    const tests = modules
      .flatMap((module) => [...module.children.allTests()].map((test) => ({ module, test })))
      .map(({ module, test }) => ({ ms: test.diagnostic()?.duration ?? 0, name: test.fullName, module }))
      .toSorted((a, b) => b.ms - a.ms)
      .slice(0, LISTED);
    const head = 'clock s    own s processes  waiting  tests  started';
    console.log(`\nTime by project (processor time of the files' own processes and of those they started)\n ${head}`);
    for (const [project, of] of projects) console.log(describe(`${project}, ${of.length} files`, of));
    console.log(describe(`all, ${rows.length} files`, rows));
    console.log(`The ${byClock.length} slowest files\n ${head}`);
    for (const row of byClock) console.log(describe(row.name, [row]));
    console.log(`The ${tests.length} slowest tests\n clock s`);
    for (const { ms, name, module } of tests) console.log(`${inSeconds(ms)}  ${module.relativeModuleId}: ${name}`);
    console.log(`${((performance.now() - this.#startMs) / 60_000).toFixed(1)} minutes by the clock`);
  }
}
