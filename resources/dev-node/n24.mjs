#!/usr/bin/env node
// n24 <tool | script.ts | --node-flag> [arguments]
//
// Starts a tool of this repository on the pinned Node 24, whichever Node runs npm. It exists because better-sqlite3
// crashes on Node 20, undici 8 does not load there, and a `node` bin in node_modules/.bin is not made by every npm.
// It runs on any Node from 18 on, so: no dependency, no TypeScript.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const PINNED_MAJOR = 24;
/** How often it is looked whether the process that started this is still there, milliseconds. */
const STARTER_LOOK_MS = 1000;
const modules = findModules();

/** The node_modules folder this file is linked into; npm names the project root when it runs a script. */
function findModules() {
  const starts = [process.env.npm_config_local_prefix, process.cwd(), dirname(fileURLToPath(import.meta.url))];
  for (const start of starts) {
    for (let folder = start; folder && folder !== dirname(folder); folder = dirname(folder)) {
      if (existsSync(join(folder, 'node_modules', 'dev-node'))) return join(folder, 'node_modules');
    }
  }
  return join(process.cwd(), 'node_modules');
}

function nodeBinary() {
  const isWindows = process.platform === 'win32';
  const os = isWindows ? 'win' : process.platform;
  const packages = [`node-${os}-${process.arch}`, `node-bin-${os}-${process.arch}`];
  const roots = [modules, join(modules, 'dev-node', 'node_modules')];
  const candidates = roots.flatMap((root) =>
    packages.map((name) => join(root, name, 'bin', isWindows ? 'node.exe' : 'node')),
  );
  const found = candidates.find((path) => existsSync(path));
  if (found) return found;
  if (Number(process.versions.node.split('.')[0]) >= PINNED_MAJOR) return process.execPath;
  console.error(
    `Epistream's tools need Node ${PINNED_MAJOR}; this is ${process.version} and no pinned binary is installed.`,
  );
  console.error('Run "npm ci" without --omit=optional, or install Node 24 from nodejs.org.');
  process.exit(1);
}

/** A script path stays what it is; a tool's name becomes the JavaScript file that its package declares as bin. */
function entryFile(name) {
  if (name.startsWith('-')) return name;
  if (/\.(ts|mts|mjs|js)$/.test(name)) return resolve(name);
  const owner = { tsc: 'typescript', biome: '@biomejs/biome' }[name] ?? name;
  const folder = join(modules, owner);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin[name]);
}

const [name = '--version', ...rest] = process.argv.slice(2);
const node = nodeBinary();
const child = spawn(node, [entryFile(name), ...rest], {
  stdio: 'inherit',
  env: {
    // TypeScript that was translated once is kept. Node translates in WebAssembly, in each thread for itself: threads that do
    // so at a time can crash the process, it takes 15 MB, and time at each start.
    NODE_COMPILE_CACHE: join(modules, '.cache', 'node'),
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
  },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  // On Windows the console tells each program of Ctrl+C and of its closing by itself; kill() there ends a program at once,
  // without a word to it.
  process.on(signal, () => process.platform === 'win32' || child.kill(signal));
}
// npm passes a signal on to its shell alone, which dies of it and tells nobody: what was started would run on, unseen.
const starter = process.ppid;
setInterval(() => {
  if (process.ppid !== starter) child.kill();
}, STARTER_LOOK_MS).unref();
child.on('error', (error) => {
  console.error(`n24 could not start ${name}: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 15)));
