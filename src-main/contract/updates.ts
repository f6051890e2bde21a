// Updates of the program itself, as the screen and the tray tell them.
import { z } from 'zod';

export const UpdatesView = z.object({
  state: z
    .enum(['off', 'idle', 'looking', 'ready', 'failed'])
    .describe('idle: there is none; ready: checked, on this disk, and waits for a quit'),
  text: z.string().describe('one sentence'),
  hint: z.string().describe('what to do; empty when nothing needs doing'),
  checkedMs: z.number().nullable().describe('when the server answered last, Unix time, milliseconds; null: not yet'),
  version: z.string().nullable().describe('the version that is ready; null: none'),
});
export type UpdatesView = z.infer<typeof UpdatesView>;
