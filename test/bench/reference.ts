// The built agent against the same way in plain Node: `npm run bench -- reference [ROWS]` (1,000,000), after `npm run build`.
// A log that looks like that of a growth, 20 channels, and a service that keeps what it gets, a process of its own. Both are
// measured in turn in one run, as built and as installed, three times each; the ratios of the medians are printed. Processor
// time is that of all threads of the process. Only the agent reads back what it has sent; that counts as its own.
//
//   backfill          a whole log read, stored, sent: points/s up to the last point, processor time and memory of the whole life
//   away              20,000 points/s while the service is away: processor time, then bytes a waiting point
//   after an outage   the service comes back: time to the first point, then points/s until all but two chunks are there
//   latency           50 rows/s, a row a chunk: from the row's writing to its arrival, and processor time
//
// EPISTREAM_BEFORE: the cli.js of another build of the agent, measured in turn with both. EPISTREAM_ROUNDS: rounds; EPISTREAM_CASES: some of the cases, `backfill,away,latency`; EPISTREAM_SECONDS: seconds of the live ones.
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { GROWTH_COLUMNS } from './parts/growth-text.ts';
import {
  type AgentWish,
  inFolder,
  MeasuredAgent,
  median,
  percentile,
  ReferenceAgent,
  RowWriter,
  Sink,
  tableLine,
} from './parts/rig.ts';
import { writeLog } from './parts/write-log.ts';

const ROUNDS = Number(process.env.EPISTREAM_ROUNDS ?? 3);
const CASES = (process.env.EPISTREAM_CASES ?? 'backfill,away,latency').split(',');
const SECONDS = Number(process.env.EPISTREAM_SECONDS ?? 30);
const ROWS_A_CHUNK = 1000;
const SETTLE_MS = 5000;
const RETURN_MAX_MS = 90_000;
const rows = Number(process.argv[2] ?? 1_000_000);

const BEFORE = process.env.EPISTREAM_BEFORE ?? '';
const PIPELINES = {
  reference: (wish: AgentWish, mode: 'run' | 'drain') => ReferenceAgent.start(wish, mode),
  agent: (wish: AgentWish, mode: 'run' | 'drain') => MeasuredAgent.start(wish, mode),
  before: (wish: AgentWish, mode: 'run' | 'drain') => MeasuredAgent.start({ ...wish, program: BEFORE }, mode),
} as const;
type Pipeline = keyof typeof PIPELINES;
const MEASURED: readonly Pipeline[] = ['reference', 'agent', ...(BEFORE === '' ? [] : (['before'] as const))];
type Figures = Readonly<Record<string, number>>;

async function backfill(pipeline: Pipeline, folder: string, logs: string): Promise<Figures> {
  const sink = await Sink.start(0, true);
  try {
    const startMs = Date.now();
    const agent = await PIPELINES[pipeline]({ folder, url: sink.url, logs, pointsPerChunk: ROWS_A_CHUNK }, 'drain');
    const { cpuS, peakMb } = await agent.drained();
    const points = rows * GROWTH_COLUMNS;
    // The service tells ten times a second.
    for (let times = 0; sink.points < points && times < 50; times++) await setTimeout(20);
    if (sink.points !== points) throw new Error(`${sink.points} of ${points} points came`);
    const pointsPerSecond = points / ((sink.lastMs - startMs) / 1000);
    return { 'points/s': pointsPerSecond, 'CPU s per million points': (cpuS * 1e6) / points, 'peak RSS MB': peakMb };
  } finally {
    await sink.end();
  }
}

/** Bytes of the queue of an agent whose benchmark folder is given, its write-ahead log included. */
const queueBytes = (folder: string) =>
  ['queue.db', 'queue.db-wal'].reduce(
    (sum, name) => sum + (statSync(join(folder, 'data', name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );

interface Live {
  readonly folder: string;
  readonly sink: Sink;
  readonly tool: RowWriter;
  readonly agent: MeasuredAgent | ReferenceAgent;
}

/** A tool that writes, a pipeline at its log: measured once both have settled. */
async function live(
  pipeline: Pipeline,
  folder: string,
  { rowsPerSecond, pointsPerChunk }: { rowsPerSecond: number; pointsPerChunk: number },
  work: (parts: Live) => Promise<Figures>,
): Promise<Figures> {
  const logs = join(folder, 'logs');
  mkdirSync(logs, { recursive: true });
  const sink = await Sink.start(0, true);
  const tool = RowWriter.start(logs, 'growth', rowsPerSecond);
  while (readdirSync(logs).length === 0) await setTimeout(20);
  const agent = await PIPELINES[pipeline]({ folder, url: sink.url, logs, pointsPerChunk }, 'run');
  try {
    await setTimeout(SETTLE_MS);
    await agent.figures();
    return await work({ folder, sink, tool, agent });
  } finally {
    await Promise.all([agent.end(), tool.end(), sink.end()]);
  }
}

const away = (pipeline: Pipeline, folder: string) =>
  live(pipeline, folder, { rowsPerSecond: 1000, pointsPerChunk: ROWS_A_CHUNK }, async ({ sink, tool, agent }) => {
    sink.toggle();
    // What the sink took last has been told by then.
    await setTimeout(500);
    const [taken, bytesBefore] = [sink.points, queueBytes(folder)];
    await agent.figures();
    await setTimeout(SECONDS * 1000);
    const { cpuS, wallS } = await agent.figures();
    const written = await tool.stop();
    await setTimeout(2000);
    const waiting = written * GROWTH_COLUMNS - taken;
    const bytes = queueBytes(folder) - bytesBefore;
    const certain = written * GROWTH_COLUMNS - 2 * ROWS_A_CHUNK * GROWTH_COLUMNS;
    const backMs = Date.now();
    await agent.figures();
    sink.toggle();
    while (sink.points < certain) {
      if (Date.now() - backMs > RETURN_MAX_MS) throw new Error(`${sink.points} of ${certain} points came`);
      await setTimeout(20);
    }
    const first = sink.arrivals.find(({ points }) => points > taken);
    return {
      'away: CPU, % of a core': (100 * cpuS) / wallS,
      'bytes a waiting point': bytes / waiting,
      'first point after, s': ((first?.ms ?? Number.NaN) - backMs) / 1000,
      'drain points/s': sink.rateAfter(taken),
    };
  });

const latency = (pipeline: Pipeline, folder: string) =>
  live(pipeline, folder, { rowsPerSecond: 50, pointsPerChunk: 1 }, async ({ sink, agent }) => {
    sink.agesMs.length = 0;
    await setTimeout(SECONDS * 1000);
    const { cpuS, wallS } = await agent.figures();
    return {
      'latency p50 ms': percentile(sink.agesMs, 50),
      'latency p99 ms': percentile(sink.agesMs, 99),
      'latency: CPU, % of a core': (100 * cpuS) / wallS,
    };
  });

const shown = (value: number) => (value >= 1000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3));

await inFolder(async (folder) => {
  const logs = join(folder, 'logs');
  if (CASES.includes('backfill')) await writeLog(join(logs, 'growth.csv'), 'growth', rows);
  const measures: Record<string, (pipeline: Pipeline, folder: string) => Promise<Figures>> = {
    backfill: (pipeline, own) => backfill(pipeline, own, logs),
    away,
    latency,
  };
  console.log(tableLine('', ...MEASURED, ...MEASURED.slice(1).map((one) => `${one} / reference`), 'rounds'));
  console.log(tableLine(...Array.from({ length: 2 * MEASURED.length + 1 }, () => '---')));
  for (const name of CASES) {
    const measure = measures[name];
    if (!measure) throw new Error(`There is no case ${name}. Known: ${Object.keys(measures).join(', ')}`);
    const found: Record<Pipeline, Figures[]> = { reference: [], agent: [], before: [] };
    for (let round = 0; round < ROUNDS; round++) {
      for (const pipeline of MEASURED) {
        found[pipeline].push(await measure(pipeline, join(folder, `${name}-${round}-${pipeline}`)));
      }
    }
    for (const key of Object.keys(found.agent[0] ?? {})) {
      const rounds = MEASURED.map((one) => found[one].map((figures) => figures[key] ?? Number.NaN));
      const medians = rounds.map(median);
      const ratios = medians.slice(1).map((value) => (value / (medians[0] ?? Number.NaN)).toFixed(2));
      const each = rounds.map((values) => values.map(shown).join(', ')).join('; ');
      console.log(tableLine(key, ...medians.map(shown), ...ratios, each));
    }
  }
  console.log(
    `\n${rows} rows in the backfill; load average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')}`,
  );
});
