// The agent as a user starts it, in a process of its own, with its screen in a browser; and the service beside it.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const top = join(import.meta.dirname, '../..');
/** A build may be needed before the first line, milliseconds. */
const START_MAX_MS = 120_000;
/** Only what hangs is killed: a busy machine may take its time to write down the last points, milliseconds. */
const STOP_MAX_MS = 50_000;

export interface Running {
  /** What the pattern found in the first lines. */
  readonly found: string;
  /** Everything it has written so far. */
  output(): string;
  /** Ask it to end (or kill it). **Gives**: its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * Start a script of the project on this Node and wait for a line.
 *
 * **Takes**: the script, its arguments, what to look for in its output, and additions to the environment.
 * **Errors**: with all its output when it ends before, or takes longer than two minutes.
 */
export async function startScript(
  script: string,
  args: readonly string[],
  pattern: RegExp,
  env: Record<string, string> = {},
): Promise<Running> {
  const child = spawn(process.execPath, [join(top, script), ...args], {
    cwd: top,
    env: { ...process.env, BROWSER: 'none', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => endWithin(child, ended, signal);
  onTestFinished(async () => {
    await stop();
  });
  let output = '';
  const found = await new Promise<string>((resolve, reject) => {
    const give = (why: string) => reject(new Error(`${script} ${args.join(' ')}: ${why}\n${output}`));
    const timer = setTimeout(() => give(`nothing like ${pattern} in ${START_MAX_MS} ms`), START_MAX_MS);
    const read = (text: Buffer) => {
      output += text;
      const match = output.match(pattern);
      if (!match) return;
      clearTimeout(timer);
      resolve(match[0]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    // Not "exit": what it said last may still be on its way then.
    child.once('close', (code) => give(`ended with ${code}`));
  });
  return { found, output: () => output, stop };
}

async function endWithin(child: ChildProcess, ended: Promise<number | null>, signal: NodeJS.Signals) {
  if (child.exitCode === null && child.signalCode === null) child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MAX_MS);
  const code = await ended;
  clearTimeout(timer);
  return code;
}

/** Start as "npm start" does on a PC without Electron. **Gives**: `found` is the link that opens the screen once. */
export function startWithScreen(dataFolder: string, env: Record<string, string> = {}): Promise<Running> {
  const link = /http:\/\/127\.0\.0\.1:\d+\/enter\?token=\S+/;
  const noElectron = { ELECTRON_OVERRIDE_DIST_PATH: join(dataFolder, 'no-electron') };
  return startScript('resources/scripts/start.ts', ['--data', dataFolder, '--ui', '0'], link, {
    ...noElectron,
    ...env,
  });
}

/** Start the embedded service on its own. **Gives**: `found` is its address. */
export async function startService(dataFolder: string, port: number, key: string): Promise<Running & { url: string }> {
  const args = ['service', '--data', dataFolder, '--port', String(port)];
  const running = await startScript('src-main/cli.ts', args, /http:\/\/127\.0\.0\.1:\d+/, { EPISTREAM_API_KEY: key });
  return { ...running, url: running.found };
}
