// A growth exported in the process that asks for it: no other one is started.
import { join } from 'node:path';
import { exportFor } from '../../../src-main/export/export-for.ts';
import { AS_RECORDED, type Exported } from '../../../src-main/export/job.ts';
import { answerExport } from '../../../src-main/export/questions.ts';
import type { ExportFormat } from '../../../src-main/model/export.ts';
import { openStoreHere } from './small-queue.ts';

export interface HereOptions {
  /** Of the queue: the data folder, and the id of the growth. */
  readonly data: string;
  readonly growth: string;
  readonly format: ExportFormat;
  readonly path: string;
  readonly version?: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: () => void;
}

/** Export a growth as a file; throws as `exportFor`. */
export async function exportHere(options: HereOptions): Promise<Exported> {
  const { data, growth, format, path, version = 'test', onProgress = () => undefined } = options;
  const { signal = new AbortController().signal } = options;
  const store = openStoreHere(join(data, 'queue.db'));
  const made = { atMs: Date.now(), version, settings: async () => null };
  try {
    return await exportFor(
      { choice: { growth }, channels: [], csv: AS_RECORDED, format, path, version, spoolFolder: null },
      { ask: (question) => answerExport(store, question, made, null), signal, onProgress },
    );
  } finally {
    await store.close();
  }
}
