// Raw files on their way from the service into a folder of this PC.
import { z } from 'zod';
import { call, nothing, text } from './row.ts';

export const DownloadView = z.object({
  id: z.int(),
  dataId: z.string(),
  folder: z.string(),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  receivedBytes: z.number(),
  totalBytes: z.number().nullable().describe('null: the service does not say'),
  path: z.string().describe('of the file once it is complete; else empty'),
  originalName: z.string().describe('name as the service gave it; else empty'),
  message: z.string(),
  hint: z.string(),
});

export const download = {
  /** Those that run, and the last ones that ended; newest first. */
  list: call(
    nothing,
    z.object({ downloads: z.array(DownloadView), suggestedFolder: z.string().describe('of the user, exists') }),
  ),
  start: call(
    z.object({
      dataId: text(200).min(1),
      name: text(1000).describe('used when the service tells none'),
      folder: text(4096).min(1),
    }),
    DownloadView,
  ),
  cancel: call(z.object({ id: z.int() }), nothing),
} as const;
