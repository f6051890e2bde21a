// RHEED sessions: what is shown of them, and what a person may do.
import { z } from 'zod';
import { call, nothing, text } from './row.ts';

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
  projectId: z.string().nullable(),
  sampleId: z.string().nullable(),
  newSampleName: z.string().nullable(),
  frames: z.int().nullable().describe('counted while it ran; null: it runs'),
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
  listSessions: call(nothing, z.array(RheedSessionView)),
  start: call(z.object({ sourceId: text(64), ...sessionChoice }), RheedSessionView),
  /** Choose sample or project late: until the start is sent. */
  change: call(z.object({ nonce: text(64), ...sessionChoice }), RheedSessionView),
  end: call(z.object({ sourceId: text(64) }), RheedSessionView.nullable()),
} as const;
