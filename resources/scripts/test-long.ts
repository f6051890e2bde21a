// "npm run test:long": what is too long for "npm test": kills, power cuts, soaks, long outages, long walks, every instrument
// over a pseudo-terminal. "EPISTREAM_LONG=bounded npm run test:long" does a part of each and ends within minutes, as CI does.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const vitest = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', 'long', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, EPISTREAM_LONG: process.env.EPISTREAM_LONG ?? 'full' },
});
process.exitCode = status ?? 1;
