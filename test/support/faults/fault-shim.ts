// Programs whose disk fails on command, really: the C library's calls are intercepted (see fault-shim.c). Linux with gcc
// only; where that is missing the tests that need it say so, and under CI they fail.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const SOURCE = join(import.meta.dirname, 'fault-shim.c');

let built: string | null | undefined;

/**
 * Compile the shim once a process.
 *
 * @returns the library's path; null where it cannot be built.
 */
function build(): string | null {
  if (built !== undefined) return built;
  const folder = mkdtempSync(join(tmpdir(), 'fault-shim-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const library = join(folder, 'fault-shim.so');
  try {
    execFileSync('gcc', ['-shared', '-fPIC', '-O2', '-o', library, SOURCE, '-ldl', '-lpthread'], { stdio: 'pipe' });
    built = library;
  } catch (error) {
    console.error(`fault-shim.c was not built (${error instanceof Error ? error.message : error}): install gcc`);
    built = null;
  }
  return built;
}

/** What keeps tests that need the shim from running here; null when nothing does. */
export function findShimObstacle(): string | null {
  if (process.platform !== 'linux') return 'needs Linux: LD_PRELOAD';
  return build() === null ? 'needs gcc (apt-get install gcc libc6-dev)' : null;
}

export interface ShimOptions {
  /** Files concerned: those whose path contains this. */
  readonly match: string;
  /** And not this. */
  readonly skip?: string;
  /** Their folder, where its syncs are of interest. */
  readonly folder?: string;
  /** File that takes down what is written. */
  readonly log?: string;
  /** The process kills itself in place of this operation on the files, counted from 1. */
  readonly killAt?: number;
  /** Syncs do nothing. */
  readonly isLying?: boolean;
  /** File that is read in place of the system's list of mounts. */
  readonly mounts?: string;
}

/** What happens to an operation while it is set. */
export type Rule =
  | `${'fsync' | 'write' | 'truncate' | 'open' | 'unlink' | 'rename' | 'link' | 'realpath' | 'read'} ${'errno' | 'sleep'} ${number}`
  | `read errno ${number} after ${number}`
  | `${'open' | 'read'} hang 0`;

/** The disk of one program, as its test commands it. */
export class FaultyDisk {
  readonly #control: string;
  readonly env: Record<string, string>;

  constructor(folder: string, options: ShimOptions) {
    const library = build();
    if (library === null) throw new Error(findShimObstacle() ?? '');
    this.#control = join(folder, 'shim-control');
    this.env = {
      LD_PRELOAD: library,
      SHIM_MATCH: options.match,
      SHIM_CONTROL: this.#control,
      ...(options.skip && { SHIM_SKIP: options.skip }),
      ...(options.folder && { SHIM_FOLDER: options.folder }),
      ...(options.log && { SHIM_LOG: options.log }),
      ...(options.killAt && { SHIM_KILL_AT: String(options.killAt) }),
      ...(options.isLying && { SHIM_LIE: '1' }),
      ...(options.mounts && { SHIM_MOUNTS: options.mounts }),
    };
  }

  /** From now on operations are met by these faults. */
  set(...rules: readonly Rule[]): void {
    writeFileSync(this.#control, `${rules.join('\n')}\n`);
  }

  /** The disk is well again. */
  heal(): void {
    if (existsSync(this.#control)) rmSync(this.#control);
  }

  /** Start a script of ours on this disk, on the Node that runs the tests. */
  start(script: string, args: readonly string[], env: Record<string, string> = {}): ChildProcess {
    return spawn(process.execPath, [script, ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...env, ...this.env },
    });
  }
}

/**
 * Run a script of ours to its end on a disk whose operations are taken down.
 *
 * @param options - the files concerned, and where the record lies.
 * @param input - its standard input.
 * @returns the record, for `readOperations`.
 * @throws when the script fails or complains.
 */
export async function recordScript(
  options: Pick<ShimOptions, 'match' | 'isLying'> & { readonly folder: string; readonly log: string },
  script: string,
  args: readonly string[],
  input = '',
): Promise<Buffer> {
  const child = new FaultyDisk(dirname(options.log), options).start(script, args);
  let errors = '';
  child.stderr?.on('data', (bytes: Buffer) => {
    errors += bytes.toString();
  });
  child.stdout?.resume();
  child.stdin?.end(input);
  const [code] = await once(child, 'close');
  if (code !== 0 || errors !== '') throw new Error(`${script} ended with ${code}: ${errors}`);
  return readFileSync(options.log);
}
