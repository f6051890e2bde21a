// The package of a growth, unpacked by another program: every file is described with its hash, and nothing secret is in it.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { lastSettingsIn } from '../../../src-main/settings/last-good.ts';
import { runHere } from '../../support/command.ts';
import { writeGrowthQueue } from '../../support/rigs/growth-queue.ts';

interface Crate {
  readonly '@graph': readonly {
    readonly '@id': string;
    readonly sha256?: string;
    readonly hasPart?: { '@id': string }[];
  }[];
}

const SECRET = 'hunter2Zq';
const SETTINGS = `# ${SECRET}
version: 1
tool: { name: MBE-1, time_zone: UTC }
limits: [{ source: log, channel: T, hi: 620, guidance: 'https://grower:${SECRET}@tool/stop' }]
sources: [{ id: log, kind: log, path: logs }]
`;

test('a package holds series, gaps, notes, events, receipts and settings without secrets, each described with its hash', async () => {
  const queue = writeGrowthQueue({ seconds: 1200, channels: 6, gaps: 4 });
  const folder = dirname(queue.data);
  const zip = join(folder, 'growth.zip');
  writeFileSync(lastSettingsIn(queue.data), SETTINGS);
  const words = ['export', '--data', queue.data, '--growth', 'G-042', '--format', 'package', '--out', zip];
  expect(await runHere(words)).toMatchObject({ code: 0, err: '' });
  const unpacked = join(folder, 'unpacked');
  mkdirSync(unpacked);
  execFileSync('unzip', ['-q', zip, '-d', unpacked]);
  const read = (name: string) => readFileSync(join(unpacked, name));
  const crate = JSON.parse(read('ro-crate-metadata.json').toString()) as Crate;
  const parts = crate['@graph'].find((one) => one['@id'] === './')?.hasPart?.map((one) => one['@id']) ?? [];
  expect([...parts, 'ro-crate-metadata.json'].sort()).toEqual(readdirSync(unpacked).sort());
  for (const name of parts) {
    const told = crate['@graph'].find((one) => one['@id'] === name)?.sha256;
    expect(told).toBe(createHash('sha256').update(read(name)).digest('hex'));
  }
  const gaps = parse(read('gaps.csv').toString(), { columns: true }) as { from_utc: string; source: string }[];
  const wanted = queue.gaps.map(({ fromMs, source }) => ({ from_utc: new Date(fromMs).toISOString(), source }));
  expect(gaps.map(({ from_utc, source }) => ({ from_utc, source }))).toEqual(wanted);
  expect(read('notes.csv').toString()).toContain('substrate looks cloudy');
  expect(read('events.csv').toString()).toContain('Ga shutter open');
  expect(JSON.parse(read('receipts.json').toString())).toHaveLength(3);
  expect(parts).toContain('epistream.yaml');
  expect(read('epistream.yaml').toString()).toContain('name: MBE-1');
  for (const name of readdirSync(unpacked)) expect(read(name).toString()).not.toContain(SECRET);
  const lines = read('series.csv').toString().split('\r\n');
  expect(lines.filter((line) => line !== '' && !line.startsWith('#')).length).toBeGreaterThan(1000);
});
