// A tool that writes while it is read: `npm run bench -- live [seconds]`, after `npm run build`. The agent is a process of its
// own, so are the tool, 20 columns, and the service, a sink on this PC. The service away: `npm run bench -- outage`.
//
//   20,000 points/s   processor time and the delay of the main thread's event loop, in chunks of 1,000 points
//   backlog           the same while 10 million points of an old log, read before, go out
//   1,000 points/s    chunks of one point: from the row's writing to its arrival at the service
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type AgentFigures, percentile, type Sink, tableLine } from './parts/rig.ts';
import { TOOL_COLUMNS, withTool } from './parts/with-tool.ts';
import { writeLog } from './parts/write-log.ts';

const BACKLOG_ROWS = 500_000;
const seconds = Number(process.argv[2] ?? 60);

interface Line {
  readonly what: string;
  readonly figures: AgentFigures;
  readonly more: string;
}

const percent = ({ cpuS, wallS }: AgentFigures) => `${((100 * cpuS) / wallS).toFixed(1)} %`;

function print(lines: readonly Line[]): void {
  console.log(tableLine('', 'CPU, of one core', 'event loop delay p50', 'p99', 'peak RSS MB', ''));
  console.log(tableLine('---', '---', '---', '---', '---', '---'));
  for (const { what, figures, more } of lines) {
    const delays = [figures.loopP50Ms, figures.loopP99Ms].map((ms) => `${ms.toFixed(1)} ms`);
    console.log(tableLine(what, percent(figures), ...delays, figures.peakMb.toFixed(0), more));
  }
}

/**
 * Wait until the sink has so many points.
 *
 * @throws when none came for a minute.
 */
async function arrived(sink: Sink, points: number): Promise<void> {
  for (let last = sink.points, lastMs = performance.now(); sink.points < points; await setTimeout(20)) {
    if (sink.points > last) [last, lastMs] = [sink.points, performance.now()];
    if (performance.now() - lastMs > 60_000) throw new Error(`${sink.points} of ${points} points came`);
  }
}

const steady = () =>
  withTool(1000, 1000, async ({ agent }) => {
    await setTimeout(seconds * 1000);
    return { what: '20,000 points/s', figures: await agent.figures(), more: '' };
  });

const backlog = () =>
  withTool(1000, 1000, async ({ logs, sink, agent }) => {
    sink.toggle();
    await writeLog(join(logs, 'old.csv'), TOOL_COLUMNS, BACKLOG_ROWS);
    // Read whole: nothing of the old log is read beside the measurement.
    await setTimeout(20_000);
    await agent.figures();
    const before = sink.points;
    sink.toggle();
    await arrived(sink, before + (BACKLOG_ROWS - 1000) * TOOL_COLUMNS);
    return { what: 'the same, 10 million points going out', figures: await agent.figures(), more: '' };
  });

const latency = () =>
  withTool(50, 1, async ({ sink, agent }) => {
    sink.agesMs.length = 0;
    await setTimeout(seconds * 1000);
    const ages = sink.agesMs;
    const more = `row to service p50 ${percentile(ages, 50).toFixed(0)} ms, p99 ${percentile(ages, 99).toFixed(0)} ms`;
    return { what: '1,000 points/s, a point a chunk', figures: await agent.figures(), more };
  });

const lines: Line[] = [];
for (const measure of [steady, backlog, latency]) lines.push(await measure());
print(lines);
console.log(JSON.stringify(lines));
