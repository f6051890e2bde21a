// The other end of log-reader-process.ts: tells the reader when to look, and takes its account.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import type { LogSourceOptions } from '../../../src-main/sources/log/log-source.ts';
import type { FaultyDisk } from '../faults/fault-shim.ts';

const SCRIPT = join(import.meta.dirname, 'log-reader-process.ts');

export type ReaderDeed =
  | { readonly do: 'look'; readonly passedMs?: number }
  | { readonly do: 'use'; readonly options: Partial<LogSourceOptions> }
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

/** A reader of one folder; it ends with the test. */
export class ReaderProcess {
  readonly #child: ChildProcess;
  readonly #answers: AsyncIterator<string>;

  constructor(options: Partial<LogSourceOptions> & { path: string }, disk?: FaultyDisk) {
    const args = [JSON.stringify(options)];
    this.#child =
      disk?.start(SCRIPT, args) ?? spawn(process.execPath, [SCRIPT, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child.stderr?.pipe(process.stderr);
    this.#answers = createInterface({ input: this.#child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
    onTestFinished(() => {
      this.#child.kill('SIGKILL');
    });
  }

  /** Look once and read all that the look finds. */
  look(passedMs = 500): Promise<ReaderReport> {
    return this.#ask({ do: 'look', passedMs });
  }

  /** End the run as a kill would; the next look begins another one from what was kept. */
  kill(): Promise<ReaderReport> {
    return this.#ask({ do: 'kill' });
  }

  /** Change the settings for the next run. */
  use(options: Partial<LogSourceOptions>): Promise<ReaderReport> {
    return this.#ask({ do: 'use', options });
  }

  async #ask(deed: ReaderDeed): Promise<ReaderReport> {
    this.#child.stdin?.write(`${JSON.stringify(deed)}\n`);
    const answer = await this.#answers.next();
    if (answer.done === true) throw new Error('the reader has ended');
    return JSON.parse(answer.value) as ReaderReport;
  }
}
