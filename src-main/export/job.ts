// One export as plain JSON: what is asked of the process that writes it, and what the two tell each other.
import { z } from 'zod';
import { EXPORT_FORMAT_NAMES, RESAMPLE_METHOD_NAMES } from '../model/export.ts';
import { ExportChoice, ExportQuestion } from './questions.ts';

/** How the name of a folder for temporary files of an export begins. */
export const WORK_FOLDER = 'epistream-export-';

export const CsvOptions = z
  .object({
    separator: z.enum([',', ';', '\t']),
    decimal: z.enum(['.', ',']),
    resample: z.object({ everyMs: z.number().positive(), method: z.enum(RESAMPLE_METHOD_NAMES) }).nullable(),
  })
  .refine(({ separator, decimal }) => separator !== decimal, 'a decimal comma needs another separator');

export const AS_RECORDED: z.infer<typeof CsvOptions> = { separator: ',', decimal: '.', resample: null };

export const ExportJob = z.object({
  choice: ExportChoice,
  channels: z.array(z.string()).describe('`channel` or `source/channel`; none: all'),
  format: z.enum(EXPORT_FORMAT_NAMES),
  csv: CsvOptions,
  path: z.string(),
  version: z.string(),
  spoolFolder: z.string().nullable(),
});
export type ExportJob = z.infer<typeof ExportJob>;

export const Exported = z.object({
  title: z.string(),
  channels: z.number(),
  rows: z.number(),
  points: z.number(),
  damagedPoints: z.number(),
  pointsGone: z.number(),
});
export type Exported = z.infer<typeof Exported>;

const Fault = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string(),
  retry: z.enum(['later', 'after-human', 'never']),
});

/** What the writing process is told. */
export const ToWriter = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('job'), job: ExportJob }),
  z.object({ kind: z.literal('answer'), id: z.number(), value: z.unknown() }),
  z.object({ kind: z.literal('refusal'), id: z.number(), fault: Fault }),
  z.object({ kind: z.literal('cancel') }),
]);
export type ToWriter = z.infer<typeof ToWriter>;

/** What it tells. */
export const FromWriter = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('question'), id: z.number(), question: ExportQuestion }),
  z.object({ kind: z.literal('progress'), done: z.number() }),
  z.object({ kind: z.literal('done'), exported: Exported }),
  z.object({ kind: z.literal('failed'), fault: Fault }),
]);
export type FromWriter = z.infer<typeof FromWriter>;
