// "npm start": builds what is older than its sources, then opens the desktop application; where that cannot be, the same
// agent with its screen in a browser. Further arguments are passed on: "npm start -- --data D --ui 5000".
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildWhenStale } from './build-when-stale.ts';
import { findElectron, whyNoDisplay } from './find-electron.ts';

/** Port of the screen in a browser unless --ui names another. */
const PORT = '4310';
const top = join(import.meta.dirname, '../..');

/** Build what is older than its sources, or end with what to do about it. */
function build(): void {
  const isBuilt = buildWhenStale(() =>
    console.log('Building Epistream; this is needed once after each change and takes some seconds.'),
  );
  if (isBuilt) return;
  console.error(
    'Epistream could not be built.\n  hint: run "npm ci" again, then "npm run build" to see what is wrong.',
  );
  process.exit(1);
}

function startDesktop(path: string, args: readonly string[]): void {
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  const child = spawn(path, [top, ...args], { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // On Windows the console tells each program by itself, and kill() ends one at once.
    process.on(signal, () => process.platform === 'win32' || child.kill(signal));
  }
  child.on('error', (fault) => {
    console.error(`Electron could not be started: ${fault.message}`);
    process.exit(1);
  });
  child.on('exit', (code) => process.exit(code ?? 1));
}

/** The command line runs in this very process, so that a signal reaches it once and its exit code is ours. */
async function startInBrowser(args: readonly string[]): Promise<void> {
  const port = args.some((arg) => arg === '--ui' || arg.startsWith('--ui=')) ? [] : ['--ui', PORT];
  process.argv = [...process.argv.slice(0, 2), 'run', ...port, '--open', ...args];
  await import('../../src-main/cli.ts');
}

async function start(args: readonly string[]): Promise<void> {
  build();
  const electron = findElectron();
  const whyNot = electron.path === null ? electron.why : whyNoDisplay();
  if (electron.path !== null && whyNot === '') return startDesktop(electron.path, args);
  console.log(`The screen opens in a browser, because ${whyNot}.`);
  await startInBrowser(args);
}

const args = process.argv.slice(2);
// Who asks for help opens nothing: the command line answers, and needs nothing built.
if (args.includes('--help')) await startInBrowser(args);
else await start(args);
