// Alarms that leave this PC: a test of the ways that the settings name.
import { z } from 'zod';
import { call, nothing } from './row.ts';

export const alarm = {
  /**
   * Send a test alarm by every way; empty: the settings name none.
   *
   * @throws `settings.none` in a trial and before the first settings; `agent.not-running`.
   */
  test: call(
    nothing,
    z.array(
      z.object({
        way: z.enum(['webhook', 'e-mail']),
        to: z.string().describe('who should have got it'),
        error: z.object({ message: z.string(), hint: z.string() }).nullable().describe('null: it was sent'),
      }),
    ),
  ),
} as const;
