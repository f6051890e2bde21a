// Files that the agent names: after growths with odd and long names, and several of one name at once.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Exports } from '../../../src-main/agent/pipeline/exports.ts';
import { AS_RECORDED } from '../../../src-main/export/job.ts';
import type { ExportService } from '../../../src-main/export/questions.ts';
import { startNodeWork } from '../../../src-main/platform/work-process.ts';
import { openStore } from '../../../src-main/queue/store/store.ts';
import { writeGrowthQueue } from '../../support/rigs/growth-queue.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const NEVER_ASKED: ExportService = {
  client: { scanTimeSeries: () => expect.fail('asked'), listDataEntries: () => expect.fail('asked') },
  mark: 'none',
};

async function openExports() {
  const queue = writeGrowthQueue({ seconds: 60, channels: 2, gaps: 1 });
  const store = await openStore(join(queue.data, 'queue.db'));
  const parts = {
    store,
    service: NEVER_ASKED,
    version: 'test',
    settings: async () => null,
    nowMs: Date.now,
    startWork: startNodeWork,
  };
  const exports = new Exports(parts);
  onTestFinished(async () => {
    await exports.close();
    await store.close();
  });
  const folder = tempFolder('named');
  const what = { choice: { growth: queue.growth }, channels: [], csv: AS_RECORDED, asksService: false, folder };
  const write = (name: string) =>
    exports.write({ ...what, format: 'csv', name }, AbortSignal.timeout(60_000)).then(({ path }) => path);
  return { folder, write };
}

test('two exports of one name at once become two files', async () => {
  const { folder, write } = await openExports();
  const paths = await Promise.all([write('GaAs/AlAs 3'), write('GaAs/AlAs 3')]);
  expect(paths.sort()).toEqual([join(folder, 'GaAs_AlAs 3 (2).csv'), join(folder, 'GaAs_AlAs 3.csv')]);
  expect(readdirSync(folder).sort()).toEqual(['GaAs_AlAs 3 (2).csv', 'GaAs_AlAs 3.csv']);
});

test('a name as long as the screen takes it is exported again and again', async () => {
  const { folder, write } = await openExports();
  for (const n of [1, 2, 3]) {
    await write('λ'.repeat(200));
    expect(readdirSync(folder)).toHaveLength(n);
  }
});
