// A program that has a growth exported by a process of its own, and waits: to be killed in the middle.
import { join } from 'node:path';
import { exportApart } from '../../../src-main/export/export-apart.ts';
import { AS_RECORDED } from '../../../src-main/export/job.ts';
import { answerExport } from '../../../src-main/export/questions.ts';
import { startNodeWork } from '../../../src-main/platform/work-process.ts';
import { openStore } from '../../../src-main/queue/store/store.ts';

const [data = '', growth = '', path = ''] = process.argv.slice(2);
const store = await openStore(join(data, 'queue.db'));
const job = { choice: { growth }, channels: [], csv: AS_RECORDED, path, version: 'test', settings: async () => null };
const made = { atMs: Date.now(), version: 'test', settings: async () => null };
await exportApart(
  { ...job, format: 'nexus', asksService: false },
  {
    ask: (question) => answerExport(store, question, made, null),
    signal: new AbortController().signal,
    onProgress: () => console.log('writing'),
  },
  startNodeWork,
);
