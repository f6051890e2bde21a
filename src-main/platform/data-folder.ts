import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import envPaths from 'env-paths';
import { AgentError } from '../model/agent-error.ts';
import { fileFaultOf } from './file-fault.ts';
import { findHolder, type Instance, takeInstanceLock } from './instance-lock.ts';
import { findNotLocal } from './local-disk.ts';

/** Where claims on a data folder lie. */
const CLAIMS = 'instances';

export interface DataFolder {
  /** Absolute path. */
  readonly path: string;
  readonly instance: Instance;
  /**
   * Hold it again where what holds it was removed.
   *
   * @throws those of the file system.
   */
  keep(): Promise<void>;
  /** Let the next agent in; the folder stays. Cheap to repeat. */
  close(): Promise<void>;
}

/**
 * Name the folder in which data lies when none is given: that of this user, on this PC (never a roaming profile).
 */
export function defaultDataFolder(): string {
  return envPaths('epistream', { suffix: '' }).data;
}

/** The agent that holds a data folder at the moment; null when none does. */
export function findInstance(path: string): Promise<Instance | null> {
  return findHolder(join(resolve(path), CLAIMS));
}

/**
 * Say how to name another data folder.
 *
 * @param path the folder that cannot be used.
 * @returns the object of a hint's "Name": no full stop.
 */
export function otherFolder(path: string): string {
  const example = defaultDataFolder();
  return `another folder with --data${example === path ? '' : `, for example ${example}`}`;
}

/** A disk that does not answer, or is full, may pass; everything else is for a person. */
function unusable(path: string, cause: unknown): AgentError {
  const fault = fileFaultOf(cause);
  const mayPass = fault === 'unreachable' || fault === 'full';
  return new AgentError({
    code: 'data.unusable',
    message: `The data folder ${path} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}.`,
    hint: `Let this user write there, or name ${otherFolder(path)}.`,
    retry: mayPass ? 'later' : 'after-human',
    context: { path },
    cause,
  });
}

/**
 * Refuse what another user has recorded: files that the administrator leaves in the folder of a service lock the service out.
 * Whose the data are, the queue says; where there is none yet, the folder.
 */
async function refuseForeign(path: string): Promise<void> {
  const self = process.geteuid?.();
  const { uid } = await stat(join(path, 'queue.db')).catch(() => stat(path));
  // Windows knows no such numbers.
  if (self === undefined || uid === self) return;
  throw new AgentError({
    code: 'data.of-another-user',
    message: `What is recorded in ${path} belongs to another user of this PC (number ${uid}).`,
    hint: `Run the command as that user (sudo -u '#${uid}' epistream ...), or name ${otherFolder(path)}.`,
    retry: 'after-human',
    context: { path, uid },
  });
}

/** The first link in a folder or below it; null: there is none. Another process may remove a claim meanwhile. */
async function findLink(folder: string): Promise<string | null> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return [];
    throw thrown;
  });
  for (const entry of entries) {
    const place = join(folder, entry.name);
    if (entry.isSymbolicLink()) return place;
    const inner = entry.isDirectory() ? await findLink(place) : null;
    if (inner !== null) return inner;
  }
  return null;
}

/** Refuse a folder with a link in it: the agent would write to the place that somebody else chose. */
async function refuseLinks(path: string): Promise<void> {
  const place = await findLink(path);
  if (place === null) return;
  throw new AgentError({
    code: 'data.link',
    message: `In the data folder ${path} lies a link, ${place}: nothing is written through it.`,
    hint: `Look where the link leads, then remove it, or name ${otherFolder(path)}.`,
    retry: 'after-human',
    context: { path, place },
  });
}

async function prepare(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    if (!(await stat(path)).isDirectory()) throw new Error('it is not a folder');
    await refuseForeign(path);
    // Others on this PC have nothing to read here. Windows keeps the rights of the user's own folders instead.
    if (process.platform !== 'win32') await chmod(path, 0o700);
    await refuseLinks(path);
  } catch (cause) {
    throw cause instanceof AgentError ? cause : unusable(path, cause);
  }
}

/**
 * Open the data folder for this agent alone. Takes its path; it is made when missing and closed to other users (0700).
 * `nowMs`: wall time.
 *
 * @returns the folder, held until closed or until the process ends, in whatever way.
 * @throws `data.not-local` for a folder on a network share or in a synchronized folder (nothing was made there), `data.in-use`
 *   naming the process that holds it and since when, `data.of-another-user` (also for the administrator), `data.link` for a
 *   folder with a link in it, `data.unusable` when it cannot be made or written (to be tried again later where the disk is full
 *   or does not answer).
 */
export async function openDataFolder(path: string, nowMs = Date.now()): Promise<DataFolder> {
  const whole = resolve(path);
  const notLocal = await findNotLocal(whole).catch((cause) => {
    throw unusable(whole, cause);
  });
  if (notLocal) {
    throw new AgentError({
      code: 'data.not-local',
      message: `The data folder must be on a disk of this PC: ${notLocal}.`,
      hint: `A database on a share or in a synchronized folder can be damaged. Use --data ${defaultDataFolder()}.`,
      retry: 'after-human',
      context: { path: whole },
    });
  }
  await prepare(whole);
  const lock = await takeInstanceLock(join(whole, CLAIMS), nowMs).catch((cause) => {
    throw unusable(whole, cause);
  });
  if ('holder' in lock) {
    const { pid, sinceMs } = lock.holder;
    throw new AgentError({
      code: 'data.in-use',
      message: `Epistream is already running in ${whole}: process ${pid}, since ${new Date(sinceMs).toISOString()}.`,
      hint: 'Use that one ("epistream open" opens its screen), end it first, or name another folder with --data.',
      retry: 'after-human',
      context: { path: whole, pid, sinceMs },
    });
  }
  return { path: whole, instance: lock.instance, keep: lock.keep, close: lock.release };
}
