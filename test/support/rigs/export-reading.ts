// A whole growth exported by a process of its own and read back by another program: what it says, and what the export took.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { readParquet } from 'parquet-wasm/node';
import { expect } from 'vitest';
import { EXPORT_EXTENSIONS, type ExportFormat } from '../../../src-main/model/export.ts';
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
async function exportAs(format: ExportFormat, queue: GrowthQueue): Promise<string> {
  const out = join(dirname(queue.data), `growth${EXPORT_EXTENSIONS[format]}`);
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
export async function expectSameInPython(format: ExportFormat, size: GrowthQueueOptions): Promise<string> {
  const queue = writeGrowthQueue(size);
  const file = join(dirname(queue.data), 'expected.json');
  const hexOf = (value: number) => Buffer.from(Float64Array.of(value).buffer).toString('hex');
  const series = queue.series.map(({ values, ...one }) => ({ ...one, values: values.map(hexOf) }));
  writeFileSync(file, JSON.stringify({ series, gaps: queue.gaps }));
  const said = runPython(COMPARE, format, await exportAs(format, queue), file);
  expect(said).toContain(`${queue.points} points, ${queue.series.length} series, ${size.gaps} gaps are the same`);
  return said;
}

/** Whole nanoseconds of a time whose fractions are quarters of a millisecond. */
const nanosecondsOf = (timeMs: number) => BigInt(timeMs * 4) * 250_000n;

/** Let Rust's implementation read Parquet, and compare every value, unit, gap and instant: Debian 12 has none for Python. */
export async function expectSameInRust(size: GrowthQueueOptions): Promise<void> {
  const queue = writeGrowthQueue(size);
  const table = tableFromIPC(readParquet(readFileSync(await exportAs('parquet', queue))).intoIPCStream());
  expect(table.numRows).toBe(queue.points);
  const found = new Map<string, { times: bigint[]; values: number[] }>();
  const column = (name: string) => table.getChild(name) ?? expect.fail(`no column ${name}`);
  const [source, channel, unit, value] = ['source', 'channel', 'unit', 'value'].map(column);
  const times = column('time').data.flatMap(({ values }) => [...(values as BigInt64Array)]);
  for (let row = 0; row < table.numRows; row++) {
    const key = JSON.stringify([source?.get(row), channel?.get(row), unit?.get(row)]);
    const one = found.get(key) ?? { times: [], values: [] };
    found.set(key, one);
    one.times.push(times[row] as bigint);
    one.values.push(value?.get(row) as number);
  }
  expect(found.size).toBe(queue.series.length);
  for (const { source, channel, unit, timesMs, values } of queue.series) {
    const one = found.get(JSON.stringify([source, channel, unit]));
    expect(one?.times).toEqual(timesMs.map(nanosecondsOf));
    expect(one?.values.every((value, i) => Object.is(value, values[i]))).toBe(true);
  }
  const head = JSON.parse(table.schema.metadata.get('epistream') ?? '{}') as { gaps: unknown };
  expect(head.gaps).toEqual(queue.gaps);
}
