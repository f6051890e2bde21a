// The layout of one file: the dialect with everything settled that recognition or settings left open. It is made once,
// committed with the file's position, and used again after a restart, so that a column never changes its meaning because
// the agent was stopped.
import { z } from 'zod';

/**
 * What a column is.
 * `time`: part of the stamp. `number`: streamed. `open`: only empty so far. `text`: left out because its cells are no
 * numbers. `ignored`: left out because the dialect says so. `mask`: words whose bits are streamed; `bit`: one of these bits,
 * a column that stands in no file, behind all those that do. `affixed`: numbers with the same text around each. `status`:
 * words that say how good the value of another column is.
 * `whole`: numbers, all of them whole so far, in a file that has not shown its decimal mark: 1.000 may be one or a thousand;
 * `affixed-whole`: such ones with the same text around each.
 */
export const ColumnKind = z.enum([
  'time',
  'number',
  'open',
  'text',
  'ignored',
  'mask',
  'bit',
  'affixed',
  'affixed-whole',
  'status',
  'whole',
]);
export type ColumnKind = z.infer<typeof ColumnKind>;

const STREAMED: ReadonlySet<ColumnKind> = new Set(['number', 'whole', 'bit', 'affixed', 'affixed-whole']);

/** True for the kinds that carry points. */
export function isStreamed(kind: ColumnKind | undefined): boolean {
  return kind !== undefined && STREAMED.has(kind);
}

export const LayoutColumn = z.object({
  /** As the header writes it; empty when it has no name there. */
  header: z.string(),
  /** Unit as the header states it; empty when not known. */
  unit: z.string(),
  /** Name within the file: unique, 1 to 255 characters, without the unit. */
  name: z.string(),
  /** Set where the column is a bit of a word in another one (from 0). */
  bitOf: z.object({ column: z.int(), bit: z.int() }).optional(),
});
export type LayoutColumn = z.infer<typeof LayoutColumn>;

/** Columns that have a time of their own, where those of a line do not share one. */
export const TimeGroup = z.object({
  /** Column (from 0) of the time; null: none is written, the rows count from 0. */
  time: z.int().nullable(),
  columns: z.array(z.int()),
  /** Instant of a time of 0, Unix ms, and how many milliseconds a 1 is. */
  zeroMs: z.number(),
  unitMs: z.number(),
  /** How its stamps are written, where it is no count. */
  format: z.string().optional(),
});
export type TimeGroup = z.infer<typeof TimeGroup>;

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
  /** A person has said that the file is a run of its own, which began when its modification time says. */
  isOwnRun: z.literal(true).optional(),
  /** First day of times of day, midnight as if it were UTC, Unix ms; null: stamps carry their date. */
  dayMs: z.number().nullable(),
  zone: z.string(),
  absent: z.array(z.string()),
  refused: z.array(z.string()),
  /** Number for each word that stands for a state. */
  states: z.record(z.string(), z.number()),
  /** Columns (from 0) of words, and the column that each bit gives (null: known, not streamed). */
  masks: z
    .array(
      z.object({
        column: z.int(),
        written: z.enum(['decimal', 'hex', 'binary']),
        bits: z.array(z.object({ bit: z.int(), out: z.int().nullable() })),
      }),
    )
    .default([]),
  /** Columns (from 0) of numbers with a text around each, and that text. */
  affixes: z.array(z.object({ column: z.int(), before: z.string(), after: z.string() })).default([]),
  /** Columns (from 0) of words about the value of another one, and the words that say that it is good. */
  statuses: z.array(z.object({ column: z.int(), of: z.int(), good: z.array(z.string()) })).optional(),
  /** Columns (from 0) that say by words or codes how good the values of others are: `good` lists those that do, else `code` tells. */
  qualities: z
    .array(
      z.object({
        column: z.int(),
        of: z.array(z.int()),
        code: z.enum(['words', 'opc', 'opc ua']),
        good: z.array(z.string()).optional(),
      }),
    )
    .optional(),
  /** No number of its first rows has shown which mark is the decimal one, and no person has said it. */
  isMarkOpen: z.literal(true).optional(),
  /** A person has said that lines of data above the rows are skipped. */
  isPassing: z.literal(true).optional(),
  /** Usual time between its lines, milliseconds, where it is long; absent: short. */
  stepMs: z.number().optional(),
  /** Its stamps in the hour that comes twice are of the second one. */
  isLaterHour: z.literal(true).optional(),
  /** Up to this instant, Unix ms, it is settled which stamps are of the hour that comes twice; absent: nothing is. */
  hourToldMs: z.number().optional(),
  /** What a person has said about stamps of that hour of which nothing tells. */
  repeatedHour: z.enum(['first', 'second']).optional(),
  /** A person has named the zone: stamps in the hour that its clock skips are of before the change. */
  isZoneNamed: z.literal(true).optional(),
  /** Its stamps have shown no hours but 1 to 12, without AM or PM: one that goes back by half a day may be of the other half. */
  areHalvesOpen: z.literal(true).optional(),
  /** Digits of a second's part in all stamps so far, none of which begins with 0: fewer may be a count without zeros in front. */
  partDigits: z.int().optional(),
  /** Its rows stand in columns below the words of the header: a cell below another name is of that column. */
  isAligned: z.literal(true).optional(),
  /** A line of so many cells is whole; absent: only one of all. */
  leastCells: z.int().optional(),
  /** An event log: its lines are marks. The columns (from 0) whose text they take; empty: all that follows the stamp. */
  eventText: z.array(z.int()).nullable().default(null),
  /** Columns with times of their own; absent: all share the stamp of the line. */
  groups: z.array(TimeGroup).optional(),
  /** Heads stand among the lines, as in LabVIEW measurement files, and state these units: each says from when its rows count. */
  heads: z.object({ units: z.array(z.string()) }).optional(),
  /** The header line, blanks trimmed, to recognise its repetition; empty when there is none. */
  headerText: z.string(),
});
export type Layout = z.infer<typeof Layout>;

const CODES: Readonly<Record<ColumnKind, string>> = {
  time: 't',
  number: 'n',
  open: 'o',
  text: 'x',
  ignored: 'i',
  mask: 'm',
  bit: 'b',
  affixed: 'a',
  'affixed-whole': 'h',
  status: 'u',
  whole: 'w',
};
const KINDS = new Map(Object.entries(CODES).map(([kind, code]) => [code, kind as ColumnKind]));

/** Write column kinds as one letter each, for the position. */
export function packKinds(kinds: readonly ColumnKind[]): string {
  return kinds.map((kind) => CODES[kind]).join('');
}

/** Read what `packKinds` wrote; an unknown letter means open. */
export function unpackKinds(text: string): ColumnKind[] {
  return [...text].map((code) => KINDS.get(code) ?? 'open');
}

/** Cells of a line: columns that stand in the file. */
export function widthOf({ columns }: Pick<Layout, 'columns'>): number {
  return columns.filter(({ bitOf }) => bitOf === undefined).length;
}

/** Where the values of a column come from, as text: `column 3 "Shutters", bit 5`. */
export function placeOf({ columns }: Pick<Layout, 'columns'>, column: number): string {
  const { bitOf, header = '' } = columns[column] ?? {};
  if (bitOf !== undefined) return `${placeOf({ columns }, bitOf.column)}, bit ${bitOf.bit}`;
  return `column ${column + 1}${header === '' ? '' : ` "${header}"`}`;
}
