// The writer as a process that can be killed, and what it has confirmed by then.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const TOP = join(import.meta.dirname, '../..');
const WRITER = join(import.meta.dirname, 'writer.ts');

/** The writer in one file: a process that loads no other source is ready in half the time. */
export async function bundleWriter(): Promise<string> {
  const folder = join(TOP, 'node_modules/.cache/torture');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `writer-${process.pid}.mjs`);
  const bundle = await rolldown({
    input: WRITER,
    platform: 'node',
    external: ['better-sqlite3', 'temporal-polyfill'],
  });
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  await bundle.close();
  return file;
}

export interface Job {
  /** Default: it stores rows. */
  readonly act?: 'resend';
  readonly path: string;
  readonly seed: number;
  /** Null: until killed. */
  readonly captures: number | null;
  readonly reserveBytes?: number;
}

export class WriterProcess {
  readonly child: ChildProcess;
  /** Rows that it said are stored. */
  confirmed = 0;
  /** What it said of a store that refuses, `well` when it takes again. */
  readonly words: string[] = [];
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  readonly #watchers = new Set<() => void>();
  #rest = '';

  /**
   * @param start - how it is started; by default from source, on the Node that runs this.
   */
  constructor(start: () => ChildProcess = () => spawn(process.execPath, [WRITER], { stdio: 'pipe' })) {
    this.child = start();
    this.child.stdout?.on('data', (bytes: Buffer) => this.#hear(bytes.toString()));
    this.child.stderr?.on('data', (bytes: Buffer) => {
      this.words.push(...bytes.toString().trim().split('\n'));
      this.#look();
    });
    // A process that is killed closes its input; what it had to say came before.
    this.child.stdin?.on('error', () => {});
    this.ended = new Promise((resolve) => this.child.on('close', (code, signal) => resolve({ code, signal })));
    void this.ended.then(() => this.#look());
  }

  begin(job: Job): this {
    this.child.stdin?.write(`${JSON.stringify(job)}\n`);
    return this;
  }

  /** Fulfilled when it holds; rejects when the process ends before. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const isOver = this.child.exitCode !== null || this.child.signalCode !== null;
        if (!holds() && !isOver) return;
        this.#watchers.delete(look);
        if (holds()) resolve();
        else reject(new Error(`the writer ended after ${this.confirmed} rows: ${this.words.join(', ')}`));
      };
      this.#watchers.add(look);
      look();
    });
  }

  /** Fulfilled when so many more rows are stored. */
  more(rows: number): Promise<void> {
    const wanted = this.confirmed + rows;
    return this.until(() => this.confirmed >= wanted);
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  #hear(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) if (/^\d+$/.test(line)) this.confirmed = Number(line);
    this.#look();
  }

  #look(): void {
    for (const look of this.#watchers) look();
  }
}
