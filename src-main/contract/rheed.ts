// RHEED: a look at what a counter sees, sessions, what is shown of them, and what a person may do.
import { z } from 'zod';
import { call, nothing, text } from './row.ts';
import { SourceEntry } from './source.ts';

/** A speed in all its units, and what becomes of it on the way: the service takes a whole number of turns per minute. */
const RotationView = z.object({
  rpm: z.number().describe('as given'),
  secondsPerTurn: z.number(),
  framesPerTurn: z.number().nullable().describe('null: the frame rate is not known yet'),
  sentRpm: z.int().nullable().describe('rotations_per_min as it goes out; null: it would round to 0 and is left out'),
  heldRpm: z.number().nullable().describe('what the service answered; null: not read back, or it holds nothing'),
  degreesPerTurn: z.number().nullable().describe('drift for a reader who believes that number; null: there is none'),
  degreesPerMinute: z.number().nullable(),
  text: z.string().describe('the same in a sentence; empty while the frame rate is not known'),
});

/** What a counter shows now. */
export const CounterView = z.object({
  seen: z.array(z.string()).describe('what is there and where it stands, a sentence each'),
  frames: z.int().nonnegative().describe('that came while it was looked at'),
  rate: z
    .object({ perSecond: z.number(), uncertainty: z.number().describe('either way') })
    .nullable()
    .describe('null: too few frames came to tell'),
  problem: z.string().describe('why it cannot be read as it stands; empty when it can'),
  hint: z.string(),
  warnings: z.array(z.object({ message: z.string(), hint: z.string() })),
  rotation: RotationView.nullable().describe('null: the settings name no speed'),
});

/** A RHEED session, as far as it is shown. */
export const RheedSessionView = z.object({
  nonce: text(64).describe('names the session'),
  sourceId: z.string(),
  name: z.string(),
  startedMs: z.number(),
  endedMs: z.number().nullable().describe('null: it runs'),
  endCause: z.string(),
  fps: z.number().nullable().describe('null: still being measured'),
  rpm: z.number().nullable(),
  rotation: RotationView.nullable().describe('null: it does not turn'),
  projectId: z.string().nullable(),
  sampleId: z.string().nullable(),
  newSampleName: z.string().nullable(),
  frames: z.int().nullable().describe('counted while it ran; null: it runs, or its counter was not looked at'),
  dataId: z.string().nullable().describe('UUID the service gave; null: not started there yet'),
  isStartSent: z.boolean().describe('sample and project can be changed no more'),
  differences: z.array(z.string()).describe('what the service has otherwise than it was sent'),
  problem: z.string().describe('what waits for a person; empty: nothing'),
  hint: z.string(),
});

const sessionChoice = {
  projectId: text(64).nullable().optional().describe('absent: as it is, or as the settings say'),
  sampleId: text(64).nullable().optional(),
  newSampleName: text(200).nullable().optional().describe('name of a sample to create; never beside sampleId'),
};

export const rheed = {
  /**
   * Look at what a source of kind rheed would count, for some seconds.
   *
   * @throws `source.invalid` with the field.
   */
  preview: call(z.object({ entry: SourceEntry }), CounterView),
  /**
   * Propose which files of a folder are frames, and where the number or the time stands in their names.
   *
   * @throws `rheed.folder-missing`; `rheed.no-names` when no file says a number or a time.
   */
  proposeNames: call(
    z.object({ folder: text(4096).min(1), glob: text(200).describe('which names count; empty: pictures') }),
    z.object({
      match: z.string(),
      timeFormat: z.string().nullable().describe('how {time} is written; null: there is none'),
      files: z.int().positive().describe('that fit, of those that were looked at'),
      example: z.string(),
    }),
  ),
  listSessions: call(nothing, z.array(RheedSessionView)),
  start: call(z.object({ sourceId: text(64), ...sessionChoice }), RheedSessionView),
  /** Choose sample or project late: until the start is sent. */
  change: call(z.object({ nonce: text(64), ...sessionChoice }), RheedSessionView),
  end: call(z.object({ sourceId: text(64) }), RheedSessionView.nullable()),
  /** Try a session again whose `problem` was put right elsewhere. */
  retry: call(z.object({ nonce: text(64) }), RheedSessionView),
} as const;
