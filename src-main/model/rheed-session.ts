// A RHEED session as it is kept here: the intent to start one, what the service gave for it, and what became of it.
import { z } from 'zod';

/** Frames per second that the service takes at most. Source: interface, 4.4. */
export const FPS_MAX = 120;

export const RheedSession = z.object({
  /** Short random word, unique; part of `name`, so that a lost answer can be looked up. */
  nonce: z.string(),
  sourceId: z.string(),
  /** Part of the growth that it belongs to; null: none. */
  growth: z.string().nullable().default(null),
  name: z.string(),
  startedMs: z.number().describe('when it began here, whether or not the service knew'),
  /** Null while it runs. */
  endedMs: z.number().nullable(),
  endCause: z.string(),
  /** Null until it was measured. */
  fps: z.number().nullable(),
  isFpsMeasured: z.boolean(),
  rpm: z.number().nullable(),
  projectId: z.string().nullable(),
  /** Never both: an existing sample by its UUID, or a name to create one. */
  sampleId: z.string().nullable(),
  newSampleName: z.string().nullable(),
  /** Frames that the source had counted when it began, and when it ended; null: its counter was not looked at yet. */
  framesAtStart: z.number().nullable(),
  framesAtEnd: z.number().nullable(),
  /** A start may have gone out whose answer is not known. */
  isStartSent: z.boolean(),
  dataId: z.string().nullable(),
  service: z.string().nullable().describe('base address of the service that holds it'),
  /** What the service says of it (4.5), read once after the start. */
  settings: z.record(z.string(), z.unknown()).nullable(),
  /** What of that is not as it was sent; empty: all of it is. */
  differences: z.array(z.string()),
  /** What the service made of the video (4.6). */
  metadata: z.record(z.string(), z.unknown()).nullable(),
  finalize: z.enum(['none', 'due', 'done', 'refused']),
  /** What keeps it waiting for a person; empty: nothing. */
  problem: z.string(),
  hint: z.string(),
  /** Nothing is left to do. */
  isDone: z.boolean(),
});
export type RheedSession = z.infer<typeof RheedSession>;

/** Frames counted during a session; null while it runs, and where its counter was not looked at. */
export function framesOf({ framesAtStart, framesAtEnd }: RheedSession): number | null {
  return framesAtStart === null || framesAtEnd === null ? null : framesAtEnd - framesAtStart;
}
