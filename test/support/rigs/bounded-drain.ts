// Memory grows neither with what there is to read nor with what waits. The agent, a process of its own, reads a log while its
// service is away and delivers it when the service is back, with a heap that could not hold the log: numbers kept as objects
// or text would end it. What lies outside of the heap, columns and bytes, is seen by comparing the peak with that of a short log.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { askAgent } from '../../../src-main/platform/control.ts';
import { Sink } from '../../bench/parts/rig.ts';
import { writeLog } from '../../bench/parts/write-log.ts';
import { startAgent } from '../processes/agent-process.ts';
import { tempFolder } from '../temp-folder.ts';

/** Old generation of each thread, megabytes. Found on Linux: 36 are enough for a short and a long log, 32 for neither. */
export const HEAP_MB = 64;
const COLUMNS = 20;
const FIGURES = pathToFileURL(join(import.meta.dirname, '../../bench/parts/figures.mjs')).href;

/** Points that the running agent has on disk; 0 while it starts. */
async function stored(data: string): Promise<number> {
  const answer = await askAgent(data, { ask: 'status' }).catch(() => undefined);
  if (answer === undefined) return 0;
  return Snapshot.parse(answer).streams.reduce((sum, { pointsStored }) => sum + pointsStored, 0);
}

/**
 * Drain a log into a service that lets nobody in before all is stored.
 *
 * @returns the points that came, the peak, megabytes.
 */
export async function drainBounded(points: number): Promise<{ points: number; code: number | null; peakMb: number }> {
  const folder = tempFolder();
  const [logs, data, figures] = [join(folder, 'logs'), join(folder, 'data'), join(folder, 'figures.json')];
  await writeLog(join(logs, 'growth.csv'), COLUMNS, points / COLUMNS);
  const sink = await Sink.start();
  onTestFinished(() => sink.end());
  sink.toggle();
  const settings = {
    version: 1,
    service: { url: sink.url },
    tool: { name: 'T', time_zone: 'UTC' },
    stream_defaults: { points_per_chunk: 1000, rollover: 'growth' },
    sources: [{ id: 'log', kind: 'log', path: logs, match: '*.csv', backfill: 'all' }],
  };
  const config = join(folder, 'epistream.yaml');
  // YAML takes JSON as it is.
  writeFileSync(config, JSON.stringify(settings));
  const agent = startAgent(['run', '--config', config, '--data', data, '--drain-and-exit'], {
    EPISTREAM_API_KEY: 'key-of-no-service-at-all',
    EPISTREAM_FIGURES: figures,
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MB} --import=${FIGURES}`,
  });
  while ((await stored(data)) < points) {
    const { exitCode, signalCode } = agent.child;
    if (exitCode !== null || signalCode !== null) throw new Error(`ended too early:\n${(await agent.ended).err}`);
    await setTimeout(100);
  }
  expect(sink.points).toBe(0);
  sink.toggle();
  const { code, err } = await agent.ended;
  expect(err).toBe('');
  const { peakMb } = JSON.parse(readFileSync(figures, 'utf8')) as { peakMb: number };
  // The sink tells what came ten times a second.
  await expect.poll(() => sink.points).toBeGreaterThanOrEqual(points);
  return { points: sink.points, code, peakMb };
}
