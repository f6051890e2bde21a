// A PostgreSQL of the tests' own, from the programs of the system: made, started, killed and removed by them. It is reached by a
// socket in its folder, and by TLS where a test asks for it. PostgreSQL refuses to run as root, so there it runs as the user that Debian's package makes.
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
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const VERSION_MIN = 15;
const USER = 'postgres';
/** Part of the name of its socket; nothing listens at a port. */
const PORT = 5432;

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
  /** Kill all its processes at once, as a power cut does. */
  kill(): void;
  /** Run a program of PostgreSQL against it, as its user. Takes what it reads. Returns what it prints; throws what it says when it fails. */
  tool(program: string, args: readonly string[], input?: string): string;
  /** Give one that runs and is reached by TLS another certificate: new connections see it. */
  certify(certificate: Certificate): Promise<void>;
  /** Folder that its user writes to, beside its data. */
  readonly folder: string;
  /** A cluster on a folder of data within that folder, such as a restored backup; it does not run yet. */
  beside(data: string): Pick<Cluster, 'url' | 'start' | 'kill'>;
  /** Stop and remove it, and all beside it. */
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

/** The processes that a process has started and that run; none where the system does not tell. */
function childrenOf(pid: number): number[] {
  const list = `/proc/${pid}/task/${pid}/children`;
  return existsSync(list) ? readFileSync(list, 'utf8').split(' ').filter(Boolean).map(Number) : [];
}

function signalIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (fault) {
    // One that ended by itself in between is what was wanted.
    if ((fault as NodeJS.ErrnoException).code !== 'ESRCH') throw fault;
  }
}

interface Certificate {
  /** PEM, as is the key. */
  readonly cert: string;
  readonly key: string;
}

/** How a cluster is reached by TLS: the port on 127.0.0.1, and its certificate. */
interface ClusterTls extends Certificate {
  readonly port: number;
}

/** Make a cluster; it does not run yet. Takes where its folder lies, and how it is reached by TLS beside its socket. */
export function makeCluster(parent = placeOfClusters(), tls: ClusterTls | null = null): Cluster {
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
  const keep = (certificate: Certificate) => {
    for (const name of ['cert', 'key'] as const) {
      const file = join(folder, name);
      writeFileSync(file, certificate[name], { mode: 0o600 });
      if (owner !== null) chownSync(file, owner.uid, owner.gid);
    }
  };
  if (tls !== null) keep(tls);
  const tool = (program: string, args: readonly string[], input = '') => {
    const env = { ...process.env, PGHOST: folder, PGUSER: USER };
    const { status, stdout, stderr } = spawnSync(join(bin, program), args, {
      ...owner,
      ...{ cwd: folder, encoding: 'utf8', input, env },
    });
    if (status !== 0) throw new Error(`${program}: ${stderr}`);
    return stdout;
  };
  /** What runs on a folder of data; those of one cluster are told apart by their port. */
  const at = (data: string, port: number) => {
    const listens =
      tls === null
        ? `-c listen_addresses=''`
        : `-c listen_addresses=127.0.0.1 -c ssl=on -c ssl_cert_file='${folder}/cert' -c ssl_key_file='${folder}/key'`;
    const settings = `-p ${port} ${listens} -c unix_socket_directories='${folder}' -c max_connections=300 -c shared_buffers=64MB`;
    const pid = () => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    return {
      pid,
      url: (database: string) => `postgres://${USER}@localhost:${port}/${database}?host=${encodeURIComponent(folder)}`,
      async start() {
        // What was killed may still be ending; it holds the memory that the next one needs.
        for (let tries = 0; ; tries++) {
          const started = run('pg_ctl', ['-D', data, '-l', log, '-w', '-t', '60', '-o', settings, 'start']);
          if (started.status === 0) return;
          if (tries === 50) throw new Error(`pg_ctl start: ${started.stderr}${readFileSync(log, 'utf8').slice(-2000)}`);
          await pause(200);
        }
      },
      kill: () => {
        const first = pid();
        const others = childrenOf(first);
        // The first one alone leaves those that serve a connection, and they answer on until they notice.
        for (const one of [first, ...others]) signalIfThere(one);
      },
      stop: () => {
        if (existsSync(join(data, 'postmaster.pid'))) run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop']);
      },
    };
  };
  const own = at(data, tls?.port ?? PORT);
  const others: ReturnType<typeof at>[] = [];
  return {
    ...own,
    folder,
    tool,
    async certify(certificate) {
      keep(certificate);
      const ask = (sql: string) => tool('psql', ['-p', String(tls?.port), '-d', 'postgres', '-Atc', sql]);
      const before = ask('SELECT pg_conf_load_time()');
      ask('SELECT pg_reload_conf()');
      while (ask('SELECT pg_conf_load_time()') === before) await pause(20);
    },
    beside: (restored) => {
      const other = at(restored, PORT + 1 + others.length);
      others.push(other);
      return other;
    },
    async remove() {
      for (const one of [own, ...others]) one.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
