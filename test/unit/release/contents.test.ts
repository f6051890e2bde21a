// What goes into a release: the packages that the lock file pins for running, their files for one system, and the list of it.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { filesBelow } from '../../../resources/scripts/release/files-below.ts';
import { checkIntegrity, readLock } from '../../../resources/scripts/release/locked-packages.ts';
import {
  ANY,
  isReleased,
  LINUX,
  listReleased,
  MAC_ARM,
  MAC_INTEL,
  WINDOWS,
  writePackage,
} from '../../../resources/scripts/release/product-tree.ts';
import { makeSbom } from '../../../resources/scripts/release/sbom.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const top = join(import.meta.dirname, '../../..');
const targets = [LINUX, WINDOWS, MAC_INTEL, MAC_ARM, ANY];

test.each(targets)('$name: production packages and Node, no tool of this repository', (target) => {
  const { beside, node } = listReleased(top, target);
  const names = new Set(beside.map(({ name }) => name));
  for (const name of Object.keys(manifest.dependencies)) expect(names).toContain(name);
  for (const name of Object.keys(manifest.devDependencies)) expect(names).not.toContain(name);
  if (target.nodePackage === null) expect(node).toBeNull();
  else expect(node).toMatchObject({ name: target.nodePackage, version: expect.stringMatching(/^24\./) });
});

test.each([
  [LINUX, ['better-sqlite3', 'prebuilds/linux-x64.node']],
  [LINUX, ['@serialport/bindings-cpp', 'prebuilds/linux-x64/@serialport+bindings-cpp.glibc.node']],
  [WINDOWS, ['better-sqlite3', 'prebuilds/win32-x64.node']],
  [WINDOWS, ['@serialport/bindings-cpp', 'prebuilds/win32-x64/@serialport+bindings-cpp.node']],
  [MAC_INTEL, ['better-sqlite3', 'prebuilds/darwin-x64.node']],
  [MAC_ARM, ['better-sqlite3', 'prebuilds/darwin-arm64.node']],
  [MAC_ARM, ['@serialport/bindings-cpp', 'prebuilds/darwin-x64+arm64/@serialport+bindings-cpp.node']],
] as const)('%o: the one native library of %o', (target, [name, wanted]) => {
  const files = filesBelow(join(top, 'node_modules', name));
  expect(files.filter((path) => path.endsWith('.node') && isReleased(name, path, target))).toEqual([wanted]);
});

test('the npm package has the native libraries of each system that it brings a Node for, and brings its packages along', () => {
  const libraries = ['better-sqlite3', '@serialport/bindings-cpp'].flatMap((name) =>
    filesBelow(join(top, 'node_modules', name)).filter((path) => path.endsWith('.node') && isReleased(name, path, ANY)),
  );
  expect(libraries.map((path) => path.split('/')[1]?.replace('.node', '')).sort()).toEqual([
    ...['darwin-arm64', 'darwin-x64', 'darwin-x64+arm64', 'linux-arm64', 'linux-arm64'],
    ...['linux-x64', 'linux-x64', 'win32-x64', 'win32-x64'],
  ]);
  const folder = tempFolder('npm-package');
  writePackage(top, folder, 'start.mjs');
  const written = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin: unknown;
    optionalDependencies: Record<string, string>;
    bundleDependencies: string[];
  };
  expect(written.bin).toEqual({ epistream: 'start.mjs' });
  expect(written.bundleDependencies).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies)));
  const pinned = new Map(readLock(top).map(({ name, version }) => [name, version]));
  for (const [name, version] of Object.entries(written.optionalDependencies)) expect(pinned.get(name)).toBe(version);
});

test('of a package, what runs and its licence; no sources, types, maps and texts', () => {
  const kept = ['package.json', 'LICENSE', 'lib/index.js', 'lib/llhttp.wasm', 'index.cjs'];
  const left = ['README.md', 'src/a.c', 'index.d.ts', 'lib/a.js.map', 'binding.gyp', 'deps/sqlite3.c', 'CHANGELOG.txt'];
  expect([...kept, ...left].filter((path) => isReleased('any', path, LINUX))).toEqual(kept);
  expect(isReleased('debug', 'src/node.js', LINUX)).toBe(true);
});

test('every file that a released package names as its entry is in', () => {
  const { beside } = listReleased(top, LINUX);
  const missing = beside.flatMap(({ place, name }) => {
    const { main = 'index.js' } = JSON.parse(readFileSync(join(top, place, 'package.json'), 'utf8')) as {
      main?: string;
    };
    const path = main.replace(/^\.\//, '');
    return /\.[cm]?js$/.test(path) && !isReleased(name, path, LINUX) ? `${name}: ${path}` : [];
  });
  expect(missing).toEqual([]);
});

test('bytes that are not those of the lock file are refused by name', () => {
  const bytes = Buffer.from('an archive');
  const [first] = readLock(top);
  if (!first) throw new Error('The lock file is empty.');
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  expect(() => checkIntegrity({ ...first, integrity }, bytes)).not.toThrow();
  expect(() => checkIntegrity(first, bytes)).toThrow(
    `${first.name} ${first.version} is not what package-lock.json pins`,
  );
});

describe.each(targets)('the list of what $name is made of', (target) => {
  const bom = JSON.parse(makeSbom(top, target)) as {
    bomFormat: string;
    specVersion: string;
    metadata: { component: object };
    components: { name: string; version: string; purl: string; 'bom-ref': string; hashes: { content: string }[] }[];
  };
  const names = bom.components.map(({ name }) => name);

  test('is CycloneDX, names this program, and each package once with its hash', () => {
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' });
    expect(bom.metadata.component).toMatchObject({ name: 'epistream', version: manifest.version });
    const refs = bom.components.map((one) => one['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    for (const { hashes } of bom.components) expect(hashes[0]?.content).toMatch(/^[0-9a-f]{128}$/);
    expect(bom.components.find(({ name }) => name === '@serialport/stream')?.purl).toBe(
      'pkg:npm/%40serialport/stream@13.0.0',
    );
  });

  test('has Node, what lies beside the bundles and what the bundler took in, and no tool', () => {
    const nodes = names.filter((name) => /^node-(linux|win|bin|darwin)/.test(name));
    expect(nodes).toEqual(target.nodePackage === null ? [] : [target.nodePackage]);
    for (const name of ['better-sqlite3', 'serialport', 'react', 'zod']) expect(names).toContain(name);
    for (const name of ['vitest', 'electron', 'typescript', 'vite']) expect(names).not.toContain(name);
  });
});

test('what the Debian package runs is shell that can be read', () => {
  const folder = join(top, 'resources/install/debian');
  const scripts = readdirSync(folder).filter((name) => name !== 'control');
  expect(scripts.sort()).toEqual(['postinst', 'postrm', 'prerm']);
  for (const name of scripts) execFileSync('sh', ['-n', join(folder, name)]);
});

describe('the service may keep the PC awake, and nobody else may more than before', () => {
  const rule = (file: string) => readFileSync(join(top, 'resources/install', file), 'utf8');
  const ACTIONS = ['sleep', 'idle'].map((what) => `org.freedesktop.login1.inhibit-block-${what}`);

  test('by the rule of polkit', () => {
    type Rule = (action: { id: string }, subject: { user: string }) => string | undefined;
    const rules: Rule[] = [];
    const polkit = { addRule: (one: Rule) => rules.push(one), Result: { YES: 'yes' } };
    runInNewContext(rule('epistream.rules'), { polkit });
    const answer = (id: string, user: string) => rules.map((one) => one({ id }, { user }));
    for (const id of ACTIONS) expect([answer(id, 'epistream'), answer(id, 'ada')]).toEqual([['yes'], [undefined]]);
    expect(answer('org.freedesktop.login1.power-off', 'epistream')).toEqual([undefined]);
  });

  test('by the form of former versions', () => {
    const entries = Object.fromEntries(
      [...rule('epistream.pkla').matchAll(/^(\w+)=(.*)$/gm)].map((one) => one.slice(1)),
    );
    expect(entries).toEqual({ Identity: 'unix-user:epistream', Action: ACTIONS.join(';'), ResultAny: 'yes' });
  });

  test('for which the unit has the same user', () => {
    expect(rule('epistream.service')).toMatch(/^User=epistream$/m);
  });
});
