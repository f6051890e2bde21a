// Transcripts of instruments: one YAML file each in test/fixtures/instruments, named like its profile. Bytes are written as
// text with escapes ("KRDG? A\r\n"), or as `hex 04 30 30`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Dialog } from './instrument-emulator.ts';

const folder = join(import.meta.dirname, '../../fixtures/instruments');

const Bytes = z.string().transform((text, context): Uint8Array => {
  const hex = /^hex((?: [0-9a-fA-F]{2})+)$/.exec(text)?.[1];
  if (hex) return Uint8Array.from(hex.trim().split(' '), (byte) => Number.parseInt(byte, 16));
  if ([...text].every((character) => character.length === 1 && character.charCodeAt(0) < 256)) {
    return Uint8Array.from(text, (character) => character.charCodeAt(0));
  }
  context.addIssue({ code: 'custom', message: 'characters of one byte only', input: text });
  return z.NEVER;
});

interface DialogInput {
  in: string;
  out?: string | null | undefined;
  next?: DialogInput[] | undefined;
}
const DialogRule: z.ZodType<Dialog, DialogInput> = z.lazy(() =>
  z.strictObject({ in: Bytes, out: Bytes.nullable().default(null), next: z.array(DialogRule).default([]) }),
);

const Case = z.strictObject({
  name: z.string(),
  /** What goes over the line. */
  talk: z.array(DialogRule).default([]),
  /** What the instrument says unasked, again and again. */
  unasked: z.array(Bytes).default([]),
  /** Values by channel, as they must come out. */
  values: z.record(z.string(), z.number()).default({}),
  /** Channels that must be refused, with the reason. */
  states: z.record(z.string(), z.string()).default({}),
  units: z.record(z.string(), z.string()).default({}),
});

export const Transcript = z.strictObject({
  /** Where the bytes come from: an instrument and a date, a manual and a page, or "made by hand". */
  origin: z.string(),
  options: z.record(z.string(), z.unknown()).default({}),
  address: z.union([z.string(), z.number()]).nullable().default(null),
  /** Replies carry a checksum: a changed byte must be noticed. */
  checksum: z.boolean().default(false),
  /** What this protocol cannot notice, with the reason: then only recovery is tried. */
  unnoticed: z.partialRecord(z.enum(['garbage', 'cut', 'late']), z.string()).default({}),
  /** The first is also the one that faults are tried on; its values should all differ. */
  cases: z.array(Case).min(1),
});
export type Transcript = z.output<typeof Transcript>;

/** Names of the transcripts there are. */
export function listTranscripts(): string[] {
  return readdirSync(folder).flatMap((file) => (file.endsWith('.yaml') ? [file.slice(0, -5)] : []));
}

export function readTranscript(name: string): Transcript {
  return parseTranscript(readFileSync(join(folder, `${name}.yaml`), 'utf8'), `${name}.yaml`);
}

export function parseTranscript(text: string, name: string): Transcript {
  const result = Transcript.safeParse(parse(text));
  if (result.success) return result.data;
  throw new Error(`${name}: ${z.prettifyError(result.error)}`);
}
