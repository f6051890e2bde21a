// The Debian package on a bare Debian: no Node, no npm, nothing but what Debian itself holds for essential ("npm run test:debian").
// The system is made by debootstrap, from Debian's own archive; each command runs in it with mounts of its own.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { findMountObstacle } from '../support/faults/small-disk.ts';
import { readEmbedded } from '../support/rigs/delivered.ts';
import { bareEnvironment, operatingCommands, plantSettings, ROWS, takeRelease } from '../support/run/released.ts';
import { tempFolder } from '../support/temp-folder.ts';

const DEB = `epistream_${manifest.version}_amd64.deb`;
const SUITE = 'bookworm';
const MAKING_MS = 3_600_000;
const POLL = { timeout: 300_000, interval: 250 };
/** Rows that the tool writes while nothing is installed. */
const MEANWHILE = 20;

function findDebianObstacle(): string | null {
  const mounts = findMountObstacle();
  if (mounts !== null) return mounts;
  return spawnSync('debootstrap', ['--version']).status === 0 ? null : 'needs debootstrap: apt-get install debootstrap';
}

const obstacle = findDebianObstacle();
if (obstacle !== null) console.log(`The bare Debian is not tried here: it ${obstacle}.`);

class BareDebian {
  readonly root: string;

  constructor() {
    this.root = join(tempFolder('bare-debian'), 'root');
    execFileSync('debootstrap', ['--variant=minbase', SUITE, this.root], { stdio: 'ignore' });
  }

  #words(command: string, user: string): string[] {
    const { root } = this;
    const mounts = `mount -t proc proc '${root}/proc' && mount --rbind /dev '${root}/dev'`;
    return ['--mount', 'sh', '-ec', `${mounts}; exec chroot ${user} '${root}' ${command}`];
  }

  /** Run a line of shell as root. */
  run(line: string): string {
    const env = { ...bareEnvironment('/root'), DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
    const words = this.#words(`sh -ec '${line}'`, '');
    return execFileSync('unshare', words, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }

  /** Start a program as the user of the service, as systemd does. */
  start(command: string): { child: ChildProcess; ended: Promise<number | null>; printed(): string } {
    const words = this.#words(command, '--userspec=epistream:epistream');
    const child = spawn('unshare', words, {
      env: bareEnvironment('/var/lib/epistream'),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (said += bytes.toString()));
    const ended = new Promise<number | null>((settle) => child.on('close', settle));
    onTestFinished(async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
    });
    return { child, ended, printed: () => said };
  }
}

interface Counts {
  readonly stored: number;
  readonly acknowledged: number;
}

test.skipIf(obstacle !== null)(
  'the lines of the page for operators install it, the first point is acknowledged, and removed and installed again it loses nothing',
  { timeout: MAKING_MS },
  async () => {
    const { folder: release, remove } = takeRelease(['deb']);
    onTestFinished(remove);
    const debian = new BareDebian();
    const { root } = debian;
    expect(debian.run('command -v node npm || echo none').trim()).toBe('none');
    cpSync(join(release, DEB), join(root, DEB));

    // The page says: install, write settings, start, look. Here is neither sudo nor an editor, and systemd does not run.
    const lines = operatingCommands('**Debian, Ubuntu**').map((line) => line.replace(/^sudo (-u \S+ )?/, ''));
    const [install = '', edit, start, look = ''] = lines;
    expect([edit, start]).toEqual(['sudoedit /etc/epistream/epistream.yaml', 'systemctl start epistream']);
    const installIt = () => debian.run(install.replace('apt install', 'apt-get install -y'));
    const counts = async (): Promise<Counts> => {
      const asked = debian.start(`${look} --json`);
      await asked.ended;
      if (!asked.printed().startsWith('{')) return { stored: 0, acknowledged: 0 };
      const { streams } = JSON.parse(asked.printed()) as {
        streams: { pointsStored: number; pointsAcknowledged: number }[];
      };
      const sum = (of: (stream: (typeof streams)[number]) => number) => streams.reduce((all, one) => all + of(one), 0);
      return { stored: sum((one) => one.pointsStored), acknowledged: sum((one) => one.pointsAcknowledged) };
    };
    const unit = () => readFileSync(join(root, 'usr/lib/systemd/system/epistream.service'), 'utf8');
    const execStart = () => /^ExecStart=(.*)$/m.exec(unit())?.[1] ?? '';
    const stop = async (agent: ReturnType<BareDebian['start']>) => {
      agent.child.kill('SIGTERM');
      expect(await agent.ended, agent.printed()).toBe(0);
    };

    debian.run('apt-get update');
    const beginMs = Date.now();
    installIt();
    const installedMs = Date.now();
    plantSettings(join(root, 'etc/epistream'), '/etc/epistream');
    // What systemd makes before it starts the unit (StateDirectory=).
    debian.run('install -d -o epistream -g epistream -m 700 /var/lib/epistream && chmod -R a+rX /etc/epistream/*');
    const agent = debian.start(execStart());
    await expect.poll(async () => (await counts()).acknowledged, POLL).toBeGreaterThan(0);
    const firstMs = Date.now();
    console.log(
      `Installed in ${((installedMs - beginMs) / 1000).toFixed(1)} s, first point acknowledged ${((firstMs - beginMs) / 1000).toFixed(1)} s after the installation began.`,
    );
    await expect.poll(async () => (await counts()).stored, POLL).toBe(2 * ROWS);
    await stop(agent);

    debian.run('apt-get remove -y epistream');
    expect(existsSync(join(root, 'usr/lib/epistream'))).toBe(false);
    const more = Array.from({ length: MEANWHILE }, (_, i) => ROWS + i);
    for (const n of more)
      appendFileSync(
        join(root, 'etc/epistream/logs/run.csv'),
        `2026-11-20T10:00:${String(n).padStart(2, '0')}Z,${n},${n * 2}\n`,
      );
    installIt();
    const again = debian.start(execStart());
    await expect.poll(async () => (await counts()).stored, POLL).toBe(2 * (ROWS + MEANWHILE));
    await stop(again);
    const drain = debian.start(`${execStart()} --drain-and-exit`);
    expect(await drain.ended, drain.printed()).toBe(0);

    const delivered = await readEmbedded(join(root, 'var/lib/epistream/service'));
    const values = (name: string) => delivered.get(name)?.map(({ value }) => value) ?? [];
    const all = Array.from({ length: ROWS + MEANWHILE }, (_, n) => n);
    expect(values('value').sort((a, b) => a - b)).toEqual(all);
    expect(values('other').sort((a, b) => a - b)).toEqual(all.map((n) => 2 * n));
    expect(debian.run('apt-get purge -y epistream')).toContain('Kept: /var/lib/epistream');
    expect(existsSync(join(root, 'var/lib/epistream/queue.db'))).toBe(true);
  },
);
