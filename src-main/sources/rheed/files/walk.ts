// A walk through a folder, in small steps: a hundred thousand names at once would hold up everything else for a tenth of a
// second. How often it is made depends on how many names there are, so that its share of the time is the same for any folder.
//
// Bounds: 256 names fetched and 64 files looked at at once; 16 folders deep; 1/500 of the time at 0.01 ms a name.
import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentError } from '../../../model/agent-error.ts';
import { passOver } from './refusing-file.ts';

/** Names fetched at once. */
const STEP = 256;
const DEPTH_MAX = 16;
/** Files looked at side by side. */
const LOOKS_AT_ONCE = 64;
/** What a name costs: it is fetched and compared with the pattern, milliseconds. */
const NAME_MS = 0.01;
/** A walk may take this part of the time. */
const SHARE = 1 / 500;

/**
 * Walk a folder, below folders included. Takes an absolute path, a listener for each file (path below it, with `/`) and of
 * each folder, and a signal that breaks it off; absent: it goes to the end.
 *
 * @throws `rheed.folder-missing` when the folder itself cannot be listed; what vanishes or refuses below is left out. The
 *   signal's reason when it was broken off.
 */
export async function walkFolder(
  root: string,
  onFile: (path: string) => void,
  onFolder: (below: string) => void = () => {},
  start = '',
  signal?: AbortSignal,
): Promise<void> {
  async function enter(below: string, depth: number): Promise<void> {
    const folders: string[] = [];
    onFolder(below);
    for await (const entry of await opendir(join(root, below), { bufferSize: STEP })) {
      signal?.throwIfAborted();
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isFile()) onFile(path);
      else if (entry.isDirectory() && !entry.name.startsWith('.') && depth < DEPTH_MAX) folders.push(path);
    }
    for (const folder of folders.sort())
      await enter(folder, depth + 1).catch((error) => passOver(error, join(root, folder)));
  }
  try {
    await enter(start, 0);
  } catch (cause) {
    signal?.throwIfAborted();
    if (start !== '') return passOver(cause, join(root, start));
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw new AgentError({
      code: 'rheed.folder-missing',
      message: `The folder ${root} cannot be listed (${code}).`,
      hint: 'Check the path in the settings, and that the drive or share is there. Counting goes on when it is back.',
      retry: 'later',
      cause,
    });
  }
}

const millisecondsOf = (ns: bigint) => Number(ns / 1_000_000_000n) * 1000 + Number(ns % 1_000_000_000n) / 1e6;

export interface FileFacts {
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  /** As text: numbers of NTFS do not fit into a double. Empty where the disk numbers nothing. */
  readonly inode: string;
  /** When it was made, Unix milliseconds; null: not known. */
  readonly bornMs: number | null;
  readonly isFolder: boolean;
}

/**
 * Look at one path; null when it is not there or refuses.
 *
 * @throws those of `passOver`.
 */
export async function look(path: string): Promise<FileFacts | null> {
  try {
    const info = await stat(path, { bigint: true });
    const bornMs = info.birthtimeNs > 0n ? millisecondsOf(info.birthtimeNs) : null;
    const inode = info.ino === 0n ? '' : `${info.ino}`;
    const modifiedMs = millisecondsOf(info.mtimeNs);
    return { sizeBytes: Number(info.size), modifiedMs, inode, bornMs, isFolder: info.isDirectory() };
  } catch (error) {
    passOver(error, path);
    return null;
  }
}

/**
 * Look at many paths below a folder, some at a time.
 *
 * @returns those that are there, in their order.
 * @throws the signal's reason when it breaks it off.
 */
export async function lookAtAll(
  root: string,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<{ readonly path: string; readonly facts: FileFacts }[]> {
  const found: { path: string; facts: FileFacts }[] = [];
  for (let at = 0; at < paths.length; at += LOOKS_AT_ONCE) {
    signal?.throwIfAborted();
    const some = paths.slice(at, at + LOOKS_AT_ONCE);
    const facts = await Promise.all(some.map((path) => look(join(root, path))));
    for (const [index, one] of facts.entries()) if (one) found.push({ path: some[index] as string, facts: one });
  }
  return found;
}

/** Says when the next walk is due. */
export class WalkPace {
  #nextMs = Number.NEGATIVE_INFINITY;

  isDue(monotonicMs: number): boolean {
    return monotonicMs >= this.#nextMs;
  }

  /**
   * A walk was made. Takes the time, how many names it came past (on a busy machine its duration says nothing of its
   * cost), and the time to the next at least.
   */
  made(monotonicMs: number, names: number, leastMs: number): void {
    this.#nextMs = monotonicMs + Math.max(leastMs, (names * NAME_MS) / SHARE);
  }
}
