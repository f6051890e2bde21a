// What is handed out, one function each: the product with what starts it, in the form that its system takes.
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../../package.json' with { type: 'json' };
import { writeDeb, writeTarGz } from './archives.ts';
import { filesBelow } from './files-below.ts';
import {
  ANY,
  addStarter,
  LINUX,
  MAC_ARM,
  MAC_INTEL,
  makeProductTree,
  type ProductParts,
  settleRights,
  type Target,
  WINDOWS,
  writePackage,
} from './product-tree.ts';
import { writeZip } from './zip.ts';

/** Where a release is made: the repository, a folder for what is between, the product, and where its files go. */
interface Workshop extends ProductParts {
  readonly out: string;
  /** The time that every file gets, seconds since 1970, UTC. */
  readonly epochS: number;
}

interface Artefact {
  readonly target: Target;
  /** The most that it may weigh, bytes. */
  readonly bytesMax: number;
  /** Makes it; gives the name of its file. */
  make(shop: Workshop): Promise<string>;
}

const { version } = manifest;
const install = (shop: Workshop, path: string) => join(shop.top, 'resources/install', path);

/** Unpack, start: for any Linux of 2019 or later, for containers, and for macOS. */
async function makeTarGz(shop: Workshop, target: Target): Promise<string> {
  const folder = join(shop.work, `epistream-${version}-${target.name}`);
  makeProductTree(shop, target, folder);
  addStarter(install(shop, 'epistream.sh'), join(folder, 'epistream'));
  settleRights(folder, ['node', 'epistream']);
  const name = `epistream-${version}-${target.name}.tar.gz`;
  await writeTarGz(folder, join(shop.out, name), shop.epochS);
  return name;
}

/** `npm install --global`: for who has npm; one file for every system. */
async function makeNpmPackage(shop: Workshop): Promise<string> {
  // Every package of npm holds one folder of this name.
  const folder = join(shop.work, 'package');
  makeProductTree(shop, ANY, folder);
  addStarter(install(shop, 'epistream.mjs'), join(folder, 'epistream.mjs'));
  writePackage(shop.top, folder, 'epistream.mjs');
  settleRights(folder, ['epistream.mjs']);
  const name = `epistream-${version}.tgz`;
  await writeTarGz(folder, join(shop.out, name), shop.epochS);
  return name;
}

/** Unpack, double-click Epistream.cmd. */
async function makeWindowsZip(shop: Workshop): Promise<string> {
  const name = `epistream-${version}-${WINDOWS.name}`;
  const folder = join(shop.work, name);
  makeProductTree(shop, WINDOWS, folder);
  for (const file of readdirSync(install(shop, 'windows')))
    addStarter(install(shop, `windows/${file}`), join(folder, file));
  await writeZip(folder, name, join(shop.out, `${name}.zip`), shop.epochS);
  return `${name}.zip`;
}

/** The product in /usr/lib/epistream, a command, and a service of systemd. */
async function makeDeb(shop: Workshop): Promise<string> {
  const folder = join(shop.work, 'deb');
  const home = join(folder, 'usr/lib/epistream');
  makeProductTree(shop, LINUX, home);
  addStarter(install(shop, 'epistream.sh'), join(home, 'epistream'));
  const [bin, units, rules, formerRules, etc, doc, control] = [
    'usr/bin',
    'usr/lib/systemd/system',
    'usr/share/polkit-1/rules.d',
    // Where polkit 0.105 looks, which Debian 11 and Ubuntu 22.04 have.
    'var/lib/polkit-1/localauthority/10-vendor.d',
    'etc/epistream',
    'usr/share/doc/epistream',
    'DEBIAN',
  ].map((path) => join(folder, path)) as [string, string, string, string, string, string, string];
  for (const path of [bin, units, rules, formerRules, etc, doc, control]) mkdirSync(path, { recursive: true });
  symlinkSync('../lib/epistream/epistream', join(bin, 'epistream'));
  cpSync(install(shop, 'epistream.service'), join(units, 'epistream.service'));
  cpSync(install(shop, 'epistream.rules'), join(rules, 'epistream.rules'));
  cpSync(install(shop, 'epistream.pkla'), join(formerRules, 'epistream.pkla'));
  const licence = readFileSync(join(shop.top, 'LICENSE'), 'utf8');
  const others = 'Node and the packages of others: /usr/lib/epistream/third-party-notices.md';
  writeFileSync(join(doc, 'copyright'), `${licence}\n${others}\n`);
  const kB = Math.ceil(filesBelow(folder).reduce((sum, path) => sum + statSync(join(folder, path)).size, 0) / 1024);
  const scripts = readdirSync(install(shop, 'debian')).filter((file) => file !== 'control');
  const text = readFileSync(install(shop, 'debian/control'), 'utf8');
  writeFileSync(join(control, 'control'), text.replace('VERSION', version).replace('SIZE_KB', String(kB)));
  for (const file of scripts) cpSync(install(shop, `debian/${file}`), join(control, file));
  settleRights(folder, [
    'usr/lib/epistream/node',
    'usr/lib/epistream/epistream',
    ...scripts.map((file) => `DEBIAN/${file}`),
  ]);
  const name = `epistream_${version}_amd64.deb`;
  writeDeb(folder, join(shop.out, name), shop.epochS);
  return name;
}

export const ARTEFACTS = {
  linux: { target: LINUX, bytesMax: 52e6, make: (shop) => makeTarGz(shop, LINUX) },
  windows: { target: WINDOWS, bytesMax: 40e6, make: makeWindowsZip },
  deb: { target: LINUX, bytesMax: 50e6, make: makeDeb },
  npm: { target: ANY, bytesMax: 20e6, make: makeNpmPackage },
  'macos-x64': { target: MAC_INTEL, bytesMax: 52e6, make: (shop) => makeTarGz(shop, MAC_INTEL) },
  'macos-arm64': { target: MAC_ARM, bytesMax: 52e6, make: (shop) => makeTarGz(shop, MAC_ARM) },
} as const satisfies Record<string, Artefact>;

export type Kind = keyof typeof ARTEFACTS;
export const KINDS = Object.keys(ARTEFACTS) as Kind[];
