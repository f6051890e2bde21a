// A program that has a growth exported by a process of its own, answers it until half is written, and waits: to be killed in
// the middle, however late that is.
import { join } from 'node:path';
import { exportApart } from '../../../src-main/export/export-apart.ts';
import { AS_RECORDED } from '../../../src-main/export/job.ts';
import { answerExport } from '../../../src-main/export/questions.ts';
import { startNodeWork } from '../../../src-main/platform/work-process.ts';
import { openStore } from '../../../src-main/queue/store/store.ts';

const [data = '', growth = '', path = ''] = process.argv.slice(2);
const store = await openStore(join(data, 'queue.db'));
const job = { choice: { growth }, channels: [], csv: AS_RECORDED, path, version: 'test', settings: async () => null };
let isHalf = false;
const never = new Promise<never>(() => {});
const made = { atMs: Date.now(), version: 'test', settings: async () => null };
await exportApart(
  { ...job, format: 'nexus', asksService: false },
  {
    ask: (question) => (isHalf ? never : answerExport(store, question, made, null)),
    signal: new AbortController().signal,
    onProgress: (done) => {
      isHalf = done > 0.5;
      console.log('writing');
    },
  },
  startNodeWork,
);
