// The streams of this queue.
import { z } from 'zod';
import { RefusedPart, Resent, SendAgain, SendAsNew } from './refused.ts';
import { call } from './row.ts';

export const stream = {
  /** What the service refused of a stream, the first 1000 chunks. */
  refused: call(z.object({ streamId: z.int().positive() }), z.array(RefusedPart)),
  /** Send refused chunks again as they are: the service was mended. */
  sendAgain: call(SendAgain, Resent),
  /** Send the points of refused chunks as a corrected stream; the chunks stay refused and name it. */
  sendAsNew: call(SendAsNew, Resent),
} as const;
