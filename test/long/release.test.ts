// What people install, as "npm run release" makes it: unpacked or installed where nothing of this repository is, started by the
// lines that the page for operators prints, and compared with its size, its list and a second making.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { findMountObstacle } from '../support/faults/small-disk.ts';
import { amount } from '../support/run/effort.ts';
import {
  bareEnvironment,
  hashOf,
  makeRelease,
  operatingCommands,
  plantSettings,
  ROWS,
  startShell,
  takeRelease,
} from '../support/run/released.ts';
import { tempFolder } from '../support/temp-folder.ts';

const { version } = manifest;
const TAR = `epistream-${version}-linux-x64.tar.gz`;
const ZIP = `epistream-${version}-windows-x64.zip`;
const DEB = `epistream_${version}_amd64.deb`;
const NPM = `epistream-${version}.tgz`;
/** What a person downloads, at most, bytes. */
const BYTES_MAX = { [ZIP]: 40e6, [DEB]: 50e6, [TAR]: 52e6, [NPM]: 20e6 };
const MAKING_MS = 1_800_000;
const POINTS = 2 * ROWS;

/** A build into the folder of the product, which others run meanwhile, removes this. */
const witness = join(import.meta.dirname, `../../dist/main/witness-${process.pid}`);

let release = '';
let remove = () => {};
beforeAll(() => {
  writeFileSync(witness, '');
  ({ folder: release, remove } = takeRelease(['linux', 'windows', 'deb', 'npm']));
}, MAKING_MS);
afterAll(() => {
  remove();
  rmSync(witness, { force: true });
});

const shell = (command: string, cwd: string) =>
  execFileSync('sh', ['-ec', command], { cwd, env: bareEnvironment(cwd), encoding: 'utf8', maxBuffer: 64e6 });

/** Points on the disk, as the command "status" says them; null while no agent answers. */
function stored(program: string, data: string): number | null {
  try {
    const { isRunning, streams } = JSON.parse(shell(`${program} status --data '${data}' --json`, '/')) as {
      isRunning: boolean;
      streams: { pointsStored: number }[];
    };
    return isRunning ? streams.reduce((sum, { pointsStored }) => sum + pointsStored, 0) : null;
  } catch {
    return null;
  }
}

const LINK = /http:\/\/127\.0\.0\.1:\S+/;
/** What a drain prints when everything was delivered. */
const DELIVERED = new RegExp(`${POINTS} points|acknowledged\\D*${POINTS}`, 'i');

test('holds its artefacts with their lists and hashes, none larger than it may be', () => {
  const names = [TAR, ZIP, DEB, NPM].flatMap((name) => [name, `${name}.cdx.json`]);
  expect(readdirSync(release).sort()).toEqual([...names, 'SHA256SUMS'].sort());
  for (const [name, bytesMax] of Object.entries(BYTES_MAX))
    expect(statSync(join(release, name)).size, name).toBeLessThanOrEqual(bytesMax);
  expect(shell('sha256sum --check --strict SHA256SUMS', release).match(/: OK$/gm)).toHaveLength(names.length);
});

test('made beside a product that runs, it leaves that one as it is', () => expect(existsSync(witness)).toBe(true));

test('made again, in another time zone, it is the same, byte for byte', {
  timeout: MAKING_MS,
}, () => {
  // A part of the kinds in a bounded run: packing the Debian package takes as long as all others.
  const kinds = amount(['linux'], ['linux'], ['linux', 'npm', 'windows', 'deb']);
  const again = makeRelease(kinds, { TZ: 'Pacific/Auckland', LC_ALL: 'C.UTF-8' });
  try {
    for (const name of readdirSync(again).filter((one) => one !== 'SHA256SUMS'))
      expect([name, hashOf(join(again, name))]).toEqual([name, hashOf(join(release, name))]);
  } finally {
    rmSync(again, { recursive: true, force: true });
  }
});

test('Linux: the lines of the page for operators, in an empty folder without Node, record and deliver; Ctrl+C ends it in order', async () => {
  const home = tempFolder('installed');
  for (const name of [TAR, 'SHA256SUMS']) cpSync(join(release, name), join(home, name));
  const lines = operatingCommands('**Any Linux**');
  const starter = lines.pop() ?? '';
  for (const line of lines) shell(line, home);
  const settings = plantSettings(join(home, 'tool'));
  const data = join(home, 'data');
  // The page's own lines; only port and folders are those of a test.
  const agent = startShell(`${starter} --ui 0 --config '${settings}' --data '${data}'`, home);
  await expect.poll(() => stored(join(home, starter), data), { timeout: 300_000, interval: 1000 }).toBe(POINTS);
  await expect.poll(agent.printed).toMatch(LINK);
  const [link = ''] = LINK.exec(agent.printed()) ?? [];
  expect(await (await fetch(new URL('/', link))).text()).toContain('<script');
  agent.child.kill('SIGINT');
  expect(await agent.ended).toBe(0);
  expect(agent.printed()).toContain('Recording stopped; everything captured is stored');
  const drain = `run --config '${settings}' --data '${data}' --drain-and-exit`;
  expect(shell(`${starter} ${drain}`, home)).toMatch(DELIVERED);
});

test('npm: installed by the line of the page for operators, on a Node that is new enough, without a network, it records and delivers', () => {
  const home = tempFolder('npm');
  cpSync(join(release, NPM), join(home, NPM));
  const [line = ''] = operatingCommands('**With npm**');
  const bin = join(home, 'prefix/bin');
  const path = [dirname(process.execPath), bin, process.env.PATH].join(delimiter);
  const run = (command: string) =>
    shell(`PATH='${path}' npm_config_prefix='${home}/prefix' npm_config_cache='${home}/cache' ${command}`, home);
  // Node of its own is what alone would have to be fetched.
  run(`${line} --omit=optional --offline --no-audit`);
  const settings = plantSettings(join(home, 'tool'));
  expect(run(`epistream run --config '${settings}' --data '${home}/data' --drain-and-exit`)).toMatch(DELIVERED);
  expect(run('epistream --help')).toContain('Usage: epistream');
});

// In a full run alone: what is in them is one rule with the others, and they can be started nowhere here.
const MACS: [string, number][] = amount(
  [],
  [],
  [
    ['x64', 0x01000007],
    ['arm64', 0x0100000c],
  ],
);
test.each(MACS)(
  'macOS %s: the archive holds Node and its libraries for this processor',
  {
    timeout: MAKING_MS,
  },
  (arch, cpu) => {
    const made = makeRelease([`macos-${arch}`]);
    try {
      const top = `epistream-${version}-macos-${arch}`;
      const archive = join(made, `${top}.tar.gz`);
      expect(statSync(archive).size).toBeLessThanOrEqual(52e6);
      const folder = tempFolder('mac');
      shell(`tar -xzf '${archive}'`, folder);
      const program = readFileSync(join(folder, top, 'node'));
      // A 64-bit Mach-O file, then the processor.
      expect([program.readUInt32LE(0), program.readUInt32LE(4)]).toEqual([0xfeedfacf, cpu]);
      const files = readdirSync(join(folder, top), { recursive: true, encoding: 'utf8' });
      expect(files.filter((name) => name.endsWith('.node')).sort()).toEqual([
        'node_modules/@serialport/bindings-cpp/prebuilds/darwin-x64+arm64/@serialport+bindings-cpp.node',
        `node_modules/better-sqlite3/prebuilds/darwin-${arch}.node`,
      ]);
    } finally {
      rmSync(made, { recursive: true, force: true });
    }
  },
);

describe('Windows', () => {
  test('the zip is whole and holds Node, the product and its libraries for Windows, and no tool', () => {
    expect(shell(`unzip -tq '${join(release, ZIP)}'`, '/')).toContain('No errors detected');
    const top = ZIP.replace('.zip', '/');
    const names = shell(`unzip -Z1 '${join(release, ZIP)}'`, '/')
      .trim()
      .split('\n');
    expect(names.filter((name) => !name.startsWith(top))).toEqual([]);
    const files = names.map((name) => name.slice(top.length));
    for (const name of [
      ...['node.exe', 'Epistream.cmd', 'install-autostart.cmd', 'remove-autostart.cmd', 'autostart.mjs'],
      ...['package.json', 'LICENSE', 'LICENSE-node', 'third-party-notices.md'],
      ...[
        'dist/main/cli.js',
        'dist/main/store-worker.js',
        'dist/main/service-worker.js',
        'dist/main/export-process.js',
      ],
      'dist/renderer/index.html',
      ...['resources/dialects/epic.yaml', 'node_modules/undici/index.js'],
    ])
      expect(files).toContain(name);
    expect(files.filter((name) => name.endsWith('.node')).sort()).toEqual([
      'node_modules/@serialport/bindings-cpp/prebuilds/win32-x64/@serialport+bindings-cpp.node',
      'node_modules/better-sqlite3/prebuilds/win32-x64.node',
    ]);
    const packages = new Set(files.flatMap((name) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? []));
    for (const name of Object.keys(manifest.dependencies)) expect(packages).toContain(name);
    for (const name of Object.keys(manifest.devDependencies)) expect(packages).not.toContain(name);
    expect(files.filter((name) => /\.(map|ts|tsx|md)$/.test(name))).toEqual(['third-party-notices.md']);
  });

  test('its programs are for Windows on a 64-bit PC', () => {
    const folder = tempFolder('zip');
    shell(`unzip -q '${join(release, ZIP)}' '*.exe' '*.node'`, folder);
    const programs = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(exe|node)$/.test(name),
    );
    expect(programs).toHaveLength(3);
    for (const name of programs) {
      const bytes = readFileSync(join(folder, name));
      const header = bytes.readUInt32LE(0x3c);
      // "PE", then the machine: x64.
      expect([bytes.toString('latin1', header, header + 4), bytes.readUInt16LE(header + 4)]).toEqual([
        'PE\0\0',
        0x8664,
      ]);
    }
  });
});

describe('Debian', () => {
  test('the package owns its files as root, and nobody else may write them', () => {
    const folder = tempFolder('deb');
    shell(`dpkg-deb -x '${join(release, DEB)}' .`, folder);
    const owners = shell(`dpkg-deb -c '${join(release, DEB)}'`, '/')
      .trim()
      .split('\n');
    expect(owners.filter((line) => !line.includes(' root/root '))).toEqual([]);
    expect(owners.filter((line) => /^.{5}w|^.{8}w/.test(line) && !line.startsWith('l'))).toEqual([]);
  });

  // Over the system's own files, which stay as they are: what is written goes to a memory file system.
  test.skipIf(findMountObstacle() !== null)(
    'installed, started as its unit does, removed, installed again: nothing is lost',
    async () => {
      const place = tempFolder('debian');
      shell(`mount -t tmpfs tmpfs ${place} && cd ${place} && mkdir upper work root`, '/');
      const root = join(place, 'root');
      try {
        shell(`mount -t overlay overlay -o lowerdir=/,upperdir=${place}/upper,workdir=${place}/work ${root}`, '/');
        for (const path of ['proc', 'dev']) shell(`mount --bind /${path} ${root}/${path}`, '/');
        cpSync(join(release, DEB), join(root, 'epistream.deb'));
        const inside = (command: string) => shell(`chroot ${root} sh -ec "${command}"`, '/');
        inside('dpkg -i /epistream.deb');
        expect(inside('id -nG epistream')).toContain('dialout');
        const enabled = join(root, 'etc/systemd/system/multi-user.target.wants/epistream.service');
        expect(readdirSync(join(enabled, '..'))).toContain('epistream.service');
        expect(readdirSync(join(root, 'usr/share/polkit-1/rules.d'))).toContain('epistream.rules');

        if (existsSync('/usr/bin/systemd-analyze')) {
          // What other units lack is no fault of this one: whatever is said about it is.
          const said = inside('systemd-analyze verify --man=no epistream.service 2>&1 || true');
          expect(said.split('\n').filter((line) => line.includes('epistream'))).toEqual([]);
        }

        const etc = join(root, 'etc/epistream');
        plantSettings(etc, '/etc/epistream');
        // What systemd makes before it starts the unit.
        inside('install -d -o epistream -g epistream -m 700 /var/lib/epistream && chmod -R a+rX /etc/epistream/*');
        const unit = readFileSync(join(root, 'usr/lib/systemd/system/epistream.service'), 'utf8');
        const start = /^ExecStart=(.*)$/m.exec(unit)?.[1] ?? '';
        const asItself = `chroot --userspec=epistream:epistream ${root}`;
        const life = async () => {
          const agent = startShell(`${asItself} ${start}`, '/');
          await expect
            .poll(() => stored(`${asItself} epistream`, '/var/lib/epistream'), {
              timeout: 300_000,
              interval: 1000,
            })
            .toBe(POINTS);
          agent.child.kill('SIGTERM');
          expect(await agent.ended, agent.printed()).toBe(0);
        };
        await life();

        // Who runs a command as somebody else is told as whom to run it, and leaves nothing behind.
        const answerTo = (user: string, command: string) => {
          try {
            return shell(`chroot --userspec=${user} ${root} epistream ${command} --data /var/lib/epistream`, '/');
          } catch (thrown) {
            return String((thrown as { stderr?: unknown }).stderr);
          }
        };
        const drain = 'run --config /etc/epistream/epistream.yaml --drain-and-exit';
        expect(answerTo('0:0', drain)).toContain('belongs to another user');
        expect(answerTo('0:0', 'receipt')).toMatch(DELIVERED);
        expect(answerTo('65534:65534', 'status')).toContain('sudo -u epistream');
        expect(inside('find /var/lib/epistream ! -user epistream')).toBe('');

        inside('dpkg -r epistream');
        expect(existsSync(join(root, 'usr/lib/epistream'))).toBe(false);
        expect(existsSync(join(root, 'var/lib/epistream/queue.db'))).toBe(true);
        inside('dpkg -i /epistream.deb');
        await life();
        // By the same command in its own words: what is stored goes out, nothing was lost and nothing is there twice.
        expect(shell(`${asItself} ${start} --drain-and-exit`, '/')).toMatch(DELIVERED);
        const said = inside('dpkg -P epistream');
        expect(said).toContain('Kept: /var/lib/epistream');
        for (const path of ['var/lib/epistream/queue.db', 'etc/epistream/epistream.yaml'])
          expect(existsSync(join(root, path)), path).toBe(true);
        expect(readdirSync(join(enabled, '..'))).not.toContain('epistream.service');
      } finally {
        for (const path of ['root/proc', 'root/dev', 'root', '.']) shell(`umount -l ${join(place, path)} || true`, '/');
      }
    },
  );
});
