// Programs besides Node that some tests need. A machine without one leaves these tests out, and the end of the run says which
// programs are missing (tally.ts).
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findBrowserObstacle } from '../page/browser.ts';
import { findPythonObstacle } from '../rigs/python.ts';

const runs = (program: string, word: string) => spawnSync(program, [word]).error === undefined;

const TOOLS: Readonly<Record<string, () => boolean>> = {
  'Chromium (or Chrome, Edge)': () => findBrowserObstacle() === null,
  Python: () => findPythonObstacle('csv') === null,
  'pandas and h5py for Python': () => findPythonObstacle('pandas', 'h5py') === null,
  PostgreSQL: () => existsSync('/usr/lib/postgresql'),
  socat: () => runs('socat', '-V'),
  openssl: () => runs('openssl', 'version'),
  faketime: () => runs('faketime', '--version'),
  udunits2: () => runs('udunits2', '-V'),
  logrotate: () => existsSync('/usr/sbin/logrotate'),
  gcc: () => runs('gcc', '--version'),
  unzip: () => runs('unzip', '-v'),
};

/** Names of the programs that this machine lacks. */
export const missingTools = (): string[] => Object.entries(TOOLS).flatMap(([name, isHere]) => (isHere() ? [] : [name]));
