// The other end of log-reader-process.ts: tells the reader when to look, and takes its account.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { LogSourceOptions } from '../../../src-main/sources/log/log-source.ts';
import type { FaultyDisk } from '../faults/fault-shim.ts';

const SCRIPT = join(import.meta.dirname, 'log-reader-process.ts');

export type ReaderOptions = Partial<LogSourceOptions> & { readonly path: string };

export type ReaderDeed =
  | { readonly do: 'begin'; readonly options: ReaderOptions }
  | { readonly do: 'look'; readonly passedMs?: number }
  | { readonly do: 'kill' };

export interface ReaderReport {
  /** Values by channel, in the order in which they came. */
  readonly values: Readonly<Record<string, readonly number[]>>;
  readonly notes: Readonly<Record<string, { readonly level: string; readonly message: string }>>;
  /** Causes of the gaps. */
  readonly gaps: readonly string[];
  /** What ended the last run; null when it runs. */
  readonly failure: string | null;
  /** Files of the folder that the process holds open between two looks. */
  readonly handles: readonly string[];
}

/** Reads one folder after the other; ends with the tests of its file. */
export class ReaderProcess {
  readonly #child: ChildProcess;
  readonly #answers: AsyncIterator<string>;

  constructor(disk: FaultyDisk) {
    this.#child = disk.start(SCRIPT, []);
    this.#child.stderr?.pipe(process.stderr);
    this.#answers = createInterface({ input: this.#child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  }

  /** From now on read another folder, with nothing in mind. */
  async begin(options: ReaderOptions): Promise<void> {
    await this.#ask({ do: 'begin', options });
  }

  /** Look once and read all that the look finds. */
  look(passedMs = 500): Promise<ReaderReport> {
    return this.#ask({ do: 'look', passedMs });
  }

  /** End the run as a kill would; the next look begins another one from what was kept. */
  kill(): Promise<ReaderReport> {
    return this.#ask({ do: 'kill' });
  }

  async end(): Promise<void> {
    this.#child.stdin?.end();
    if (this.#child.exitCode === null) await once(this.#child, 'exit');
  }

  async #ask(deed: ReaderDeed): Promise<ReaderReport> {
    this.#child.stdin?.write(`${JSON.stringify(deed)}\n`);
    const answer = await this.#answers.next();
    if (answer.done === true) throw new Error('the reader has ended');
    return JSON.parse(answer.value) as ReaderReport;
  }
}
