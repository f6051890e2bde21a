// A tool that writes, the agent at its log, a service on this PC: what benchmarks of live data measure at.
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { inFolder, MeasuredAgent, RowWriter, Sink } from './rig.ts';

/** Columns of the tool's log. */
export const TOOL_COLUMNS = 20;
const SETTLE_MS = 5000;

interface ToolParts {
  readonly folder: string;
  readonly logs: string;
  readonly sink: Sink;
  readonly agent: MeasuredAgent;
  readonly tool: RowWriter;
}

/** A tool at a rate, the agent at its log, a sink: what is measured comes in `work`, which begins when all have settled. */
export async function withTool<T>(
  rowsPerSecond: number,
  pointsPerChunk: number,
  work: (parts: ToolParts) => Promise<T>,
): Promise<T> {
  return inFolder(async (folder) => {
    const logs = join(folder, 'logs');
    mkdirSync(logs);
    const sink = await Sink.start();
    const tool = RowWriter.start(logs, TOOL_COLUMNS, rowsPerSecond);
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

/** Bytes of the queue of an agent whose benchmark folder is given, its write-ahead log included. */
export const queueBytes = (folder: string) =>
  ['queue.db', 'queue.db-wal'].reduce(
    (sum, name) => sum + (statSync(join(folder, 'data', name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
