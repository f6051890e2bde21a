// The packed application as electron-builder leaves it, from a stand-in for Electron's own files: what is in, what is not,
// how large it is, which switches the program file has, and whether the packed agent records. Needs the build ("npm run
// build"), which "npm test" makes before.
import { execFile } from 'node:child_process';
import { cpSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { extractAll, listPackage } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { makeElectronStandIn } from '../support/page/electron-stand-in.ts';
import { tempFolder } from '../support/temp-folder.ts';

const top = join(import.meta.dirname, '../..');
const run = promisify(execFile);
/** Our own part of what a user installs, of which 5 MB are the library that writes HDF5; Electron's part is far larger. */
const APP_BYTES_MAX = 17.5e6;

/** States as the program file holds them. */
const [OFF, ON] = ['0', '1'].map((digit) => digit.charCodeAt(0));

async function pack(os: 'linux' | 'win') {
  const out = tempFolder('packed');
  const config = [`-c.electronDist=${await makeElectronStandIn(os)}`, `-c.directories.output=${out}`];
  const builder = join(top, 'node_modules/electron-builder/cli.js');
  await run(process.execPath, [builder, `--${os}`, 'dir', '--x64', ...config], {
    cwd: top,
    env: { ...process.env, npm_config_loglevel: 'error' },
    maxBuffer: 64e6,
  });
  const folder = join(out, `${os}-unpacked`);
  const archive = join(folder, 'resources/app.asar');
  return { folder, archive, files: listPackage(archive, { isPack: false }).map((path) => path.replaceAll('\\', '/')) };
}

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);

describe.each(['linux', 'win'] as const)('packed for %s', { timeout: 600_000 }, (os) => {
  test('holds the built program, its production packages and nothing else, and records', async () => {
    const { folder, archive, files } = await pack(os);
    const isThere = (path: string) => files.includes(path);
    for (const path of [
      'main/main.js',
      'main/cli.js',
      'main/store-worker.js',
      'main/service-worker.js',
      'main/answer-worker.js',
      'main/export-process.js',
    ])
      expect(isThere(`/dist/${path}`), path).toBe(true);
    for (const path of ['preload/preload.cjs', 'renderer/index.html'])
      expect(isThere(`/dist/${path}`), path).toBe(true);
    const tops = new Set(files.map((path) => path.split('/')[1]));
    expect([...tops].sort()).toEqual(['dist', 'node_modules', 'package.json']);
    const unwanted = files.filter((path) => /\.(tsx?|mts|cts|map|md|cpp|c|h|gyp)$|(^|\/)(test|tests|src)\//.test(path));
    expect(unwanted.filter((path) => !/\/node_modules\/debug\/src\//.test(path))).toEqual([]);
    const packages = new Set(files.flatMap((path) => /^\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []));
    for (const name of Object.keys(manifest.dependencies)) expect(packages).toContain(name);
    for (const name of Object.keys(manifest.devDependencies)) expect(packages).not.toContain(name);

    // The system loads native modules from files, not from the archive.
    const unpacked = join(folder, 'resources/app.asar.unpacked/node_modules');
    const library = os === 'win' ? 'win32-x64.node' : 'linux-x64.node';
    expect(existsSync(join(unpacked, 'better-sqlite3/prebuilds', library))).toBe(true);
    expect(existsSync(join(unpacked, '@serialport/bindings-cpp/prebuilds'))).toBe(true);
    for (const name of ['icons', 'dialects', 'instruments'])
      expect(readdirSync(join(folder, 'resources', name)).length).toBeGreaterThan(0);
    // Of the key of updates the public half alone, where there is one.
    const update = readdirSync(join(folder, 'resources/update'));
    expect(update.filter((name) => name !== 'public-key.pem')).toEqual(['app-update.yml']);
    for (const name of ['LICENSE', 'third-party-notices.md'])
      expect(existsSync(join(folder, 'resources', name)), name).toBe(true);
    expect(sizeOf(join(folder, 'resources'))).toBeLessThan(APP_BYTES_MAX);

    const program = join(folder, os === 'win' ? 'Epistream.exe' : 'epistream');
    expect(await getCurrentFuseWire(program)).toMatchObject({
      [FuseV1Options.RunAsNode]: OFF,
      [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: OFF,
      [FuseV1Options.EnableNodeCliInspectArguments]: OFF,
      [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: ON,
      [FuseV1Options.OnlyLoadAppFromAsar]: ON,
      [FuseV1Options.GrantFileProtocolExtraPrivileges]: OFF,
    });
    if (os === process.platform) await deliverWithPacked(archive, join(folder, 'resources'));
  });
});

/** The packed files alone, unpacked again and run by plain Node: a log is read, stored and delivered. */
async function deliverWithPacked(archive: string, resources: string): Promise<void> {
  const home = tempFolder('packed-run');
  extractAll(archive, join(home, 'app'));
  cpSync(resources, join(home, 'resources'), { recursive: true });
  const rows = Array.from({ length: 20 }, (_, i) => `2026-11-20T10:00:${String(i).padStart(2, '0')}Z,${i}`);
  const logs = tempFolder('packed-logs');
  writeFileSync(join(logs, 'run.csv'), `time,value\n${rows.join('\n')}\n`);
  const settings = join(home, 'epistream.yaml');
  const source = `  - { id: log, kind: log, path: '${logs}', match: '*.csv', backfill: all }`;
  const tool = 'version: 1\nservice: { url: embedded }\ntool: { name: MBE-1, time_zone: UTC }\nsources:\n';
  writeFileSync(settings, tool + source);
  const args = ['run', '--config', settings, '--data', join(home, 'data'), '--drain-and-exit'];
  const { stdout } = await run(process.execPath, [join(home, 'app/dist/main/cli.js'), ...args]);
  expect(stdout).toMatch(/20 points|acknowledged\D*20/i);
}
