// The whole agent, a process of its own, at a log that is whole: read, stored, sent to a sink on this PC, ended.
import { MeasuredAgent, Sink } from './rig.ts';

export interface DrainedLog {
  /** From the agent's start to the last point at the sink. */
  readonly wallS: number;
  /** The agent's, its start included. */
  readonly cpuS: number;
  readonly peakMb: number;
}

/**
 * Drain a folder of logs with a new queue, in chunks of 1,000 points.
 *
 * @throws when another number of points came.
 */
export async function drainLog(folder: string, logs: string, points: number): Promise<DrainedLog> {
  const sink = await Sink.start();
  try {
    const startMs = Date.now();
    const agent = await MeasuredAgent.start({ folder, url: sink.url, logs, pointsPerChunk: 1000 }, 'drain');
    const { cpuS, peakMb } = await agent.drained();
    if (sink.points !== points) throw new Error(`${sink.points} of ${points} points of ${logs} came`);
    return { wallS: (sink.lastMs - startMs) / 1000, cpuS, peakMb };
  } finally {
    await sink.end();
  }
}
