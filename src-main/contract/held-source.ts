// Log files that stopped: their columns changed on the way, their time began again, or something about them is open. The
// two sides of such a file, and what a person may say about it. What they say is kept with the file: a restart asks no more.
import { z } from 'zod';
import { call, nothing, text } from './row.ts';

const FILE_MAX = 4096;
const NAME_MAX = 255;

const HeldColumn = z.object({
  header: z.string().describe('as the header writes it; empty: it has no name there'),
  name: z.string().describe('names the column in an answer'),
  unit: z.string(),
  channel: z.string().nullable().describe('that carries its values; null: nothing is streamed of it'),
});

const file = {
  file: z.string().describe('path below the folder of the source'),
  code: z.string(),
  message: z.string(),
  hint: z.string(),
  byte: z.int().nonnegative().nullable().describe('at which reading stopped; null: the file was not begun'),
  line: z.int().positive().nullable().describe('number of that line from 1; null: not counted'),
  isLeftOut: z.boolean().describe('a person left it out; it can be taken in again'),
};

const HeldFileView = z.object({ sourceId: z.string(), ...file });

const HeldSidesView = z.object({
  ...file,
  formerColumns: z.array(HeldColumn).readonly().describe('empty where nothing was read of the file before'),
  newColumns: z.array(HeldColumn).readonly().describe('empty where they cannot be read as they stand'),
  nextLines: z.array(z.string()).readonly().describe('from the place on, as text'),
  problem: z.string().describe('why the new columns cannot be read; empty: they can'),
  problemHint: z.string(),
});

/**
 * `accept`: a new stream begins with the new columns. `rename`: columns named carry on the channel of a former column with
 * the same unit, and the stream goes on. Both need a place at which reading stopped; but a file whose start contradicts that
 * of others (`log.starts-contradict`) is read as a run of its own by `accept`. `leave-out` and `take-in` need none.
 */
const HeldAnswerChoice = z.discriminatedUnion('answer', [
  z.object({ answer: z.literal('accept') }),
  z.object({
    answer: z.literal('rename'),
    names: z.record(text(NAME_MAX), text(NAME_MAX).min(1)).describe('name of the former column by that of the new one'),
  }),
  z.object({ answer: z.literal('leave-out') }),
  z.object({ answer: z.literal('take-in') }),
]);

const which = { sourceId: text(64), file: text(FILE_MAX).min(1) };

export const heldSource = {
  /** Files of all sources that wait, and those left out. */
  list: call(nothing, z.array(HeldFileView)),
  /** Answered between two looks at the folder, so within a second as a rule. */
  look: call(z.object(which), HeldSidesView),
  /** Answered when what was said is on disk; reading then goes on from the exact byte. */
  answer: call(z.object({ ...which, choice: HeldAnswerChoice }), nothing),
} as const;
