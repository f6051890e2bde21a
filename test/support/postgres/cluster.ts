// A PostgreSQL of the tests' own, from the programs of the system: made, started, killed and removed by them. It is reached by a
// socket in its folder alone. PostgreSQL refuses to run as root, so there it runs as the user that Debian's package makes.
import { spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const VERSION_MIN = 15;
const USER = 'epistream';

/** Folder of the programs of PostgreSQL 15 or later; null when the system has none. */
export function findPostgres(): string | null {
  const top = '/usr/lib/postgresql';
  const versions = existsSync(top) ? readdirSync(top).map(Number) : [];
  const newest = Math.max(...versions.filter((version) => version >= VERSION_MIN));
  return Number.isFinite(newest) ? join(top, String(newest), 'bin') : null;
}

function idOf(flag: '-u' | '-g'): number {
  const { status, stdout } = spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' });
  if (status !== 0) throw new Error('There is no user postgres to run PostgreSQL as.');
  return Number(stdout);
}

export interface Cluster {
  /** Address of a database in it. */
  url(database: string): string;
  /** Start it; at the beginning, or after it was killed. */
  start(): Promise<void>;
  /** Number of its first process. */
  pid(): number;
  /** Kill it at once, as a power cut does. */
  kill(): void;
  /** Stop and remove it. */
  remove(): Promise<void>;
}

const MEMORY_MIN_BYTES = 2e9;

/** Where a cluster lies: in memory where there is room (a container may have little), else where its own user gets to. */
function placeOfClusters(): string {
  const memory = '/dev/shm';
  if (existsSync(memory)) {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize > MEMORY_MIN_BYTES) return memory;
  }
  const isOpen = (statSync(tmpdir()).mode & 0o001) !== 0;
  return isOpen ? tmpdir() : '/tmp';
}

/** Make a cluster; it does not run yet. Takes where its folder lies. */
export function makeCluster(parent = placeOfClusters()): Cluster {
  const bin = findPostgres();
  if (bin === null) throw new Error(`PostgreSQL ${VERSION_MIN} or later is not installed.`);
  const owner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : null;
  const folder = mkdtempSync(join(parent, 'pg-'));
  const [data, log] = [join(folder, 'data'), join(folder, 'log')];
  mkdirSync(data);
  if (owner !== null) for (const path of [folder, data]) chownSync(path, owner.uid, owner.gid);
  const run = (program: string, args: readonly string[]) =>
    spawnSync(join(bin, program), args, {
      ...owner,
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  const made = run('initdb', ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']);
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
  const settings = `-c listen_addresses='' -c unix_socket_directories='${folder}' -c max_connections=300 -c shared_buffers=64MB`;
  const pidOf = () => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  return {
    url: (database) => `postgres://${USER}@localhost/${database}?host=${encodeURIComponent(folder)}`,
    async start() {
      // What was killed may still be ending; it holds the memory that the next one needs.
      for (let tries = 0; ; tries++) {
        const started = run('pg_ctl', ['-D', data, '-l', log, '-w', '-t', '60', '-o', settings, 'start']);
        if (started.status === 0) return;
        if (tries === 50) throw new Error(`pg_ctl start: ${started.stderr}${readFileSync(log, 'utf8').slice(-2000)}`);
        await pause(200);
      }
    },
    pid: pidOf,
    kill: () => void process.kill(pidOf(), 'SIGKILL'),
    async remove() {
      if (existsSync(join(data, 'postmaster.pid'))) run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop']);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
