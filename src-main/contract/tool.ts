// Connecting a tool on the first-run page: the answers that become settings.
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

export const tool = {
  connect: call(ConnectArgument, nothing),
} as const;
