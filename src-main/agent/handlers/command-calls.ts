// The calls of the contract that a command of this PC may make of a running agent. They are the screen's own: the same
// arguments, the same handlers, the same answers.
import { z } from 'zod';
import { dispatch } from '../../contract/dispatch.ts';
import { calls, type Handlers } from '../../contract/table.ts';
import { AgentError } from '../../model/agent-error.ts';

const { growth, heldSource, rheed } = calls;

export const CommandCall = z.discriminatedUnion('call', [
  z.object({ call: z.literal('growth.read'), argument: growth.read.argument }),
  z.object({ call: z.literal('growth.start'), argument: growth.start.argument }),
  z.object({ call: z.literal('growth.change'), argument: growth.change.argument }),
  z.object({ call: z.literal('growth.end'), argument: growth.end.argument }),
  z.object({ call: z.literal('growth.note'), argument: growth.note.argument }),
  z.object({ call: z.literal('growth.answer'), argument: growth.answer.argument }),
  z.object({ call: z.literal('heldSource.list'), argument: heldSource.list.argument }),
  z.object({ call: z.literal('heldSource.look'), argument: heldSource.look.argument }),
  z.object({ call: z.literal('heldSource.answer'), argument: heldSource.answer.argument }),
  z.object({ call: z.literal('rheed.listSessions'), argument: rheed.listSessions.argument }),
  z.object({ call: z.literal('rheed.start'), argument: rheed.start.argument }),
  z.object({ call: z.literal('rheed.end'), argument: rheed.end.argument }),
  z.object({ call: z.literal('rheed.retry'), argument: rheed.retry.argument }),
]);
export type CommandCall = z.infer<typeof CommandCall>;

/**
 * Answer a command as the screen is answered.
 *
 * @throws those of the call.
 */
export async function answerCall({ call, argument }: CommandCall, handlers: Handlers): Promise<unknown> {
  const answer = await dispatch(handlers, call, argument, 'the command line');
  if (answer.ok) return answer.value;
  throw new AgentError(answer.error);
}
