// Exports: what was captured, or an entry of the service, on its way into a file in a folder of this PC.
import { z } from 'zod';
import { EXPORT_FORMAT_NAMES, RESAMPLE_METHOD_NAMES } from '../model/export.ts';
import { call, nothing, text } from './row.ts';

const unixMs = z.number().describe('Unix time, milliseconds');

/** What is exported. */
const ExportOf = z.union([
  z.strictObject({ growth: text(64).min(1) }).describe('a growth by its id'),
  z.strictObject({ stream: text(64).min(1) }).describe('a stream by its number'),
  z.strictObject({ entry: text(200).min(1) }).describe('an entry of the service by its id'),
  z.strictObject({ fromMs: unixMs, toMs: unixMs }).describe('all streams of a time'),
]);

export const ExportView = z.object({
  id: z.int(),
  of: ExportOf,
  format: z.enum(EXPORT_FORMAT_NAMES),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  done: z.number().describe('part of the time that is written, 0 to 1'),
  path: z.string().describe('of the file; there is none of this name before it is done'),
  points: z.int().nonnegative(),
  damagedPoints: z.int().nonnegative().describe('points that the disk altered; not in the file'),
  pointsGone: z.int().nonnegative().describe('points that are kept at the service only; not in the file'),
  message: z.string(),
  hint: z.string(),
});
export type ExportView = z.infer<typeof ExportView>;

// The noun is `exports`, since `export` is a word of the language.
export const exports = {
  /** Those that run, and the last ones that ended, newest first; and the folder into which files are written. */
  list: call(nothing, z.object({ exports: z.array(ExportView), folder: z.string() })),
  start: call(
    z.object({
      of: ExportOf,
      name: text(300).describe('of the file, without what tells its form'),
      format: z.enum(EXPORT_FORMAT_NAMES),
      channels: z.array(text(600)).max(1000).describe('`channel` or `source/channel`; none: all'),
      csv: z
        .object({
          separator: z.enum([',', ';', '\t']),
          decimal: z.enum(['.', ',']),
          resample: z
            .object({ everyMs: z.number().positive().max(86_400_000), method: z.enum(RESAMPLE_METHOD_NAMES) })
            .nullable()
            .describe('null: as recorded'),
        })
        .refine(({ separator, decimal }) => separator !== decimal, 'a decimal comma needs another separator'),
      asksService: z.boolean().describe('read from the service what is no longer kept here'),
    }),
    ExportView,
  ),
  cancel: call(z.object({ id: z.int() }), nothing),
} as const;
