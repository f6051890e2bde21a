// Builds the product when what is built is older than its sources: "npm start" before it opens anything, the tests before
// they start the built agent.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const top = join(import.meta.dirname, '../..');
const sources = ['src-main', 'src-renderer', 'vite.config.ts', 'package.json'];
const results = ['dist/renderer/index.html', 'dist/main/main.js', 'dist/preload/preload.cjs'];

function modifiedMs(path: string): number {
  return statSync(join(top, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function newestMs(path: string): number {
  if (!statSync(join(top, path)).isDirectory()) return modifiedMs(path);
  const names = readdirSync(join(top, path), { recursive: true, encoding: 'utf8' });
  return Math.max(modifiedMs(path), ...names.map((name) => modifiedMs(join(path, name))));
}

function isStale(): boolean {
  const newestSourceMs = Math.max(...sources.map(newestMs));
  return results.some((path) => modifiedMs(path) <= newestSourceMs);
}

/**
 * Build the product, in a process of its own, so that its memory is free when this returns. It prints its own faults.
 *
 * @param dist - the folder to build into, by its absolute path.
 * @returns whether it was built.
 */
export function build(dist: string): boolean {
  const vite = join(top, 'node_modules/vite/bin/vite.js');
  const { status } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'error'], {
    cwd: top,
    stdio: 'inherit',
    // Vitest tells what it starts that it is a test; a page built so would carry the development build of React.
    env: { ...process.env, NODE_ENV: 'production', VITEST: undefined, EPISTREAM_DIST: dist },
  });
  return status === 0;
}

/**
 * Build the product if its sources are newer than it is.
 *
 * @param announce - what to say before a build, which lasts some seconds.
 * @returns whether the product is built now.
 */
export function buildWhenStale(announce: () => void): boolean {
  if (!isStale()) return true;
  announce();
  return build(join(top, 'dist'));
}
