// The service that this agent delivers to.
import { z } from 'zod';
import { call, nothing, text } from './row.ts';

export const service = {
  /** Keep a new API key and try it at once. It goes in only: nothing ever tells it back. */
  keepKey: call(z.object({ apiKey: text(1000).min(1) }), nothing),
} as const;
