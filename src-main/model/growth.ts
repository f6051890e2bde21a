// A growth as it is kept here: a time that the operator names. Its parts follow each other without a break; a new one begins
// when something was changed that the service already knew. Streams and RHEED sessions name the part that they belong to.
import { z } from 'zod';

/** What a person chooses for a growth, and what the entries at the service carry. */
const choice = {
  /** Empty: not named yet. */
  name: z.string(),
  /** An existing sample by its UUID, or the one that was made of `newSampleName` once its UUID is known. */
  sampleId: z.string().nullable(),
  /** Name of a sample that is to be made with the start of a RHEED session. */
  newSampleName: z.string().nullable(),
  projectId: z.string().nullable(),
};

export const GrowthPart = z.object({
  /** Short random word, unique. */
  id: z.string(),
  /** Readings stamped in [fromMs, toMs) belong to it; `toMs` is null while it runs. */
  fromMs: z.number(),
  toMs: z.number().nullable(),
  ...choice,
});
export type GrowthPart = z.infer<typeof GrowthPart>;

/** A restart of the agent while the growth ran, and what the operator said to it; null: not answered yet. */
const GrowthRestart = z.object({
  atMs: z.number(),
  answer: z.enum(['continue', 'new']).nullable(),
  answeredMs: z.number().nullable(),
});

export const Growth = z.object({
  id: z.string(),
  startedMs: z.number(),
  /** `by hand`, or the file that started it. */
  startCause: z.string(),
  endedMs: z.number().nullable(),
  endCause: z.string(),
  /** The name in the file that started it, by which its end is known; null: none did. */
  fileName: z.string().nullable(),
  parts: z.array(GrowthPart).min(1),
  restarts: z.array(GrowthRestart),
});
export type Growth = z.infer<typeof Growth>;

/** What a person chose, whole. */
export type GrowthChoice = Pick<GrowthPart, 'name' | 'sampleId' | 'newSampleName' | 'projectId'>;

/**
 * The part that runs, or ran last.
 *
 * @throws RangeError for a growth without a part, which no growth is.
 */
export function lastPart(growth: Growth): GrowthPart {
  const part = growth.parts.at(-1);
  if (!part) throw new RangeError(`growth ${growth.id} has no part`);
  return part;
}

/** A stream of a growth, as the growth shows it. */
export interface GrowthStream {
  readonly id: number;
  readonly part: string;
  readonly sourceId: string;
  readonly name: string;
  readonly dataId: string | null;
  /** Which service has its entry; null: none was asked for one. */
  readonly service: string | null;
  /** The service may know it already: nothing of its entry can be changed. */
  readonly isSent: boolean;
  readonly isClosed: boolean;
  readonly isDelivered: boolean;
  readonly points: number;
  readonly pointsAcknowledged: number;
  readonly pointsRefused: number;
  /** Of the refused, those that were sent again in another stream. */
  readonly pointsResent: number;
  readonly firstReadingMs: number | null;
  readonly lastReadingMs: number | null;
}

/** A page of growths, newest first. */
export interface GrowthPage {
  readonly growths: readonly Growth[];
  /** Where the next page begins; null: there is none. */
  readonly next: number | null;
}

/** Who tells the marks that an operator writes; no source can have this name. */
export const NOTES_SOURCE = '(notes)';
/** Source of marks that say what limits of channels did. */
export const LIMITS_SOURCE = '(limits)';
