// Questions to the service that the agent stops asking when nobody on the screen waits for them any more.
import type { Answer } from '../../src-main/contract/table.ts';
import { agent } from '../bridge.ts';
import { ask } from './ask.ts';

let asked = 0;
/** Other windows of the same agent count for themselves. */
const origin = Math.random().toString(36).slice(2);

/** Make a name for a question, unlike that of any other. */
export const makeTicket = (): string => `${origin}-${++asked}`;

/**
 * Ask something that the agent may give up.
 *
 * @param signal - the signal of the query that wants it.
 * @param call - the call with its ticket.
 * @returns the value.
 * @throws CallFailure; also when the query was ended.
 */
export async function askUntil<V>(signal: AbortSignal, call: (ticket: string) => Promise<Answer<V>>): Promise<V> {
  const ticket = makeTicket();
  const giveUp = () => void agent.catalogue.giveUp({ ticket });
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await ask(call(ticket));
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
