// An old log read, stored, sent: `npm run bench -- backfill [rows]`, after `npm run build`. One CSV of 1,000,000 rows with 20 columns of values,
// tailed, parsed, committed to the synced queue, sent as JSON to a sink on this PC by the whole agent, a process of its own, in
// chunks of 1,000 points. Median of three runs, each with a new queue. The time is from the agent's start to the last point
// at the sink; the processor time is the agent's, its start included.
import { join } from 'node:path';
import { inFolder, MeasuredAgent, median, Sink, tableLine } from './parts/rig.ts';
import { writeLog } from './parts/write-log.ts';

const COLUMNS = 20;
const RUNS = Number(process.env.EPISTREAM_ROUNDS ?? 3);
const rows = Number(process.argv[2] ?? 1_000_000);

interface Run {
  readonly wallS: number;
  readonly cpuS: number;
  readonly peakMb: number;
}

async function runOnce(folder: string, logs: string): Promise<Run> {
  const sink = await Sink.start();
  try {
    const startMs = Date.now();
    const agent = await MeasuredAgent.start({ folder, url: sink.url, logs, pointsPerChunk: 1000 }, 'drain');
    const used = await agent.drained();
    if (sink.points !== rows * COLUMNS) throw new Error(`${sink.points} points came`);
    return { wallS: (sink.lastMs - startMs) / 1000, cpuS: used.cpuS, peakMb: used.peakMb };
  } finally {
    await sink.end();
  }
}

await inFolder(async (folder) => {
  const logs = join(folder, 'logs');
  await writeLog(join(logs, 'growth.csv'), COLUMNS, rows);
  const runs: Run[] = [];
  for (let run = 0; run < RUNS; run++) runs.push(await runOnce(join(folder, String(run)), logs));
  const million = (rows * COLUMNS) / 1e6;
  const of = (key: keyof Run) => median(runs.map((run) => run[key]));
  console.log(tableLine('points', 'points/s', 'CPU s per million points', 'peak RSS MB'));
  console.log(tableLine('---', '---', '---', '---'));
  console.log(
    tableLine(
      `${million} million`,
      Math.round((million * 1e6) / of('wallS')).toLocaleString('en'),
      (of('cpuS') / million).toFixed(3),
      of('peakMb').toFixed(0),
    ),
  );
  console.log(JSON.stringify({ rows, runs }));
});
