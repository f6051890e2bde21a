#!/usr/bin/env node
// The command of the npm package. Epistream runs on Node 24, which npm brings along as a package of its own for this system;
// where that was left out, on the Node that runs this file, if it is new enough.
//   epistream                        records, with the screen in the browser at http://localhost:4310
//   epistream status                 a command; "epistream --help" lists them
// It runs on any Node from 20.19 on, so: nothing newer, and no dependency.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';

const NODE_MAJOR = 24;
const isWindows = process.platform === 'win32';

/** The pinned Node of this system; null where npm did not install it. */
function findPinned() {
  const { resolve } = createRequire(import.meta.url);
  for (const prefix of ['node', 'node-bin']) {
    try {
      const name = `${prefix}-${isWindows ? 'win' : process.platform}-${process.arch}`;
      return join(dirname(resolve(`${name}/package.json`)), 'bin', isWindows ? 'node.exe' : 'node');
    } catch {
      // The other one, or none.
    }
  }
  return null;
}

const isNewEnough = Number(process.versions.node.split('.')[0]) >= NODE_MAJOR;
const node = findPinned() ?? (isNewEnough ? process.execPath : null);
if (node === null) {
  console.error(
    `Epistream needs Node ${NODE_MAJOR}; this is ${process.version}, and npm did not install the one of its own.`,
  );
  console.error(`Install it again without --omit=optional, or install Node ${NODE_MAJOR} from nodejs.org.`);
  process.exit(1);
}

const given = process.argv.slice(2);
const isCommand = given.length > 0 && (['--help', '--version'].includes(given[0]) || !given[0].startsWith('-'));
const words = isCommand ? given : ['run', '--ui', '4310', '--open', ...given];
const script = join(import.meta.dirname, 'dist/main/cli.js');
const child = spawn(node, ['--max-semi-space-size=2', script, ...words], {
  stdio: 'inherit',
  // One pool of memory for all threads, which leaves fewer holes than one for each.
  env: { MALLOC_ARENA_MAX: '1', ...process.env },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  // On Windows the console tells the child by itself; kill() there ends it at once, without a word to it.
  process.on(signal, () => isWindows || child.kill(signal));
}
child.on('error', (error) => {
  console.error(`${node} could not be started: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 15)));
