// What a tool, or its recipe program, says of a run in a small file: `<anything>.run-start.json` and `<anything>.run-end.json`.
//
//   { "name": "A1417", "sample": "G3-117", "project": "5e0c4a0e-7a43-4f0e-9d7e-0d2f3a4b5c6d" }
//
// `sample` is the UUID of a sample that the service knows, or the name of one that is to be made; `project` is a UUID. Both
// may be absent or null. Other fields are the tool's own. In a run-end file all may be absent; a name must be that of the run.
import { z } from 'zod';
import type { ChoiceGiven } from './rules.ts';

/** A file longer than this is none of them, bytes. */
export const RUN_FILE_BYTES_MAX = 64 * 1024;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const text = () => z.string({ error: ({ input }) => (input === undefined ? 'is missing' : 'must be a text') });

const line = (max: number) =>
  text()
    .trim()
    .min(1, 'is empty')
    .max(max, `has more than ${max} characters`)
    .refine((text) => !/\p{Cc}/u.test(text), 'holds a control character');
const project = text().regex(UUID, 'is no UUID of a project');

const NO_OBJECT = 'holds no object: { "name": ... }';
const Start = z.object({ name: line(200), sample: line(200).nullish(), project: project.nullish() }, NO_OBJECT);
const End = z.object({ name: line(200).nullish() }, NO_OBJECT);

export type RunFileKind = 'start' | 'end';

/** Tell by its name what a file is; null: neither. */
export function kindOf(name: string): RunFileKind | null {
  const found = /\.run-(start|end)\.json$/i.exec(name)?.[1]?.toLowerCase();
  return found === 'start' || found === 'end' ? found : null;
}

export type RunFile =
  | { readonly kind: 'start'; readonly name: string; readonly choice: ChoiceGiven }
  | { readonly kind: 'end'; readonly name: string | null }
  /** `field` is empty where it is not one field that is wrong. */
  | { readonly kind: 'malformed'; readonly field: string; readonly why: string };

/**
 * Read the bytes of such a file. Pure; never throws. Takes what its name says it is, and its bytes: UTF-8, or UTF-16 with
 * its byte-order mark, as shells of Windows write.
 */
export function readRunFile(kind: RunFileKind, bytes: Uint8Array): RunFile {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  try {
    return parseRunFile(kind, new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes));
  } catch {
    // A name that was guessed would stand in every entry of the growth.
    return { kind: 'malformed', field: '', why: `is no text in ${isUtf16 ? 'UTF-16' : 'UTF-8'}` };
  }
}

/**
 * Read the text of such a file. Pure; never throws.
 *
 * @param kind - what its name says it is.
 */
export function parseRunFile(kind: RunFileKind, text: string): RunFile {
  let data: unknown;
  try {
    data = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (thrown) {
    return { kind: 'malformed', field: '', why: `is no JSON: ${(thrown as Error).message}` };
  }
  if (kind === 'end') {
    const parsed = End.safeParse(data);
    return parsed.success ? { kind: 'end', name: parsed.data.name ?? null } : malformed(parsed.error);
  }
  const parsed = Start.safeParse(data);
  if (!parsed.success) return malformed(parsed.error);
  const { name, sample = null, project: projectId = null } = parsed.data;
  const chosen = sample !== null && UUID.test(sample) ? { sampleId: sample } : { newSampleName: sample };
  return { kind: 'start', name, choice: { name, ...chosen, projectId } };
}

function malformed({ issues }: z.ZodError): RunFile {
  const [issue] = issues;
  return { kind: 'malformed', field: issue?.path.join('.') ?? '', why: issue?.message ?? 'does not fit' };
}
