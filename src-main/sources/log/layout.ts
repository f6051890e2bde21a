// The layout of one file: the dialect with everything settled that recognition or settings left open. It is made once,
// committed with the file's position, and used again after a restart, so that a column never changes its meaning because
// the agent was stopped.
import { z } from 'zod';

/**
 * What a column is.
 * `time`: part of the stamp. `number`: streamed. `open`: only empty so far. `text`: left out because its cells are no
 * numbers. `ignored`: left out because the dialect says so.
 */
export const ColumnKind = z.enum(['time', 'number', 'open', 'text', 'ignored']);
export type ColumnKind = z.infer<typeof ColumnKind>;

export const LayoutColumn = z.object({
  /** As the header writes it; empty when it has no name there. */
  header: z.string(),
  /** Unit as the header states it; empty when not known. */
  unit: z.string(),
  /** Name within the file: unique, 1 to 255 characters, without the unit. */
  name: z.string(),
});
export type LayoutColumn = z.infer<typeof LayoutColumn>;

export const Layout = z.object({
  encoding: z.string(),
  /** The separator itself; `whitespace` for runs of blanks and tabs. */
  delimiter: z.string(),
  decimal: z.enum(['.', ',']),
  comment: z.string().nullable(),
  columns: z.array(LayoutColumn),
  /** Columns (from 0) that make the stamp, in the order in which they are joined. */
  timeColumns: z.array(z.int()),
  timeFormat: z.string(),
  /** Instant at which relative seconds begin, Unix ms; null: stamps are absolute. */
  startMs: z.number().nullable(),
  /** First day of times of day, midnight as if it were UTC, Unix ms; null: stamps carry their date. */
  dayMs: z.number().nullable(),
  zone: z.string(),
  absent: z.array(z.string()),
  refused: z.array(z.string()),
  /** Number for each word that stands for a state. */
  states: z.record(z.string(), z.number()),
  /** The header line, blanks trimmed, to recognise its repetition; empty when there is none. */
  headerText: z.string(),
});
export type Layout = z.infer<typeof Layout>;

const CODES: Readonly<Record<ColumnKind, string>> = { time: 't', number: 'n', open: 'o', text: 'x', ignored: 'i' };
const KINDS = new Map(Object.entries(CODES).map(([kind, code]) => [code, kind as ColumnKind]));

/** Write column kinds as one letter each, for the position. */
export function packKinds(kinds: readonly ColumnKind[]): string {
  return kinds.map((kind) => CODES[kind]).join('');
}

/** Read what `packKinds` wrote; an unknown letter means open. */
export function unpackKinds(text: string): ColumnKind[] {
  return [...text].map((code) => KINDS.get(code) ?? 'open');
}
