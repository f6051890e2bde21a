// A disk that is full or does not answer at the start may take data a minute later, and nobody may be there to start again.
import { setTimeout as sleep } from 'node:timers/promises';
import { type AgentError, toAgentError } from '../model/agent-error.ts';

/** How often it is tried again, seconds. */
export const TRY_EVERY_S = 5;

/**
 * Do something, again and again while what keeps it from being done may pass.
 *
 * @param isPassing - which faults may pass.
 * @param onWait - what is notified of the first of them.
 * @param ended - what ends the waiting.
 * @returns what the work gave.
 * @throws that of the work: the last one when the waiting ends, one that does not pass at once.
 */
export async function tryPatiently<T>(
  work: () => Promise<T>,
  isPassing: (fault: AgentError) => boolean,
  onWait: (fault: AgentError) => void,
  ended: Promise<unknown>,
): Promise<T> {
  const end = ended.then(() => true);
  for (let isFirst = true; ; isFirst = false) {
    let fault: AgentError;
    try {
      return await work();
    } catch (thrown) {
      fault = toAgentError(thrown);
    }
    if (!isPassing(fault)) throw fault;
    if (isFirst) onWait(fault);
    const stop = new AbortController();
    const pause = sleep(TRY_EVERY_S * 1000, false, { signal: stop.signal });
    const isEnded = await Promise.race([end, pause]).finally(() => stop.abort());
    if (isEnded) throw fault;
  }
}
