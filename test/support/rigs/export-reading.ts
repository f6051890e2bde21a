// A whole growth exported by a process of its own and read back by another program: what it says, and what the export took.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { runAgent } from '../processes/agent-process.ts';
import { type GrowthQueue, type GrowthQueueOptions, writeGrowthQueue } from './growth-queue.ts';
import { runPython } from './python.ts';

const COMPARE = join(import.meta.dirname, '../python/compare-export.py');
/** Makes a process print the most memory that it ever held. */
const PEAK = `data:text/javascript,${encodeURIComponent(
  "process.on('exit',()=>console.error('peak '+process.resourceUsage().maxRSS/1024+' MB'))",
)}`;
const MEMORY_MAX_MB = 250;

/** An export in a form; the most memory that it takes is bounded, and what it took is printed. */
export async function exportAs(format: string, queue: GrowthQueue): Promise<string> {
  const out = join(dirname(queue.data), `growth.${format}`);
  const words = ['export', '--data', queue.data, '--growth', queue.growth, '--format', format, '--out', out];
  const startedMs = performance.now();
  // As the product is started: decision 243.
  const { code, err } = await runAgent(words, { NODE_OPTIONS: `--max-semi-space-size=2 --import ${PEAK}` });
  const seconds = (performance.now() - startedMs) / 1000;
  const megabytes = Number(/peak ([\d.]+) MB/.exec(err)?.[1]);
  expect(code, err).toBe(0);
  console.log(
    `${format}: ${megabytes.toFixed(0)} MB, ${((seconds * 1e6) / queue.points).toFixed(1)} s per million points`,
  );
  expect(megabytes).toBeLessThanOrEqual(MEMORY_MAX_MB);
  return out;
}

/** Let Python compare every value, unit, gap and instant of a growth with what was captured. */
export async function expectSameInPython(format: string, size: GrowthQueueOptions): Promise<void> {
  const queue = writeGrowthQueue(size);
  const file = join(dirname(queue.data), 'expected.json');
  const hexOf = (value: number) => Buffer.from(Float64Array.of(value).buffer).toString('hex');
  const series = queue.series.map(({ values, ...one }) => ({ ...one, values: values.map(hexOf) }));
  writeFileSync(file, JSON.stringify({ series, gaps: queue.gaps }));
  const said = runPython(COMPARE, format, await exportAs(format, queue), file);
  expect(said).toContain(`${queue.points} points, ${queue.series.length} series, ${size.gaps} gaps are the same`);
}
