// `npm run rotations`: real logs are rotated again and again beside the real agent and a real service, and what the service
// holds is compared with what the tool wrote; a safe save counts as a rotation. It ends with 1 when a row was lost without a gap
// that covers it, doubled or altered.
//
//   --alive N    rotations while the agent runs (2,500)
//   --killed N   rotations while it is killed each 1 to 4 s and started again (500)
//   --off N      rotations while it is off, up to 8 in a row (200)
//   --side N     logs that are rotated side by side (4)
//   --keep N     rotated files that are kept (5); fewer than the machine has time for are destroyed unread, and their rows lie in a gap
//                at best
//   --seed N     where the seeds of the rounds begin (1); a round that failed names its seed
//
// A round takes the next way of rotation, `match` and disk (ext4 or what holds the temporary folder, and memory), and 0.3 to
// 2 s between two rotations.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createServiceClient } from '../../src-main/delivery/client/client.ts';
import { type LocalService, startLocalService } from '../../src-main/local-service/local-service.ts';
import type { GapRow } from '../../src-main/model/queue.ts';
import { openQueue } from '../../src-main/queue/store/queue.ts';
import { Chance } from '../simulation/random.ts';
import { readDelivered } from '../support/rigs/delivered.ts';
import { type RotatingWish, STYLES, type Style } from './rotating-tool.ts';

const CLI = join(import.meta.dirname, '../../dist/main/cli.js');
const TOOL = join(import.meta.dirname, 'rotating-tool.ts');
const ROTATIONS_A_ROUND = 25;
/** Most rotations in a row while the agent is off: more than are kept. */
const OFF_MAX = 8;
const LIFE_MS = [1000, 4000] as const;
const MEMORY = '/dev/shm';

const MODES = ['alive', 'killed', 'off'] as const;
type Mode = (typeof MODES)[number];

interface Way {
  readonly style: Style;
  readonly match: string;
  readonly disk: string;
  /** Least and most time between two rotations. */
  readonly everyMs: readonly [number, number];
}

const disks = process.platform === 'linux' ? [tmpdir(), MEMORY] : [tmpdir()];
/** A log of its own is named alone or with what it was rotated to; new files are found by a pattern. */
const matches = {
  rename: ['log.csv', '*'],
  copytruncate: ['log.csv', '*'],
  'new-file': ['log-*.csv'],
  save: ['log.csv', '*'],
} as const;
const WAYS: readonly Way[] = (
  [
    [300, 300],
    [300, 2000],
  ] as const
).flatMap((everyMs) =>
  disks.flatMap((disk) =>
    STYLES.flatMap((style) => matches[style].map((match): Way => ({ style, match, disk, everyMs }))),
  ),
);

/** What came of a log: rows by number. */
export interface Verdict {
  readonly rotations: number;
  readonly rows: number;
  /** Rows that are not there and lie in no gap. */
  readonly lost: number;
  readonly doubled: number;
  /** Points whose stamp is not that of their row. */
  readonly altered: number;
  /** Rows that are not there, and lie in a gap. */
  readonly named: number;
  /** Gaps in which no row is missing. */
  readonly needless: number;
  /** Why the agent told those. */
  readonly causes: readonly string[];
}

const ended = async (child: ChildProcess) => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
};

/** One log in a folder of its own, the agent that reads it, and its service. */
class Round {
  readonly #way: Way;
  readonly #chance: Chance;
  readonly #folder: string;
  readonly #service: LocalService;
  #rotated = 0;
  readonly #keep: number;

  constructor(way: Way, seed: number, folder: string, service: LocalService, keep: number) {
    this.#way = way;
    this.#chance = new Chance(seed);
    this.#folder = folder;
    this.#service = service;
    this.#keep = keep;
    mkdirSync(join(folder, 'logs'));
    writeFileSync(this.#at('truth.csv'), '');
    const settings = {
      version: 1,
      service: { url: service.url, resend: 'repeat' },
      tool: { name: 'T', time_zone: 'UTC' },
      stream_defaults: { points_per_chunk: 20, rollover: 'growth' },
      sources: [{ id: 'log', kind: 'log', path: this.#at('logs'), match: way.match, backfill: 'all' }],
    };
    writeFileSync(this.#at('epistream.yaml'), JSON.stringify(settings));
  }

  /** Rotate so often in this mode, and hold what the service has against what was written. */
  async run(mode: Mode, rotations: number): Promise<Verdict> {
    // What is destroyed before the log was ever seen is nobody's loss.
    await this.#write(0, [0, 0]);
    await this.#drain();
    if (mode === 'alive') await this.#beside(rotations, (...beside) => this.#live(...beside));
    else if (mode === 'killed') await this.#beside(rotations, (...beside) => this.#dieAgain(...beside));
    else while (this.#rotated < rotations) await this.#away(Math.min(OFF_MAX, rotations - this.#rotated));
    await this.#drain();
    return this.#judge();
  }

  #at(name: string): string {
    return join(this.#folder, name);
  }

  #agent(...words: string[]): ChildProcess {
    const args = ['run', '--config', this.#at('epistream.yaml'), '--data', this.#at('data'), ...words];
    return spawn(process.execPath, [CLI, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, BROWSER: 'none', EPISTREAM_API_KEY: this.#service.apiKey },
    });
  }

  async #started(): Promise<ChildProcess> {
    const agent = this.#agent();
    let said = '';
    await new Promise<void>((resolve, reject) => {
      agent.stdout?.on('data', (bytes: Buffer) => {
        said = (said + bytes.toString()).slice(-10_000);
        if (said.includes('Recording of T started')) resolve();
      });
      agent.once('exit', (code) => reject(new Error(`the agent ended with ${code}: ${said}`)));
    });
    return agent;
  }

  async #drain(): Promise<void> {
    const agent = this.#agent('--drain-and-exit');
    agent.stdout?.resume();
    await ended(agent);
    if (agent.exitCode !== 0) throw new Error(`a drain ended with ${agent.exitCode ?? agent.signalCode}`);
  }

  async #write(rotations: number, everyMs: readonly [number, number]): Promise<void> {
    const rows = readFileSync(this.#at('truth.csv'), 'utf8').split('\n').length;
    const wish: RotatingWish = {
      folder: this.#at('logs'),
      truth: this.#at('truth.csv'),
      style: this.#way.style,
      rotations,
      from: rows,
      rotated: this.#rotated,
      keep: this.#keep,
      everyMs,
      seed: this.#chance.between(1, 2 ** 31),
    };
    const tool = spawn(process.execPath, [TOOL, JSON.stringify(wish)], { stdio: 'inherit' });
    await ended(tool);
    if (tool.exitCode !== 0) throw new Error(`the tool ended with ${tool.exitCode ?? tool.signalCode}`);
    this.#rotated += rotations;
  }

  /** Write while something goes on beside; it is asked to end when all is written. */
  async #beside(rotations: number, live: (agent: ChildProcess, isOver: () => boolean) => Promise<void>): Promise<void> {
    let isWritten = false;
    const agent = await this.#started();
    const writing = this.#write(rotations, this.#way.everyMs).finally(() => {
      isWritten = true;
    });
    await live(agent, () => isWritten);
    await writing;
  }

  async #live(agent: ChildProcess, isOver: () => boolean): Promise<void> {
    while (!isOver()) await setTimeout(50);
    await setTimeout(1000);
    agent.kill('SIGTERM');
    await ended(agent);
  }

  async #dieAgain(first: ChildProcess, isOver: () => boolean): Promise<void> {
    for (let agent = first; ; agent = await this.#started()) {
      const endMs = performance.now() + this.#chance.between(...LIFE_MS);
      while (!isOver() && performance.now() < endMs) await setTimeout(20);
      agent.kill('SIGKILL');
      await ended(agent);
      if (isOver()) return;
    }
  }

  /** Read what is there, then rotate up to so often, with nobody looking. */
  async #away(most: number): Promise<void> {
    await this.#write(0, [0, 0]);
    await this.#drain();
    await this.#write(this.#chance.between(1, most), [0, 0]);
  }

  #gaps(): GapRow[] {
    const queue = openQueue(this.#at('data/queue.db'));
    try {
      return queue.listGaps(10_000);
    } finally {
      queue.close();
    }
  }

  async #judge(): Promise<Verdict> {
    const lines = readFileSync(this.#at('truth.csv'), 'utf8').trimEnd().split('\n');
    const stamps = new Map(lines.map((line) => line.split(',').map(Number).reverse() as [number, number]));
    const client = createServiceClient({ baseUrl: this.#service.url, apiKey: () => this.#service.apiKey });
    const points = [...(await readDelivered(client)).values()].flat();
    await client.close();
    const gaps = this.#gaps();
    const isIn = (timeMs: number) => (gap: GapRow) => gap.fromMs <= timeMs && timeMs <= gap.toMs;
    const held = new Set(points.map(({ value }) => value));
    const missing = [...stamps].filter(([value]) => !held.has(value)).map(([, timeMs]) => timeMs);
    const named = missing.filter((timeMs) => gaps.some(isIn(timeMs))).length;
    const needless = gaps.filter((gap) => !missing.some((timeMs) => isIn(timeMs)(gap)));
    return {
      rotations: this.#rotated,
      rows: stamps.size,
      lost: missing.length - named,
      doubled: points.length - held.size,
      altered: points.filter(({ timeMs, value }) => stamps.get(value) !== timeMs).length,
      named,
      needless: needless.length,
      causes: [...new Set(needless.map(({ cause }) => cause.slice(cause.indexOf(': ') + 2)))],
    };
  }
}

async function runRound(
  mode: Mode,
  seed: number,
  rotations: number,
  keep: number,
): Promise<{ way: Way; verdict: Verdict }> {
  const way = WAYS[seed % WAYS.length] as Way;
  const folder = mkdtempSync(join(way.disk, 'rotations-'));
  const service = await startLocalService({ folder: join(folder, 'service') });
  try {
    return { way, verdict: await new Round(way, seed, folder, service, keep).run(mode, rotations) };
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const isBad = ({ lost, doubled, altered }: Verdict) => lost + doubled + altered > 0;
const KEYS = ['rotations', 'rows', 'lost', 'doubled', 'altered', 'named', 'needless'] as const;

async function main(): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: { alive: text, killed: text, off: text, side: text, keep: text, seed: text },
  });
  const wanted = {
    alive: Number(values.alive ?? 2500),
    killed: Number(values.killed ?? 500),
    off: Number(values.off ?? 200),
  };
  let seed = Number(values.seed ?? 1);
  const left = { ...wanted };
  const sums = new Map<string, Record<(typeof KEYS)[number], number>>();
  let isClean = true;

  const goOn = async (): Promise<void> => {
    for (let mode = MODES.find((one) => left[one] > 0); mode; mode = MODES.find((one) => left[one] > 0)) {
      const rotations = Math.min(ROTATIONS_A_ROUND, left[mode]);
      left[mode] -= rotations;
      const own = seed++;
      const { way, verdict } = await runRound(mode, own, rotations, Number(values.keep ?? 5));
      const name = `${mode}, ${way.style}`;
      const sum = sums.get(name) ?? { rotations: 0, rows: 0, lost: 0, doubled: 0, altered: 0, named: 0, needless: 0 };
      for (const key of KEYS) sum[key] += verdict[key];
      sums.set(name, sum);
      if (isBad(verdict) || verdict.needless > 0 || (mode === 'alive' && verdict.named > 0)) {
        const what = `${name}, match ${way.match}, ${way.disk}, each ${way.everyMs.join(' to ')} ms`;
        console.log(
          `${what}: ${JSON.stringify(verdict)}\n  repeat it: --alive 0 --killed 0 --off 0 --${mode} ${rotations} --seed ${own}`,
        );
      }
      isClean &&= !isBad(verdict);
    }
  };
  const startMs = performance.now();
  await Promise.all(Array.from({ length: Number(values.side ?? 4) }, goOn));
  console.log(`| ${['', ...KEYS.slice(0, 5), 'missing in a gap', 'needless gaps'].join(' | ')} |`);
  console.log(`|${' --- |'.repeat(KEYS.length + 1)}`);
  for (const [name, sum] of [...sums].sort()) console.log(`| ${[name, ...KEYS.map((key) => sum[key])].join(' | ')} |`);
  console.log(`${((performance.now() - startMs) / 60_000).toFixed(1)} minutes`);
  process.exitCode = isClean ? 0 : 1;
}

if (import.meta.main) await main();
