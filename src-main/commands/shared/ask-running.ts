import { AgentError } from '../../model/agent-error.ts';
import { askAgent } from '../../platform/control.ts';

/**
 * Ask the agent that runs in a data folder, where nobody else can answer.
 *
 * @param command - the command that asks.
 * @param folder - the data folder.
 * @param question - a question of that command.
 * @returns the agent's answer, not checked.
 * @throws `<command>.no-agent` when none runs there; `agent.silent` after 10 s; the agent's own.
 */
export async function askRunning(command: string, folder: string, question: unknown): Promise<unknown> {
  const answer = await askAgent(folder, question);
  if (answer !== undefined) return answer;
  throw new AgentError({
    code: `${command}.no-agent`,
    message: `No agent runs in ${folder}.`,
    hint: 'Start it with "epistream run", or name its data folder with --data.',
  });
}
