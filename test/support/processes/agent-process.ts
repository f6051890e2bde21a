// The real agent as a process of its own: the built one, as it ships, on the Node that runs the tests (`build-product.ts`).
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { askAgent } from '../../../src-main/platform/control.ts';

const TOP = join(import.meta.dirname, '../../..');
const CLI = join(TOP, 'dist/main/cli.js');
/** Where a script that runs from source keeps what Node makes of it: the next one is ready in half the processor time. */
const COMPILED = { NODE_COMPILE_CACHE: join(TOP, 'node_modules/.cache/compiled') };

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface AgentProcess {
  readonly child: ChildProcess;
  /** Fulfilled when the process has ended, with everything it printed. */
  readonly ended: Promise<Ended>;
  /** Everything printed so far, both channels. */
  printed(): string;
  /** Fulfilled when something printed matches. Rejects when the process ends first. */
  waitFor(pattern: RegExp): Promise<RegExpMatchArray>;
}

/**
 * Start a command of the command line; ended with the test at the latest.
 *
 * @param args - its words.
 * @param env - additions to the environment.
 * @param through - a program with its words that becomes the agent (`unshare -n`).
 * @param script - the script that is run instead of the built command line.
 */
export function startAgent(
  args: readonly string[],
  env: Record<string, string> = {},
  through: readonly string[] = [],
  script = CLI,
): AgentProcess {
  const [program = '', ...words] = [...through, process.execPath, script, ...args];
  const child = spawn(program, words, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, BROWSER: 'none', ...(script === CLI ? {} : COMPILED), ...env },
  });
  let out = '';
  let err = '';
  const watchers = new Set<() => void>();
  child.stdout.on('data', (bytes: Buffer) => {
    out += bytes.toString();
    for (const look of watchers) look();
  });
  child.stderr.on('data', (bytes: Buffer) => {
    err += bytes.toString();
    for (const look of watchers) look();
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, out, err }));
  });
  const awaited = new Set<RegExp>();
  onTestFinished(async () => {
    // A test that ran out of time says nothing of what it waited for.
    for (const pattern of awaited) console.error(`${pattern} was waited for, and never printed:\n${out}${err}`);
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  });
  const waitFor = (pattern: RegExp) =>
    new Promise<RegExpMatchArray>((resolve, reject) => {
      const look = () => {
        const found = (out + err).match(pattern);
        if (!found) return;
        awaited.delete(pattern);
        resolve(found);
      };
      awaited.add(pattern);
      watchers.add(look);
      look();
      void ended.then(() => {
        awaited.delete(pattern);
        reject(new Error(`ended without ${pattern}:\n${out}${err}`));
      });
    });
  return { child, ended, printed: () => out + err, waitFor };
}

/**
 * Ask the running agent of a data folder for its snapshot, by the loopback question that `status` asks.
 *
 * A process for each look would take half a second of a core; tests of the command itself run it.
 */
export async function readStatus(dataFolder: string): Promise<Snapshot> {
  const answer = await askAgent(dataFolder, { ask: 'status' });
  if (answer === undefined) throw new Error(`no agent runs in ${dataFolder}`);
  return Snapshot.parse(answer);
}

/** True when every thread of a process stands still; elsewhere than on Linux nobody can see it. */
function standsStill(pid: number): boolean {
  if (process.platform !== 'linux') return true;
  const tasks = `/proc/${pid}/task`;
  try {
    return readdirSync(tasks).every((task) => /\) T /.test(readFileSync(join(tasks, task, 'stat'), 'utf8')));
  } catch {
    // A thread that ended while it was looked at ran until then.
    return false;
  }
}

/** Do something while an agent stands still, so that no step of its own falls in between. */
export async function whileHalted({ child }: AgentProcess, work: () => void): Promise<void> {
  child.kill('SIGSTOP');
  try {
    while (!standsStill(child.pid as number)) await sleep(10);
    work();
  } finally {
    child.kill('SIGCONT');
  }
}

/** Run a command to its end. */
export function runAgent(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return startAgent(args, env).ended;
}
