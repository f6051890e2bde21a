// Cost of a point, however many channels a log has: `npm run bench -- flat-channels [points]` (4,000,000), after `npm run build`.
// The same number of points as a CSV of 1, 20, 100 and 1,000 columns of values, each read, stored, sent by the whole agent to
// a sink on this PC in chunks of 1,000 points. Median of three rounds, one of each width in turn. The time is from the agent's
// start to the last point at the sink, the processor time the agent's, its start included.
//
// The bytes of the logs differ: each row carries its stamp, which a single channel has to itself. So the bytes a point stand
// beside the figures.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { inFolder, MeasuredAgent, median, Sink, tableLine } from './parts/rig.ts';
import { writeLog } from './parts/write-log.ts';

const WIDTHS = [1, 20, 100, 1000];
const ROUNDS = Number(process.env.EPISTREAM_ROUNDS ?? 3);
const points = Number(process.argv[2] ?? 4_000_000);

interface Run {
  readonly columns: number;
  readonly wallS: number;
  readonly cpuS: number;
  readonly peakMb: number;
}

/**
 * Drain a folder of logs with a new queue.
 *
 * @throws when another number of points came.
 */
async function drainLog(folder: string, columns: number, logs: string): Promise<Run> {
  const sink = await Sink.start();
  try {
    const startMs = Date.now();
    const agent = await MeasuredAgent.start({ folder, url: sink.url, logs, pointsPerChunk: 1000 }, 'drain');
    const { cpuS, peakMb } = await agent.drained();
    if (sink.points !== points) throw new Error(`${sink.points} of ${points} points of ${logs} came`);
    return { columns, wallS: (sink.lastMs - startMs) / 1000, cpuS, peakMb };
  } finally {
    await sink.end();
  }
}

await inFolder(async (folder) => {
  const logsOf = (columns: number) => join(folder, `logs-${columns}`);
  for (const columns of WIDTHS) await writeLog(join(logsOf(columns), 'growth.csv'), columns, points / columns);
  const runs: Run[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const columns of WIDTHS) {
      runs.push(await drainLog(join(folder, `${columns}-${round}`), columns, logsOf(columns)));
    }
  }
  const lines = WIDTHS.map((columns) => {
    const own = runs.filter((run) => run.columns === columns);
    return {
      columns,
      bytesAPoint: statSync(join(logsOf(columns), 'growth.csv')).size / points,
      pointsPerSecond: points / median(own.map(({ wallS }) => wallS)),
      cpuSPerMillion: (median(own.map(({ cpuS }) => cpuS)) * 1e6) / points,
      peakMb: median(own.map(({ peakMb }) => peakMb)),
    };
  });
  const best = {
    cpu: Math.min(...lines.map(({ cpuSPerMillion }) => cpuSPerMillion)),
    rate: Math.max(...lines.map(({ pointsPerSecond }) => pointsPerSecond)),
  };
  console.log(
    tableLine(
      ...['channels', 'bytes of log a point', 'points/s', 'times slower than the best', 'CPU s per million points'],
      ...['times the best', 'peak RSS MB'],
    ),
  );
  console.log(tableLine(...Array.from({ length: 7 }, () => '---')));
  for (const { columns, bytesAPoint, pointsPerSecond, cpuSPerMillion, peakMb } of lines) {
    console.log(
      tableLine(
        columns.toLocaleString('en'),
        bytesAPoint.toFixed(1),
        Math.round(pointsPerSecond).toLocaleString('en'),
        (best.rate / pointsPerSecond).toFixed(2),
        cpuSPerMillion.toFixed(3),
        (cpuSPerMillion / best.cpu).toFixed(2),
        peakMb.toFixed(0),
      ),
    );
  }
  console.log(JSON.stringify({ points, lines, runs }));
});
