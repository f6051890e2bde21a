// Three kills while a tool writes: `npm run bench -- kills [rows per second]`, after `npm run build`. The built agent reads a log of 20
// columns, 20,000 points/s, and delivers it to the embedded service, a process of its own that keeps everything and takes
// a chunk that comes twice twice. The agent is killed (SIGKILL) three times in twelve seconds and started again at once; in
// the end it drains. Then each point of the file is held against what any client reads at the service. Three runs.
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createServiceClient } from '../../src-main/delivery/client/client.ts';
import { readSeries, type Series } from '../soak/delivered-series.ts';
import { readLogs } from '../soak/read-logs.ts';
import { BENCH_KEY, inFolder, MeasuredAgent, Part, RowWriter, tableLine } from './parts/rig.ts';

const COLUMNS = 20;
const RUNS = Number(process.env.EPISTREAM_ROUNDS ?? 3);
const KILLS = 3;
const BETWEEN_MS = 4000;
const rowsPerSecond = Number(process.argv[2] ?? 1000);

/** Times that each point occurs: rows of one write share their stamp. */
function countPoints({ timesMs, values }: Series): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [at, timeMs] of timesMs.entries()) {
    const point = `${timeMs} ${values[at]}`;
    counts.set(point, (counts.get(point) ?? 0) + 1);
  }
  return counts;
}

/** How many points of the one are not among those of the other. */
function countMissing(some: Series, others: Series): number {
  const there = countPoints(others);
  return [...countPoints(some)].reduce((sum, [point, times]) => sum + Math.max(0, times - (there.get(point) ?? 0)), 0);
}

async function kill(agent: MeasuredAgent): Promise<void> {
  const gone = once(agent.child, 'exit');
  agent.child.kill('SIGKILL');
  await gone;
}

interface Run {
  readonly points: number;
  /** In the file, and not at the service. */
  readonly lost: number;
  /** At the service, and not, or not so often, in the file. */
  readonly tooMany: number;
}

const runOnce = () =>
  inFolder(async (folder): Promise<Run> => {
    const logs = join(folder, 'logs');
    const service = new Part(join(import.meta.dirname, '../soak/service-process.ts'), [
      join(folder, 'service'),
      BENCH_KEY,
      'channel 1',
    ]);
    const [{ url }] = (await once(service.child, 'message')) as [{ url: string }];
    const wish = { folder, url, logs, pointsPerChunk: 1000 };
    const tool = RowWriter.start(logs, COLUMNS, rowsPerSecond);
    try {
      let agent = await MeasuredAgent.start(wish, 'run');
      for (let kills = 0; kills < KILLS; kills++) {
        await setTimeout(BETWEEN_MS);
        await kill(agent);
        agent = await MeasuredAgent.start(wish, 'run');
      }
      await tool.stop();
      await agent.end();
      const last = await MeasuredAgent.start(wish, 'drain');
      await last.drained();
      const written = readLogs(logs);
      const client = createServiceClient({ baseUrl: url, apiKey: () => BENCH_KEY });
      const delivered = await readSeries(client).finally(() => client.close());
      const run = { points: 0, lost: 0, tooMany: 0 };
      for (const [name, expected] of written) {
        const came = delivered.get(name) ?? { timesMs: [], values: [] };
        run.points += expected.values.length;
        run.lost += countMissing(expected, came);
        run.tooMany += countMissing(came, expected);
      }
      return run;
    } finally {
      await Promise.all([tool.end(), service.end()]);
    }
  });

console.log(tableLine('points written', 'lost', 'doubled or altered'));
console.log(tableLine('---', '---', '---'));
const runs: Run[] = [];
for (let at = 0; at < RUNS; at++) {
  const run = await runOnce();
  runs.push(run);
  console.log(tableLine(run.points.toLocaleString('en'), run.lost, run.tooMany));
}
console.log(JSON.stringify({ rowsPerSecond, runs }));
if (runs.some(({ lost, tooMany, points }) => lost + tooMany > 0 || points === 0)) process.exitCode = 1;
