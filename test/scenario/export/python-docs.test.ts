// Each script of the page on Python, as it stands there, on what this program writes and serves.
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { runHere } from '../../support/command.ts';
import { readPage } from '../../support/docs.ts';
import { type GrowthQueue, writeGrowthQueue } from '../../support/rigs/growth-queue.ts';
import { findPythonObstacle } from '../../support/rigs/python.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';

const page = readPage('resources/docs/python.md').text;
/** The script under a heading. */
function scriptUnder(heading: string): string {
  const section = page.split('\n## ').find((text) => text.startsWith(`${heading}\n`)) ?? '';
  return /```python\n([\s\S]*?)```/.exec(section)?.[1] ?? '';
}

/** In a process of its own, so that a service in this one can answer it. */
async function runScript(heading: string, cwd: string, env: Record<string, string> = {}): Promise<string> {
  const asked = { cwd, env: { ...process.env, ...env } };
  return (await promisify(execFile)('/usr/bin/python3', ['-c', scriptUnder(heading)], asked)).stdout.trim();
}

async function exportTo(queue: GrowthQueue, format: string, name: string): Promise<void> {
  const out = join(dirname(queue.data), name);
  const words = ['export', '--data', queue.data, '--growth', 'G-042', '--format', format, '--out', out];
  expect(await runHere(words)).toMatchObject({ code: 0, err: '' });
}

const needed = test.skipIf(findPythonObstacle('pandas', 'h5py'));

needed('the scripts read a growth from CSV, HDF5 and the package', async () => {
  const queue = writeGrowthQueue({ seconds: 1200, channels: 6, gaps: 4 });
  await exportTo(queue, 'csv', 'G-042.csv');
  await exportTo(queue, 'nexus', 'G-042.h5');
  await exportTo(queue, 'package', 'G-042.zip');
  const folder = dirname(queue.data);
  const instants = new Set(queue.series.flatMap(({ timesMs }) => timesMs));
  const channels = `${queue.series.length} channels`;
  expect(await runScript('Wide CSV', folder)).toBe(`${instants.size} rows, ${channels}, 4 gaps`);
  expect(await runScript('HDF5 (NeXus)', folder)).toBe(`${queue.points} points, ${channels}, 4 gaps`);
  expect(await runScript('Package', folder)).toBe(`G-042 ${channels}, 4 gaps, 1 notes`);
});

needed('the script for the service reads an entry by 4.8 and its series by 4.3', async () => {
  const { service, client, folder } = await openServiceRig();
  const { data_id } = await client.initializeStream({ points_per_chunk: 3, stream_name: 'T log 1' });
  const channels = { Ga: { timestamps: [1, 2, 3], values: [0.5, 1, 1.5], units: 'V' } };
  await client.ingestChunk({ data_id, chunk_index: 0, channels });
  const env = { EPISTREAM_URL: service.url, EPISTREAM_API_KEY: service.apiKey };
  expect(await runScript('Entries of the service', folder, env)).toBe("T log 1 {'Ga': 3}");
});
