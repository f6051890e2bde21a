// Everything that happened, from the store: the snapshot carries its newest part only.
import { z } from 'zod';
import { call, nothing, text } from './row.ts';
import { JournalEntry } from './snapshot.ts';

const level = z.enum(['info', 'warning', 'error']);
const unixMs = z.number().describe('Unix time, milliseconds');

const JournalQuestion = z.object({
  levels: z.array(level).min(1).max(3),
  source: text(64).nullable().describe('id of a source; null: any, and what belongs to none'),
  text: text(200).describe('stands in message, hint or code, whatever its case; empty: any'),
  fromMs: unixMs.nullable(),
  toMs: unixMs.nullable(),
  beforeId: z.int().positive().nullable().describe('the page after this entry; null: the newest'),
  limit: z.int().min(1).max(500),
});

export const journal = {
  /** Events, newest first. `next` begins the following page; null: there is none. */
  list: call(
    JournalQuestion,
    z.object({
      entries: z.array(JournalEntry.extend({ about: z.string().describe('source or stream; empty: none') })),
      next: z.int().positive().nullable(),
    }),
  ),
  /** What the next shift must know of the last hours, as plain text. */
  writeShiftNote: call(z.object({ hours: z.int().min(1).max(72) }), z.object({ text: z.string() })),
  /** Codes of events that stand in the journal, with how often. */
  listSources: call(nothing, z.array(z.string())),
} as const;
