// The packaging configuration, checked without Electron and without a network.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import picomatch from 'picomatch';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const top = join(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);

interface Configuration {
  files: string[];
  asarUnpack: string[];
  extraResources: { from: string }[];
  electronFuses: Record<string, boolean>;
  win: { icon: string };
  nsis: { include: string };
  linux: { icon: string };
  mac: { icon: string; files: string[] };
}
const configuration = parse(readFileSync(join(top, 'electron-builder.yml'), 'utf8')) as Configuration;

const { validateConfiguration } = require('app-builder-lib/out/util/config/config.js') as {
  validateConfiguration(config: object, log: unknown): Promise<void>;
};
const { DebugLogger } = require('builder-util') as { DebugLogger: new (isEnabled: boolean) => unknown };

test('fits the schema of the installed electron-builder, which a misspelt key does not', async () => {
  const log = new DebugLogger(false);
  await expect(validateConfiguration(structuredClone(configuration), log)).resolves.toBeUndefined();
  await expect(validateConfiguration({ ...configuration, asarr: true }, log)).rejects.toThrow("'asarr'");
});

test('names icons and resources that are there', () => {
  const { win, nsis, linux, mac, extraResources } = configuration;
  for (const path of [win.icon, nsis.include, linux.icon, mac.icon, ...extraResources.map(({ from }) => from)]) {
    expect(existsSync(join(top, path)), path).toBe(true);
  }
  expect(readdirSync(join(top, linux.icon))).toContain('512x512.png');
  // Licences want their text to go with every copy.
  expect(extraResources.map(({ from }) => from)).toEqual(
    expect.arrayContaining(['resources/third-party-notices.md', 'LICENSE']),
  );
});

/** What a list of patterns lets in, as electron-builder reads it: the last pattern that matches decides. */
function isPacked(path: string, patterns: readonly string[], os: string, arch: string): boolean {
  const filled = patterns.map((pattern) => pattern.replaceAll('$' + '{os}', os).replaceAll('$' + '{arch}', arch));
  const last = filled.findLast((pattern) => picomatch(pattern.replace(/^!/, ''), { dot: true })(path));
  return last !== undefined && !last.startsWith('!');
}

test.each([
  ['win', 'x64', ['win32-x64.node']],
  ['linux', 'x64', ['linux-x64.node', 'linuxmusl-x64.node']],
  ['linux', 'arm64', ['linux-arm64.node', 'linuxmusl-arm64.node']],
  ['mac', 'arm64', ['darwin-arm64.node']],
])('packs of the native packages only what %s %s loads, and outside of the archive', (os, arch, expected) => {
  const patterns = [...configuration.files, ...(os === 'mac' ? configuration.mac.files : [])];
  const folder = 'node_modules/better-sqlite3/prebuilds';
  const packed = readdirSync(join(top, folder)).filter((name) => isPacked(`${folder}/${name}`, patterns, os, arch));
  expect(packed).toEqual(expected);

  const serial = 'node_modules/@serialport/bindings-cpp/prebuilds';
  const files = readdirSync(join(top, serial), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.node'),
  );
  const serialPacked = files.filter((name) => isPacked(`${serial}/${name}`, patterns, os, arch));
  expect(serialPacked.length).toBeGreaterThan(0);
  for (const name of serialPacked) expect(name.startsWith(os === 'mac' ? 'darwin' : os)).toBe(true);

  const isUnpacked = picomatch(configuration.asarUnpack);
  for (const name of packed) expect(isUnpacked(`${folder}/${name}`)).toBe(true);
  for (const name of serialPacked) expect(isUnpacked(`${serial}/${name}`)).toBe(true);
});

test('packs no source, no test, no setting of the repository', () => {
  const { files } = configuration;
  expect(isPacked('dist/main/main.js', files, 'win', 'x64')).toBe(true);
  expect(isPacked('dist/renderer/assets/index.css', files, 'win', 'x64')).toBe(true);
  const outside = [
    'src-main/main.ts',
    'test/fakes/electron.ts',
    '.npmrc',
    '.ci/run',
    'dist/main/main.js.map',
    'vite.config.ts',
  ];
  const sources = [
    'node_modules/better-sqlite3/deps/sqlite3/sqlite3.c',
    'node_modules/better-sqlite3/src/better_sqlite3.cpp',
  ];
  for (const path of [...outside, ...sources]) expect(isPacked(path, files, 'win', 'x64'), path).toBe(false);
});

test('turns off every switch that makes another program of it', () => {
  expect(configuration.electronFuses).toMatchObject({
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    onlyLoadAppFromAsar: true,
    enableEmbeddedAsarIntegrityValidation: true,
    grantFileProtocolExtraPrivileges: false,
  });
});
