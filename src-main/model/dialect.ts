// How a tool writes its log, as data. Every field has a default that means "recognise it", so the empty mapping is the
// dialect `auto`, and an inline mapping in the settings names only what recognition cannot know.
import { z } from 'zod';
import { compileGlob } from './glob.ts';
import { compileLinePattern } from './line-pattern.ts';

const text = (max: number) => z.string().max(max);

/** A pattern for names of files, refused with a hint where it cannot be used. */
const globText = z
  .string()
  .min(1)
  .superRefine((text, context) => {
    const glob = compileGlob(text);
    if (glob.isValid) return;
    const { message, hint } = glob;
    context.addIssue({ code: 'custom', message, params: { hint }, input: text });
  });

// Columns whose cells are words whose bits are shutters or valves. What a bit means is data of the dialect; a word with a bit
// that the data do not name is refused, never 0.

/** A column by the text of its header (or its channel), or by its number counted from 1. */
const Column = z.union([z.string().max(255).min(1), z.int().min(1).max(10_000)]);

/** Bits of a double that are exact. */
const BITS_MAX = 53;

const Mask = z
  .strictObject({
    column: Column.describe('header text, channel, or number (from 1) of the column'),
    written: z
      .enum(['decimal', 'hex', 'binary'])
      .default('decimal')
      .describe('how the word is written; 0x1A is read as what it says in any case'),
    bits: z
      .record(z.string().regex(/^\d{1,2}$/, 'a bit, counted from 0'), z.string().min(1).max(255).nullable())
      .refine((bits) => Object.keys(bits).every((bit) => Number(bit) < BITS_MAX), `bits end at ${BITS_MAX - 1}`)
      .refine((bits) => Object.values(bits).some((name) => name !== null), 'names no bit')
      .refine((bits) => {
        const names = Object.values(bits).filter((name) => name !== null);
        return new Set(names).size === names.length;
      }, 'names two bits alike')
      .describe(
        'channel for each bit, counted from 0 for the lowest; null: a bit that may be set and means nothing here',
      ),
  })
  .describe('a column whose bits are channels of 0 and 1');

const Start = z.strictObject({
  from: z
    .enum(['header', 'name', 'file'])
    .describe(
      'lines before the data; name of file and folders; file: its modification time minus the seconds of its last line',
    ),
  after: text(100).default('').describe('text in front of the stamp; empty: the first that fits'),
  format: text(100).min(1).default('iso8601').describe('how the stamp is written; not needed with file'),
  marks: z
    .enum(['begin', 'end', 'next-day'])
    .default('begin')
    .describe(
      'begin: the first line, or its day; end: the last line, or its day; next-day: the day after the first line',
    ),
});

const TimeRule = z
  .strictObject({
    column: z
      .union([Column, z.array(Column).min(1).max(7)])
      .default('auto')
      .describe('header text or number (from 1) of the time column; a list is joined with blanks; auto: recognise'),
    format: text(100)
      .min(1)
      .default('auto')
      .describe(
        'auto | iso8601 | unix-seconds, -ms, -us or -ns | labview-seconds (since 1904) | igor-seconds (since 1904, local) | filetime | dotnet-ticks (UTC) | excel-days or matlab-days | a pattern such as dd/MM/yyyy HH:mm:ss.SSS | with start also relative-seconds, -ms, -minutes or -hours, relative-time (h:mm:ss or mm:ss), or a time of day such as HH:mm:ss',
      ),
    start: Start.nullable()
      .default(null)
      .describe('where relative seconds begin, or the first day of times of day; null: each line tells its own'),
    zone: text(64)
      .min(1)
      .nullable()
      .default(null)
      .describe("IANA name for stamps that carry no zone, for example Europe/Berlin; null: the tool's zone"),
    repeated_hour: z
      .enum(['auto', 'first', 'second'])
      .default('auto')
      .describe(
        'which of the two hours stamps are of that the end of summer time repeats, where their order does not tell',
      ),
  })
  .describe('where the time of a line stands and how it is written');

export const Dialect = z.strictObject({
  name: text(64)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'lower case letters, digits and hyphens')
    .default('auto')
    .describe('its name, as settings cite it'),
  title: text(200).default('').describe('what it is, for people'),
  like: text(64)
    .min(1)
    .nullable()
    .default(null)
    .describe('name of a known dialect: what is not given here is taken from it'),
  encoding: z
    .union([z.enum(['auto', 'utf-8', 'utf-16le', 'utf-16be', 'windows-1252']), text(32).min(1)])
    .default('auto')
    .describe('auto: byte-order mark, else UTF-8, else Windows-1252; any other name that iconv knows'),
  delimiter: z
    .union([z.enum(['auto', 'comma', 'semicolon', 'tab', 'whitespace', 'wide']), text(8).min(1)])
    .default('auto')
    .describe(
      'what separates two cells; whitespace: any run of blanks and tabs; wide: two blanks or more; else the text itself',
    ),
  line: z
    .string()
    .min(1)
    .superRefine((pattern, context) => {
      const checked = compileLinePattern(pattern);
      if (checked.isValid) return;
      const { message, hint } = checked;
      context.addIssue({ code: 'custom', message, params: { hint }, input: pattern });
    })
    .nullable()
    .default(null)
    .describe(
      'where no separator cuts the lines: a pattern (RE2) for a whole line, whose named groups are the columns, such as ' +
        '(?P<time>\\S+) T=(?P<temperature>\\S+); date, time and stamp give the time; null: a separator cuts them',
    ),
  decimal: z.enum(['auto', 'point', 'comma']).default('auto').describe('decimal mark of the numbers'),
  preamble: z
    .union([z.literal('auto'), z.int().min(0).max(1000)])
    .default('auto')
    .describe('lines before the header (or before the data where there is no header)'),
  header: z
    .union([z.enum(['auto', 'present', 'none']), z.array(text(255).min(1)).min(1).max(10_000)])
    .default('auto')
    .describe('whether a line names the columns; a list names them itself, one for each column'),
  header_line: z
    .int()
    .min(1)
    .max(1000)
    .nullable()
    .default(null)
    .describe('number of the line that names the columns; null: recognise'),
  signs: z
    .array(text(200).min(1))
    .max(8)
    .default([])
    .describe('texts that all stand in the first lines of such a file: by them auto knows this dialect'),
  files: globText
    .nullable()
    .default(null)
    .describe('glob of the names of such files, without folders; auto asks for it together with the signs'),
  names: z
    .enum(['header', 'file'])
    .default('header')
    .describe('file: where a file holds one channel, it is called like the file'),
  units: z
    .record(text(255), text(32))
    .default({})
    .describe('unit by column header, where the header does not state it'),
  states: z
    .record(text(32), z.number())
    .default({})
    .describe('number for each word that stands for a state in any column, for example Open: 1, Closed: 0'),
  masks: z
    .array(Mask)
    .max(100)
    .default([])
    .describe('columns of words whose bits are shutters or valves; a word with a bit that is not named is refused'),
  events: z
    .union([z.boolean(), z.array(globText).min(1).max(20)])
    .default(false)
    .describe('an event log: its lines are kept as marks, nothing is streamed; or globs of the names of such files'),
  comment: text(16).min(1).nullable().default(null).describe('lines that begin with this text carry no data'),
  time: TimeRule.prefault({}),
  absent: z
    .array(text(32))
    .max(100)
    .default([])
    .describe('cells that say "no value", besides the empty one: no point, not counted as refused'),
  refused: z
    .array(text(32).min(1))
    .max(100)
    .default([])
    .describe(
      'cells that are written as numbers and are none (sentinels such as -999.9): refused, with their text, as any of 9e36 and more is',
    ),
  least_cells: z
    .int()
    .min(2)
    .nullable()
    .default(null)
    .describe('a line of at least so many cells is whole: those missing at its end are empty; null: it is refused'),
  status: z
    .strictObject({
      cells: z
        .enum(['behind-all', 'behind-each'])
        .describe('where they stand: behind all values of a line, or each behind its own'),
      good: z.array(text(32).min(1)).min(1).max(20).describe('words that say that the value is good'),
    })
    .nullable()
    .default(null)
    .describe(
      'each value has a cell that says how good it is; a value with another word than the good ones is refused',
    ),
  quality: z
    .array(
      z.strictObject({
        column: Column.describe('header text, channel, or number (from 1) of the column'),
        good: z.array(text(100).min(1)).min(1).max(20).describe('words or codes that say that a value is good'),
      }),
    )
    .max(1000)
    .default([])
    .describe(
      'columns that say how good the values before them are, where that is not recognised; a value beside another word is refused',
    ),
  leave_out: z.array(Column).max(10_000).default([]).describe('columns that are not streamed'),
  numeric: z
    .array(Column)
    .max(10_000)
    .default([])
    .describe('columns that hold numbers even if their first rows do not look like it'),
});

/** A dialect with every field filled in. */
export type Dialect = z.infer<typeof Dialect>;
/** What a person writes: only the fields that recognition cannot know. */
export type DialectInput = z.input<typeof Dialect>;
