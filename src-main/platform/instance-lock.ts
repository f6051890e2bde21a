// One agent at a time in a data folder.
//
// Each agent opens a door (a socket of this machine with a random name) and then leaves a claim in the folder: an empty
// file whose name says everything, so that it can be left on a full disk too. Another agent that finds it connects: the
// system answers for a living process, also for one that hangs, and for no dead one, however it died and whatever got its
// process number since. So no claim outlives its process, and process numbers are for people only.
//
// Bounds and invariants
//  1. A claim is left after its door is open, and others are looked for after one's own is there: of two agents that
//     start at once at least one sees the other. Who sees a living claim gives way, so never two hold the folder.
//  2. Claims of dead agents may be removed by anybody: a door and its claim are never used again.
//  3. Two that gave way to each other try again after a random time, at most TRIES times.
// Doors are those of one machine (and container), and a disk may be too full for an empty file: there the exclusive lock
// of the queue's database is the last word.
import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileFaultOf } from './file-fault.ts';

const TRIES = 4;
const WAIT_MIN_MS = 30;
const WAIT_MAX_MS = 180;
const GONE = ['ECONNREFUSED', 'ENOENT'];

/** An agent that holds a data folder. */
export interface Instance {
  readonly pid: number;
  /** Wall time at which it took the folder, Unix milliseconds. */
  readonly sinceMs: number;
  /** 32 hexadecimal digits, different each time. */
  readonly door: string;
}

export interface InstanceLock {
  readonly instance: Instance;
  /**
   * Leave the claim again where it is gone, and no other agent has come.
   *
   * @throws those of the file system.
   */
  keep(): Promise<void>;
  /** Let the next agent in. Cheap to repeat. */
  release(): Promise<void>;
}

const formatClaim = ({ pid, sinceMs, door }: Instance) => `${pid}-${Math.trunc(sinceMs)}-${door}`;

function parseClaim(name: string): Instance | null {
  const [, pid, sinceMs, door = ''] = /^(\d{1,10})-(-?\d{1,15})-([0-9a-f]{32})$/.exec(name) ?? [];
  return door === '' ? null : { pid: Number(pid), sinceMs: Number(sinceMs), door };
}

/** The name by which the system knows a door: it disappears with its process. */
function doorPath(door: string): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\epistream-${door}`;
  return process.platform === 'linux' ? `\0epistream-${door}` : join(tmpdir(), `epistream-${door}.sock`);
}

function openDoor(door: string): Promise<Server> {
  const server = createServer((visitor) => visitor.destroy());
  // The door keeps no process alive: an agent that has nothing else to do may end.
  server.unref();
  return new Promise((settle, fail) => {
    server.once('error', fail);
    server.listen({ path: doorPath(door) }, () => settle(server));
  });
}

/** Say whether the process behind a claim lives: the system says so of a door, unless it has gone with its process. */
function isAlive({ door }: Instance): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect({ path: doorPath(door) });
    socket.once('connect', () => {
      socket.destroy();
      settle(true);
    });
    // Any other failure (too many connections, no handles left) proves nothing: the holder counts as alive.
    socket.once('error', ({ code = '' }: NodeJS.ErrnoException) => settle(!GONE.includes(code)));
  });
}

/**
 * Find the agent that holds a folder. Takes the folder of claims (there may be none) and one's own door, if any. Claims of
 * dead agents are removed.
 *
 * @returns the living agent, or null.
 * @throws those of the file system, since an unread claim may be alive.
 */
export async function findHolder(folder: string, ownDoor?: string): Promise<Instance | null> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const name of names) {
    const claim = parseClaim(name);
    if (!claim || claim.door === ownDoor) continue;
    if (await isAlive(claim)) return claim;
    await rm(join(folder, name), { force: true });
  }
  return null;
}

async function leaveClaim(path: string): Promise<void> {
  try {
    await (await open(path, 'wx', 0o600)).close();
  } catch (error) {
    if (fileFaultOf(error) !== 'full') throw error;
    // A full disk must not keep the agent from delivering what it holds; the queue's own lock stands.
  }
}

async function claim(folder: string, nowMs: number): Promise<{ lock: InstanceLock; holder: Instance | null }> {
  const instance: Instance = { pid: process.pid, sinceMs: nowMs, door: randomBytes(16).toString('hex') };
  const path = join(folder, formatClaim(instance));
  const door = await openDoor(instance.door);
  let isHeld = true;
  const release = async () => {
    isHeld = false;
    await rm(path, { force: true });
    await new Promise((settle) => door.close(settle));
  };
  const keep = async () => {
    if ((await findHolder(folder, instance.door)) || !isHeld) return;
    // A data folder that is gone is not made again here: it may have been moved, and will be moved back.
    await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await leaveClaim(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  };
  try {
    await leaveClaim(path);
    return { lock: { instance, release, keep }, holder: await findHolder(folder, instance.door) };
  } catch (error) {
    await release();
    throw error;
  }
}

/**
 * Take a folder for this agent alone. Takes the folder of claims (made when missing) and the wall time, Unix milliseconds.
 *
 * @returns the lock, held until released or until the process ends in whatever way; or the agent that holds it.
 * @throws those of the file system, a full disk excepted.
 */
export async function takeInstanceLock(folder: string, nowMs: number): Promise<InstanceLock | { holder: Instance }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (let seen = '', tries = 1; ; tries++) {
    const { lock, holder } = await claim(folder, nowMs);
    if (!holder) return lock;
    await lock.release();
    // Who gives way comes back by another door, so a door met twice belongs to who holds the folder.
    if (tries === TRIES || holder.door === seen) return { holder };
    seen = holder.door;
    await sleep(WAIT_MIN_MS + Math.random() * (WAIT_MAX_MS - WAIT_MIN_MS));
  }
}
