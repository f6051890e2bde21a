// "npm run test:long": what is too long for "npm test": kills, power cuts, soaks, long outages, long walks, every instrument
// over a pseudo-terminal. "EPISTREAM_LONG=bounded npm run test:long" does a part of each and ends within minutes, as CI does.
// "npm run test:wine" and "npm run test:debian" likewise: what needs another system, Windows made of Wine and a bare Debian.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const vitest = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs');
const [project = 'long', ...words] = process.argv.slice(2);
const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', project, ...words], {
  stdio: 'inherit',
  env: { ...process.env, EPISTREAM_LONG: process.env.EPISTREAM_LONG ?? 'full' },
});
process.exitCode = status ?? 1;
