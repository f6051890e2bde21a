// Connecting a tool on the first-run page: the look at its log folder, and the answers that become settings.
import { z } from 'zod';
import { call, nothing, text } from './row.ts';

const ConnectArgument = z.object({
  toolName: text(100).min(1),
  timeZone: text(64).min(1).describe('IANA name, for log stamps that carry no zone'),
  folder: text(4096).min(1),
  match: text(200).min(1).describe('glob below the folder, for example **/*.csv'),
  backfill: z.enum(['from-now', 'all']),
  serviceUrl: text(2048).min(1).describe('"embedded" or an https address'),
  apiKey: text(1000).describe(
    'empty with the embedded service; kept where this PC can protect it, else for this session; never shown again',
  ),
  /** How the time column is written when it is neither Unix seconds nor ISO 8601, for example `dd/MM/yyyy HH:mm:ss.SSS`; empty: recognise. */
  timeFormat: text(100),
});

export const FolderPreview = z.object({
  files: z.int().nonnegative().describe('files that match'),
  file: z.string().nullable().describe('the newest of them, which is shown'),
  rows: z.array(z.object({ text: z.string(), timeMs: z.number().nullable(), values: z.array(z.number().nullable()) })),
  channels: z.array(z.string()),
  leftOut: z.array(z.string()).describe('text columns that will not be streamed'),
  dialect: z.string().describe('by which it was read: auto, or the name of a known one; empty when it was not'),
  reasons: z
    .array(z.string())
    .describe('what was concluded from what: separator, time and its reading, header, zone, units'),
  problem: z.string().describe('why the file cannot be read as it stands; empty when it can'),
  hint: z.string(),
});

export const tool = {
  preview: call(ConnectArgument.pick({ folder: true, match: true, timeZone: true, timeFormat: true }), FolderPreview),
  connect: call(ConnectArgument, nothing),
} as const;
