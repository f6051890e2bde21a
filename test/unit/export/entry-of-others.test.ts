// What others stored under any name, unit and stamp: each point leaves as it came, or the export says why not.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { exportFile } from '../../../src-main/export/export-file.ts';
import { AS_RECORDED } from '../../../src-main/export/job.ts';
import { type AskExport, openPoints } from '../../../src-main/export/points.ts';
import { type SeriesReader, writeSpool } from '../../../src-main/export/spool.ts';
import type { ExportFormat } from '../../../src-main/model/export.ts';
import { tempFolder } from '../../support/temp-folder.ts';

interface Property {
  readonly name: string;
  readonly unit: string;
  readonly times: readonly number[];
  readonly values: readonly number[];
}

/** The service's answer as its client reads it. */
const readerOf = (properties: readonly Property[]): SeriesReader => ({
  scanTimeSeries: async (_, { onNumbers, onProperty }) => {
    for (const { name, unit, times, values } of properties) {
      onNumbers(name, 'times', 0, Float64Array.from(times));
      onNumbers(name, 'values', 0, Float64Array.from(values));
      onProperty(name, times.length, unit);
    }
  },
});

/** Export an entry; gives the file. */
async function exportEntry(properties: readonly Property[], format: ExportFormat): Promise<string> {
  const folder = tempFolder('entry');
  const plan = { growth: null, streams: [], marks: [], areMarksCut: false, sessions: [] };
  const ask: AskExport = async (question) => {
    if (question.ask === 'export-plan') return plan;
    if (question.ask === 'export-span') return { toMs: question.toMs, damagedPoints: 0, spans: [] };
    return { title: 'E', series: await writeSpool(readerOf(properties), 'E', folder) };
  };
  const options = { version: 'test', nowMs: Date.now, spoolFolder: folder };
  const source = await openPoints(ask, { entry: 'E' }, options);
  const path = join(folder, 'out');
  const how = { format, csv: AS_RECORDED, signal: new AbortController().signal, onProgress: () => {} };
  await exportFile(source, path, how).catch((fault: unknown) => {
    expect(existsSync(path)).toBe(false);
    throw fault;
  });
  return path;
}

const tableOf = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\r\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(','));

test('a stamp beyond every date is a point like others, the last one included', async () => {
  const times = [-1e18, 0, 9.3e15, 1.7e18, 1.7e18 + 4096];
  const path = await exportEntry([{ name: 'a', unit: 'V', times, values: [1, 2, 3, 4, 5] }], 'csv');
  expect(
    tableOf(path)
      .slice(1)
      .map(([ms, , , value]) => [Number(ms), Number(value)]),
  ).toEqual(times.map((timeMs, i) => [timeMs, i + 1]));
});

test('many points of one such stamp are written, too', async () => {
  const times = Array.from({ length: 70_000 }, () => 1.7e18);
  const path = await exportEntry([{ name: 'a', unit: 'V', times, values: times.map((_, i) => i) }], 'csv');
  expect(tableOf(path)).toHaveLength(70_001);
});

test('Parquet refuses what its nanoseconds cannot hold, and makes no file', async () => {
  const entry = (timeMs: number) => [{ name: 'a', unit: 'V', times: [timeMs], values: [1] }];
  const file = await asyncBufferFromFile(await exportEntry(entry(9_223_372_036_854), 'parquet'));
  expect(await parquetReadObjects({ file })).toHaveLength(1);
  for (const timeMs of [9_223_372_036_855, -9_223_372_036_855, 1e20]) {
    await expect(exportEntry(entry(timeMs), 'parquet')).rejects.toMatchObject({ code: 'export.time-unfit' });
  }
});

test('two units of one name are two columns with their own points', async () => {
  const properties = [
    { name: 'a', unit: 'V', times: [1], values: [5] },
    { name: 'a', unit: 'mV', times: [1], values: [7] },
  ];
  const [names, row] = tableOf(await exportEntry(properties, 'csv'));
  expect(names?.slice(3)).toEqual(['a [V]', 'a [mV]']);
  expect(row?.slice(3)).toEqual(['5', '7']);
});

test('the names of columns stand in one line', async () => {
  const path = await exportEntry([{ name: 'a\nb\t', unit: 'V\r', times: [1], values: [5] }], 'csv');
  expect(tableOf(path)[0]?.slice(3)).toEqual(['a b  [V ]']);
});
