// The process that writes an export dies, is given up, or loses the agent: nothing of the file's name that is not whole, and
// no leftovers; the agent goes on.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { exportApart } from '../../../src-main/export/export-apart.ts';
import { AS_RECORDED } from '../../../src-main/export/job.ts';
import { answerExport } from '../../../src-main/export/questions.ts';
import type { ExportFormat } from '../../../src-main/model/export.ts';
import { type StartWork, startNodeWork, type WorkProcess } from '../../../src-main/platform/work-process.ts';
import { openStore } from '../../../src-main/queue/store/store.ts';
import { startAgent } from '../../support/processes/agent-process.ts';
import { writeGrowthQueue } from '../../support/rigs/growth-queue.ts';
import { until } from '../../support/rigs/growth-rig.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const PARENT = join(import.meta.dirname, '../../support/processes/export-parent-process.ts');

async function openExport(format: ExportFormat) {
  const queue = writeGrowthQueue({ seconds: 4000, channels: 10, gaps: 4 });
  const store = await openStore(join(queue.data, 'queue.db'));
  onTestFinished(() => store.close());
  const [folder, temporary] = [tempFolder('exported'), tempFolder('temporary')];
  const path = join(folder, 'growth.out');
  const job = { choice: { growth: queue.growth }, channels: [], csv: AS_RECORDED, format, path, version: 'test' };
  const made = { atMs: Date.now(), version: 'test', settings: async () => null };
  let child: WorkProcess | null = null;
  const start: StartWork = (script, _, listener) => {
    child = startNodeWork(script, temporary, listener);
    return child;
  };
  const run = (signal: AbortSignal, onProgress: (child: WorkProcess | null) => void) =>
    exportApart(
      { ...job, asksService: false },
      {
        ask: (question) => answerExport(store, question, made, null),
        signal,
        onProgress: () => onProgress(child),
      },
      start,
    );
  return { run, folder, temporary, path, points: queue.points };
}

// Of a form that is two files.
test('a process that is killed while it writes leaves nothing, and another one writes it whole', async () => {
  const { run, folder, path, points } = await openExport('nomad-mbe');
  const killed = run(new AbortController().signal, (child) => child?.kill());
  await expect(killed).rejects.toMatchObject({ code: 'export.process-gone' });
  expect(readdirSync(folder)).toEqual([]);
  expect(await run(new AbortController().signal, () => undefined)).toMatchObject({ points, damagedPoints: 0 });
  expect(existsSync(path)).toBe(true);
});

// Of a form whose library writes a file of its own in the folder for temporary files.
test('one that is given up while it writes clears up by itself', async () => {
  const { run, folder, temporary } = await openExport('nexus');
  const stop = new AbortController();
  const given = run(stop.signal, () => stop.abort());
  await expect(given).rejects.toMatchObject({ name: 'AbortError' });
  expect(readdirSync(folder)).toEqual([]);
  expect(readdirSync(temporary)).toEqual([]);
});

test('when the agent is killed in the middle, its process clears up behind it', async () => {
  const queue = writeGrowthQueue({ seconds: 8000, channels: 10, gaps: 4 });
  const [folder, temporary] = [tempFolder('exported'), tempFolder('temporary')];
  const words = [queue.data, queue.growth, join(folder, 'growth.h5')];
  const parent = startAgent(words, { TMPDIR: temporary }, [], PARENT);
  await parent.waitFor(/writing/);
  expect(readdirSync(temporary)).toHaveLength(1);
  parent.child.kill('SIGKILL');
  await parent.ended;
  await until('all is cleared up', () => readdirSync(folder).length + readdirSync(temporary).length === 0);
});
