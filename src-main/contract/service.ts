// The service that this agent delivers to.
import { z } from 'zod';
import { call, nothing, text } from './row.ts';

export const service = {
  /** Keep a new API key and try it at once. It goes in only: nothing ever tells it back. */
  keepKey: call(z.object({ apiKey: text(1000).min(1) }), nothing),
  /** Send nothing until it goes on, or until the next start; what is captured waits here. */
  pause: call(nothing, nothing),
  goOn: call(nothing, nothing),
  /** Say what becomes of what waits for a service that the settings no longer name. */
  chooseFormer: call(
    z.object({
      service: text(2000).min(1).describe('as the snapshot names it'),
      way: z.enum(['send', 'move', 'keep']).describe('send: there; move: to the service named now; keep: here'),
      apiKey: text(1000).describe('key of that service, with `send`; empty: the one that is known'),
    }),
    nothing,
  ),
} as const;
