// The service that this agent delivers to.
import { z } from 'zod';
import { call, nothing, text } from './row.ts';

export const service = {
  /** Keep a new API key and try it at once. It goes in only: nothing ever tells it back. */
  keepKey: call(z.object({ apiKey: text(1000).min(1) }), nothing),
  /** Send nothing until it goes on, or until the next start; what is captured waits here. */
  pause: call(nothing, nothing),
  goOn: call(nothing, nothing),
} as const;
