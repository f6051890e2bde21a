// An old log read, stored, sent: `npm run bench -- backfill [rows]`, after `npm run build`. One CSV of 1,000,000 rows with 20 columns of values,
// tailed, parsed, committed to the synced queue, sent as JSON to a sink on this PC by the whole agent, a process of its own, in
// chunks of 1,000 points. Median of three runs, each with a new queue. The time is from the agent's start to the last point
// at the sink; the processor time is the agent's, its start included.
import { join } from 'node:path';
import { type DrainedLog, drainLog } from './parts/drain-log.ts';
import { inFolder, median, tableLine } from './parts/rig.ts';
import { writeLog } from './parts/write-log.ts';

const COLUMNS = 20;
const RUNS = Number(process.env.EPISTREAM_ROUNDS ?? 3);
const rows = Number(process.argv[2] ?? 1_000_000);

await inFolder(async (folder) => {
  const logs = join(folder, 'logs');
  await writeLog(join(logs, 'growth.csv'), COLUMNS, rows);
  const runs: DrainedLog[] = [];
  for (let run = 0; run < RUNS; run++) runs.push(await drainLog(join(folder, String(run)), logs, rows * COLUMNS));
  const million = (rows * COLUMNS) / 1e6;
  const of = (key: keyof DrainedLog) => median(runs.map((run) => run[key]));
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
