// What the program is made of: pinned, hashed, allowed, and free of what is known to be dangerous.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const top = join(import.meta.dirname, '../..');

test('npm tells nothing of itself in the terminal that shows the link of the screen', () => {
  const settings = readFileSync(join(top, '.npmrc'), 'utf8').split('\n');
  for (const quiet of ['update-notifier=false', 'fund=false', 'audit=false']) expect(settings).toContain(quiet);
});

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly license?: string;
  readonly hasInstallScript?: boolean;
}
const { packages } = JSON.parse(readFileSync(join(top, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};
const installed = Object.entries(packages)
  .filter(([path, { link }]) => path.startsWith('node_modules/') && !link)
  .map(([path, locked]) => ({ path, name: path.slice(path.lastIndexOf('node_modules/') + 13), ...locked }));

/** Packages that ship with the program beside the bundles. A new one is a decision, not an accident. */
const SHIPPED = [
  '@serialport/binding-mock',
  '@serialport/bindings-cpp',
  '@serialport/bindings-interface',
  '@serialport/parser-byte-length',
  '@serialport/parser-cctalk',
  '@serialport/parser-delimiter',
  '@serialport/parser-inter-byte-timeout',
  '@serialport/parser-packet-length',
  '@serialport/parser-readline',
  '@serialport/parser-ready',
  '@serialport/parser-regex',
  '@serialport/parser-slip-encoder',
  '@serialport/parser-spacepacket',
  '@serialport/stream',
  'better-sqlite3',
  'chokidar',
  'debug',
  'ms',
  'node-addon-api',
  'node-gyp-build',
  'readdirp',
  'serialport',
  'undici',
];

/** Packages that would run something when they are installed; `.npmrc` keeps all of them from it. */
const WITH_INSTALL_SCRIPT = [
  '@serialport/bindings-cpp',
  'better-sqlite3',
  'electron',
  'electron-winstaller',
  'fsevents',
];

/** Versions of Electron with faults that concern this program: for each, the first fixed version of each major. */
const ELECTRON_FAULTS = [
  {
    id: 'GHSA-7m48-wc93-9g85',
    what: 'check of the archive passed by',
    fixedIn: ['22.3.24', '24.8.3', '25.8.1', '26.2.1'],
  },
  { id: 'GHSA-6r2x-8pq8-9489', what: 'overflow in nativeImage', fixedIn: ['28.3.2', '29.3.3', '30.0.3'] },
  { id: 'GHSA-vmqv-hx8q-j7mj', what: 'check of the archive passed by', fixedIn: ['35.7.5', '36.8.1', '37.3.1'] },
];

const numbersOf = (version: string) => version.split('.').map(Number) as [number, number, number];

function isBefore(version: string, other: string): boolean {
  const [a, b] = [numbersOf(version), numbersOf(other)];
  const at = a.findIndex((number, i) => number !== b[i]);
  return at !== -1 && (a[at] as number) < (b[at] as number);
}

/** A version has a fault when it is older than the fixed one of its major, or than all of them. */
function hasFault(version: string, fixedIn: readonly string[]): boolean {
  const [major] = numbersOf(version);
  const own = fixedIn.find((fixed) => numbersOf(fixed)[0] === major);
  if (own !== undefined) return isBefore(version, own);
  return major < Math.max(...fixedIn.map((fixed) => numbersOf(fixed)[0]));
}

test('every dependency is named with one version, and locked with its hash', () => {
  const named = { ...manifest.dependencies, ...manifest.devDependencies };
  const loose = Object.entries(named).filter(([, version]) => !/^(\d+\.\d+\.\d+|file:.+)$/.test(version));
  expect(loose).toEqual([]);
  expect(installed.length).toBeGreaterThan(100);
  expect(installed.filter(({ integrity }) => !integrity?.startsWith('sha512-')).map(({ name }) => name)).toEqual([]);
});

test('125: what ships is on the list, under a licence that allows it, and no install script runs', () => {
  const shipped = installed.filter(({ dev, devOptional }) => !dev && !devOptional);
  expect([...new Set(shipped.map(({ name }) => name))].sort()).toEqual(SHIPPED);
  const licences = new Set(shipped.map(({ license }) => license));
  expect(
    [...licences].filter((licence) => !['MIT', 'ISC', 'Apache-2.0', 'BSD-3-Clause'].includes(licence ?? '')),
  ).toEqual([]);
  const scripted = new Set(installed.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name));
  expect([...scripted].filter((name) => !WITH_INSTALL_SCRIPT.includes(name))).toEqual([]);
  expect(readFileSync(join(top, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m);
});

test('126: Electron has none of the faults that are known and concern this program', () => {
  const { electron } = manifest.devDependencies;
  expect(ELECTRON_FAULTS.filter(({ fixedIn }) => hasFault(electron, fixedIn))).toEqual([]);
  expect(hasFault('37.3.0', ['35.7.5', '36.8.1', '37.3.1'])).toBe(true);
  expect(hasFault('34.9.9', ['35.7.5', '36.8.1', '37.3.1'])).toBe(true);
  expect(hasFault('37.3.1', ['35.7.5', '36.8.1', '37.3.1'])).toBe(false);
  expect(hasFault('38.0.0', ['35.7.5', '36.8.1', '37.3.1'])).toBe(false);
});
