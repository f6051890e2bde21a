// "npm run test:stress -- FILE...": runs test files again and again on a machine that is busy, and prints what failed. A test
// that depends on chance or on speed shows here rather than in the one run that somebody waits for.
//
//   --times N     how often each file runs (50)
//   --beside N    how many runs of it go on at a time (4)
//
// Each core also gets a process that keeps it busy. It ends with 1 when a run failed.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildWhenStale } from './build-when-stale.ts';

const top = join(import.meta.dirname, '../..');
const vitest = join(top, 'node_modules/vitest/vitest.mjs');

interface Run {
  readonly passed: number;
  /** Names of tests with their first line of failure. */
  readonly failures: readonly string[];
  readonly ms: number;
}

interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly { status: string; fullName: string; failureMessages: readonly string[] }[];
  }[];
}

function readReport(path: string, printed: string): Omit<Run, 'ms'> {
  let report: Report;
  try {
    report = JSON.parse(readFileSync(path, 'utf8')) as Report;
  } catch {
    return { passed: 0, failures: [`no report: ${printed.slice(-2000)}`] };
  }
  const failures = report.testResults.flatMap(({ status, message = '', assertionResults }) => {
    const failed = assertionResults.filter((one) => one.status === 'failed');
    const ofTests = failed.map((one) => `${one.fullName}: ${(one.failureMessages[0] ?? '').slice(0, 1500)}`);
    return ofTests.length === 0 && status === 'failed' ? [`the file: ${message.slice(0, 1500)}`] : ofTests;
  });
  return { passed: report.numPassedTests, failures };
}

/** Run a file once, as `npm test` does. */
function runOnce(file: string, report: string): Promise<Run> {
  const startMs = performance.now();
  const options = ['--reporter=json', `--outputFile=${report}`, '--maxWorkers=1'];
  const child = spawn(process.execPath, [vitest, 'run', file, ...options], { cwd: top, env: process.env });
  let printed = '';
  const keep = (bytes: Buffer) => {
    printed = (printed + bytes.toString()).slice(-20_000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  return new Promise((resolve) => {
    child.on('close', (code) => {
      const { passed, failures } = readReport(report, printed);
      const all = code !== 0 && failures.length === 0 ? [`ended with ${code}: ${printed.slice(-2000)}`] : failures;
      resolve({ passed, failures: all, ms: performance.now() - startMs });
    });
  });
}

async function stress(file: string, times: number, beside: number, folder: string): Promise<Run[]> {
  const runs: Run[] = [];
  let begun = 0;
  const goOn = async (): Promise<void> => {
    while (begun < times) {
      begun += 1;
      const run = await runOnce(file, join(folder, `${begun}.json`));
      runs.push(run);
      for (const failure of run.failures) console.log(`run ${runs.length} of ${file} failed: ${failure}\n`);
    }
  };
  await Promise.all(Array.from({ length: beside }, goOn));
  return runs;
}

const median = (sorted: readonly number[]) => sorted[Math.floor(sorted.length / 2)] ?? 0;

function summary(file: string, runs: readonly Run[]): string {
  const failed = runs.filter(({ failures }) => failures.length > 0).length;
  const sorted = runs.map(({ ms }) => ms / 1000).toSorted((a, b) => a - b);
  const times = `median ${median(sorted).toFixed(1)} s, longest ${(sorted.at(-1) ?? 0).toFixed(1)} s`;
  return `${file}: ${runs.length} runs of ${runs[0]?.passed ?? 0} tests, ${failed} failed; ${times}`;
}

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'string', default: '50' }, beside: { type: 'string', default: '4' } },
});
if (files.length === 0) {
  console.error('Name a test file: npm run test:stress -- test/unit/delivery/upload/line.test.ts');
  process.exit(2);
}
const missing = files.filter((file) => !existsSync(join(top, file)));
if (missing.length > 0) {
  console.error(`There is no file ${missing.join(', ')}; write the path from the project's folder on.`);
  process.exit(2);
}
if (!buildWhenStale(() => console.log('Building the product for the tests.'))) process.exit(1);
const folder = mkdtempSync(join(tmpdir(), 'stress-'));
const busy = Array.from({ length: availableParallelism() }, () =>
  spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' }),
);
let failed = 0;
try {
  for (const file of files) {
    const runs = await stress(file, Number(values.times), Number(values.beside), folder);
    failed += runs.filter(({ failures }) => failures.length > 0).length;
    console.log(summary(file, runs));
  }
} finally {
  for (const child of busy) child.kill();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
