// What benchmarks of the whole agent stand on: a folder, a sink and a measured agent, each a process of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { ENVIRONMENT, NODE_FLAGS } from './as-installed.ts';

/** The value in the middle. */
export const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** The value that so many of 100 lie below. */
export const percentile = (values: readonly number[], percent: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length * percent) / 100)] ?? Number.NaN;

/** A line of a Markdown table. */
export const tableLine = (...cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;

/** A folder that is there while `work` runs. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'epistream-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const PROGRAM = join(import.meta.dirname, '../../../dist/main/cli.js');

/** What measured agents know themselves by. */
const BENCH_KEY = 'bench-key-of-no-service';

/** A process: what it prints comes line by line. */
export class Part {
  readonly child: ChildProcess;
  readonly lines: Interface;
  constructor(file: string, args: readonly string[], env: Record<string, string> = {}, flags: readonly string[] = []) {
    this.child = spawn(process.execPath, [...flags, file, ...args], {
      stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
      env: { ...process.env, ...env },
    });
    if (!this.child.stdout) throw new Error('no output');
    this.lines = createInterface({ input: this.child.stdout });
  }

  /**
   * The next line that it prints.
   *
   * @throws when it ends before.
   */
  async line(): Promise<string> {
    const closed = once(this.lines, 'close').then(() => null);
    const said = (await Promise.race([once(this.lines, 'line'), closed])) as [string] | null;
    if (!said) throw new Error(`${this.child.spawnargs[1]} ended with code ${this.child.exitCode}`);
    return said[0];
  }

  tell(text: string): void {
    this.child.stdin?.write(`${text}\n`);
  }

  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill();
    await exited;
  }
}

/** The service that keeps nothing. */
export class Sink extends Part {
  points = 0;
  /** When the last point came, Unix milliseconds. */
  lastMs = 0;
  url = '';
  /** How old the first row of each chunk was when it came, milliseconds. */
  agesMs: number[] = [];
  /** When each chunk came, Unix milliseconds, and how many points had come with it. */
  arrivals: { readonly ms: number; readonly points: number }[] = [];

  /** `isKeeping`: it gives what it took back when it is asked for the series. */
  static async start(delayMs = 0, isKeeping = false): Promise<Sink> {
    const args = [String(delayMs), ...(isKeeping ? ['keep'] : [])];
    const sink = new Sink(join(import.meta.dirname, 'sink-process.ts'), args);
    sink.url = `http://127.0.0.1:${await sink.line()}`;
    sink.lines.on('line', (text) => {
      const said = JSON.parse(text) as Pick<Sink, 'points' | 'lastMs' | 'agesMs' | 'arrivals'>;
      const { points, lastMs, agesMs, arrivals } = said;
      Object.assign(sink, { points, lastMs });
      sink.agesMs.push(...agesMs);
      sink.arrivals.push(...arrivals);
    });
    return sink;
  }

  /**
   * Points a second between the first and the last arrival after so many points: the points of the first one came before
   * the clock began. NaN when fewer than two came.
   */
  rateAfter(points: number): number {
    const [first, ...rest] = this.arrivals.filter((arrival) => arrival.points > points);
    const last = rest.at(-1);
    return first && last ? (last.points - first.points) / ((last.ms - first.ms) / 1000) : Number.NaN;
  }

  /** Refuse connections from now on, or let them in again. */
  toggle(): void {
    this.tell('');
  }
}

/** A tool that writes its log. */
export class RowWriter extends Part {
  static start(logs: string, columns: number | 'growth', rowsPerSecond: number): RowWriter {
    mkdirSync(logs, { recursive: true });
    const args = [join(logs, 'live.csv'), String(columns), String(rowsPerSecond)];
    return new RowWriter(join(import.meta.dirname, 'row-writer.ts'), args);
  }

  /**
   * End it.
   *
   * @returns the rows that it wrote.
   */
  async stop(): Promise<number> {
    const rows = this.line();
    this.child.stdin?.end();
    return Number(await rows);
  }
}

export interface AgentWish {
  readonly folder: string;
  readonly url: string;
  /** A folder of logs, or several: a source each. */
  readonly logs: string | readonly string[];
  readonly pointsPerChunk: number | 'auto';
  /** Another build of the agent: the path of its cli.js. */
  readonly program?: string;
  /** Further lines of the service's settings, `resend: repeat` say. */
  readonly service?: Record<string, unknown>;
}

/** What the agent used since it was asked last; processor time is that of all its threads. */
export interface AgentFigures {
  readonly cpuS: number;
  readonly wallS: number;
  /** Delay of the main thread's event loop, milliseconds. */
  readonly loopP50Ms: number;
  readonly loopP99Ms: number;
  /** Most memory since it began. */
  readonly peakMb: number;
  readonly rssMb: number;
  readonly heapMb: number;
  readonly outsideMb: number;
  readonly handles: number;
}

/** A process that tells what it uses. */
class MeasuredPart extends Part {
  readonly #figuresFile: string;

  constructor(file: string, args: readonly string[], folder: string, key: string) {
    const figuresFile = join(folder, 'figures.json');
    const env = { ...ENVIRONMENT, EPISTREAM_API_KEY: key, EPISTREAM_FIGURES: figuresFile };
    const flags = process.env.EPISTREAM_BENCH_FLAGS?.split(' ') ?? [];
    super(file, args, env, [...NODE_FLAGS, ...flags, '--import', join(import.meta.dirname, 'figures.mjs')]);
    this.#figuresFile = figuresFile;
  }

  /** Wait until it says that it has started. */
  async started(): Promise<void> {
    while (!/ started/.test(await this.line()));
  }

  async figures(): Promise<AgentFigures> {
    const answer = once(this.child, 'message');
    this.child.send('figures');
    const [figures] = (await answer) as [AgentFigures];
    return figures;
  }

  /**
   * Wait until it ends by itself.
   *
   * @returns processor time and memory of its whole life.
   * @throws any other end.
   */
  async drained(): Promise<{ cpuS: number; peakMb: number }> {
    if (this.child.exitCode === null) await once(this.child, 'exit');
    if (this.child.exitCode !== 0)
      throw new Error(`${this.child.spawnargs[1]} ended with code ${this.child.exitCode}.`);
    return JSON.parse(readFileSync(this.#figuresFile, 'utf8')) as { cpuS: number; peakMb: number };
  }
}

/** The built program with one log folder and one service: what a user runs. Build it before: `npm run build`. */
export class MeasuredAgent extends MeasuredPart {
  /** Start it: on and on, or (`drain`) until all that is there now is sent. */
  static async start(wish: AgentWish, mode: 'run' | 'drain'): Promise<MeasuredAgent> {
    mkdirSync(wish.folder, { recursive: true });
    const folders = typeof wish.logs === 'string' ? [wish.logs] : wish.logs;
    const sources = folders.map((path, at) => ({
      ...{ id: at === 0 ? 'log' : `log-${at + 1}`, kind: 'log', path, match: '*.csv', backfill: 'all' },
    }));
    const settings = {
      version: 1,
      service: { url: wish.url, ...wish.service },
      tool: { name: 'bench', time_zone: 'UTC' },
      stream_defaults: { points_per_chunk: wish.pointsPerChunk, rollover: 'growth' },
      sources,
    };
    const config = join(wish.folder, 'epistream.yaml');
    // YAML takes JSON as it is.
    writeFileSync(config, JSON.stringify(settings));
    const place = ['--config', config, '--data', join(wish.folder, 'data')];
    const args = ['run', ...place, ...(mode === 'drain' ? ['--drain-and-exit'] : [])];
    const agent = new MeasuredAgent(wish.program ?? PROGRAM, args, wish.folder, BENCH_KEY);
    await agent.started();
    return agent;
  }
}

/** The same way in plain Node, of one log, in its place. */
export class ReferenceAgent extends MeasuredPart {
  static async start({ folder, url, logs, pointsPerChunk }: AgentWish, mode: 'run' | 'drain'): Promise<ReferenceAgent> {
    mkdirSync(join(folder, 'data'), { recursive: true });
    const [name = ''] = readdirSync(String(logs)).filter((one) => one.endsWith('.csv'));
    const args = [join(String(logs), name), join(folder, 'data/queue.db'), url, String(pointsPerChunk), mode];
    const agent = new ReferenceAgent(join(import.meta.dirname, 'reference-process.ts'), args, folder, BENCH_KEY);
    await agent.started();
    return agent;
  }
}
