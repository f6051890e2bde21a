// A tool that writes while it is read: `npm run bench -- live [seconds]`, after `npm run build`. The agent is a process of its
// own, so are the tool, 20 columns, and the service, a sink on this PC.
//
//   20,000 points/s   processor time and the delay of the main thread's event loop, in chunks of 1,000 points
//   outage            the same with the service away for that time: bytes on disk for a waiting point, then how fast they go out
//   backlog           the same while 10 million points of an old log, read before, go out
//   1,000 points/s    chunks of one point: from the row's writing to its arrival at the service
import { once } from 'node:events';
import { createWriteStream, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { logText } from './parts/log-text.ts';
import { type AgentFigures, inFolder, MeasuredAgent, percentile, RowWriter, Sink, tableLine } from './parts/rig.ts';

const COLUMNS = 20;
const BACKLOG_ROWS = 500_000;
const SETTLE_MS = 5000;
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

/** Wait until the sink has so many points. **Errors**: when none came for a minute. */
async function arrived(sink: Sink, points: number): Promise<void> {
  for (let last = sink.points, lastMs = performance.now(); sink.points < points; await setTimeout(20)) {
    if (sink.points > last) [last, lastMs] = [sink.points, performance.now()];
    if (performance.now() - lastMs > 60_000) throw new Error(`${sink.points} of ${points} points came`);
  }
}

const queueBytes = (folder: string) =>
  ['queue.db', 'queue.db-wal'].reduce(
    (sum, name) => sum + (statSync(join(folder, 'data', name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );

/** A tool at a rate, the agent at its log, a sink: what is measured comes in `work`. */
async function withTool<T>(
  rowsPerSecond: number,
  pointsPerChunk: number,
  work: (parts: { folder: string; logs: string; sink: Sink; agent: MeasuredAgent; tool: RowWriter }) => Promise<T>,
): Promise<T> {
  return inFolder(async (folder) => {
    const logs = join(folder, 'logs');
    mkdirSync(logs);
    const sink = await Sink.start();
    const tool = RowWriter.start(logs, COLUMNS, rowsPerSecond);
    const agent = await MeasuredAgent.start({ folder, url: sink.url, logs, pointsPerChunk }, 'run');
    try {
      await setTimeout(SETTLE_MS);
      await agent.figures();
      return await work({ folder, logs, sink, agent, tool });
    } finally {
      await Promise.all([agent.end(), tool.end(), sink.end()]);
    }
  });
}

const steady = () =>
  withTool(1000, 1000, async ({ agent }) => {
    await setTimeout(seconds * 1000);
    return { what: '20,000 points/s', figures: await agent.figures(), more: '' };
  });

const outage = () =>
  withTool(1000, 1000, async ({ folder, sink, agent, tool }) => {
    const [before, bytesBefore] = [sink.points, queueBytes(folder)];
    sink.toggle();
    await setTimeout(seconds * 1000);
    const rows = await tool.stop();
    await setTimeout(2000);
    const waiting = rows * COLUMNS - before;
    const bytes = (queueBytes(folder) - bytesBefore) / waiting;
    const figures = await agent.figures();
    sink.toggle();
    const held = sink.points;
    while (sink.points === held) await setTimeout(5);
    const [startMs, startPoints] = [sink.lastMs, sink.points];
    // What fills no chunk stays open: the last thousand rows.
    await arrived(sink, rows * COLUMNS - 1000 * COLUMNS);
    const rate = (sink.points - startPoints) / ((sink.lastMs - startMs) / 1000);
    const more = `${bytes.toFixed(1)} bytes a waiting point; then ${Math.round(rate).toLocaleString('en')} points/s`;
    return { what: `${seconds} s without the service`, figures, more };
  });

const backlog = () =>
  withTool(1000, 1000, async ({ logs, sink, agent }) => {
    sink.toggle();
    const file = createWriteStream(join(logs, 'old.csv'));
    for (const text of logText(COLUMNS, BACKLOG_ROWS)) if (!file.write(text)) await once(file, 'drain');
    file.end();
    await finished(file);
    // Read whole: nothing of the old log is read beside the measurement.
    await setTimeout(20_000);
    await agent.figures();
    const before = sink.points;
    sink.toggle();
    await arrived(sink, before + (BACKLOG_ROWS - 1000) * COLUMNS);
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
for (const measure of [steady, outage, backlog, latency]) lines.push(await measure());
print(lines);
console.log(JSON.stringify(lines));
