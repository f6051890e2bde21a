// The built program in a Node of its own, with Electron played by the fake.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { tempFolder } from '../temp-folder.ts';

const top = join(import.meta.dirname, '../../..');

/** Address of a file of the repository, for `import`. */
export const urlOf = (path: string) => pathToFileURL(join(top, path)).href;

/** Runs before anything else: `electron` is the fake, one and the same for the bundle and the script. */
const hooks = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve: (name, context, next) =>
      name === 'electron' ? { url: ${JSON.stringify(urlOf('test/fakes/electron.ts'))}, shortCircuit: true } : next(name, context),
  });
  const until = async (isTrue) => {
    for (const endMs = performance.now() + 90_000; performance.now() < endMs; ) {
      if (isTrue()) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    // The program outlives what is thrown: a script that cannot go on ends it.
    console.log('waited in vain for ' + isTrue);
    process.exit(3);
  };
`;

/**
 * Run a script; it has \`until\`, and prints what it found as \`REPORT {...}\`. Takes the script, the folder that is its
 * user's home, and variables besides.
 *
 * @returns what it reported, and everything it printed.
 */
export function runPlayed(
  script: string,
  { home = tempFolder('bundle'), env = {} }: { home?: string; env?: Record<string, string> } = {},
): Promise<{ report: Record<string, unknown>; code: number | null; printed: string }> {
  const file = join(home, 'script.mjs');
  writeFileSync(file, hooks + script);
  const folders = { XDG_DATA_HOME: home, XDG_CACHE_HOME: join(home, 'cache'), LOCALAPPDATA: home, HOME: home };
  const child = spawn(process.execPath, [file], { cwd: top, env: { ...process.env, ...folders, ...env } });
  // The program outlives faults and time-outs of its test: it must not outlive the test itself.
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  const read = (text: Buffer) => {
    printed += text;
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  return new Promise((resolve) =>
    // Not "exit": the report may still be on its way then.
    child.on('close', (code) => {
      const line = printed.match(/^REPORT (.*)$/m)?.[1] ?? '{}';
      resolve({ report: JSON.parse(line), code, printed });
    }),
  );
}
