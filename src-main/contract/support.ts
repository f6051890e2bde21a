// Help: the file for support, and the drill that shows that nothing is lost without a network.
import { z } from 'zod';
import { call, nothing } from './row.ts';

const count = z.int().nonnegative();
const unixMs = z.number().describe('Unix time, milliseconds');

/** A drill: the embedded service refuses every connection for a while, as if the network were cut. */
const DrillView = z.object({
  state: z
    .enum(['cutting', 'cut', 'restoring', 'delivering', 'passed', 'failed'])
    .describe('passed: all that was captured up to the end of the cut is confirmed by the service'),
  startedMs: unixMs,
  /** When the service comes back by itself. */
  endsMs: unixMs,
  storedBefore: count.describe('points on this disk when the service went away'),
  acknowledgedBefore: count,
  storedAtEnd: count.nullable().describe('points on this disk when the service came back; null: it is away'),
  acknowledgedAtEnd: count.nullable(),
  stored: count.describe('now, of the streams that the drill looks at'),
  acknowledged: count.describe('now: what the service has confirmed'),
  message: z.string().describe('why it failed; empty otherwise'),
  hint: z.string(),
});

export const support = {
  /**
   * Make one file without data and without the key.
   *
   * @returns where it stands, and what is in it.
   */
  makeBundle: call(nothing, z.object({ path: z.string(), sizeBytes: count, parts: z.array(z.string()) })),
  /**
   * @throws `drill.no-embedded` where the data goes to a service elsewhere; `drill.running`.
   */
  startDrill: call(z.object({ seconds: z.int().min(5).max(300) }), DrillView),
  /** Null: there was none since the start. */
  readDrill: call(nothing, DrillView.nullable()),
  /** Let the service come back now. */
  endDrill: call(nothing, DrillView.nullable()),
} as const;
