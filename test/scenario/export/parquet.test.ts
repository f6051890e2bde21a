// Parquet of a growth, read back by another implementation: that of Rust. Debian 12 has none for Python.
import { readFileSync } from 'node:fs';
import { tableFromIPC } from 'apache-arrow';
import { readParquet } from 'parquet-wasm/node';
import { expect, test } from 'vitest';
import { exportAs } from '../../support/rigs/export-reading.ts';
import { writeGrowthQueue } from '../../support/rigs/growth-queue.ts';

/** Whole nanoseconds of a time whose fractions are quarters of a millisecond. */
const nanosecondsOf = (timeMs: number) => BigInt(timeMs * 4) * 250_000n;

test('Rust reads each value, unit and instant of a growth back from Parquet, and its gaps from the metadata', async () => {
  const queue = writeGrowthQueue({ seconds: 2400, channels: 60, gaps: 20 });
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
});
