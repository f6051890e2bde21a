// Tells the service that a stream has ended, where the settings name a path for that. It is the last that is ever said of a
// stream, since afterwards the service takes nothing more for it. Saying it twice does no harm, so it needs no read-back.
// Only a stream is ended that began with that setting, that is acknowledged in full, of which nothing is refused, and whose
// read-back did not differ: what may still be repaired keeps it open.
//
// Bounds: one request at a time a stream, on the line that all share, behind what is still being written. What is ambiguous
// is tried again with the usual waits (60 s at most) and without a last try; a refusal is noted and is the end of it.
import { type AgentError, toAgentError } from '../../model/agent-error.ts';
import type { Failure } from '../client/failure.ts';
import { backoffMs } from './backoff.ts';
import type { Line } from './line.ts';
import { lineOutcome } from './line-outcome.ts';
import type { UploadClock, UploadQueue, UploadService } from './ports.ts';

export interface EndOptions {
  readonly queue: UploadQueue;
  readonly service: UploadService;
  readonly serviceAddress: string;
  readonly finalizePath: string | null;
  readonly clock: UploadClock;
  readonly random: () => number;
  readonly line: Line;
  /** The service refuses to end it, or the store failed; for the journal. */
  readonly onFailure: (error: AgentError) => void;
}

/**
 * End a delivered stream on the service. Takes the stream's id. Nothing happens when it is not to be ended, not delivered
 * whole, or belongs elsewhere.
 *
 * @returns fulfilled when the service agreed or refused, both noted on disk, or when it was stopped: then it is due at the next
 *   start.
 */
export async function endStream(streamId: number, options: EndOptions, signal: AbortSignal): Promise<void> {
  const { clock, random, onFailure } = options;
  for (let failures = 0; !signal.aborted; ) {
    try {
      if (await tryToEnd(streamId, options, signal)) return;
    } catch (thrown) {
      failures += 1;
      onFailure(toAgentError(thrown));
      await clock.sleep(backoffMs(failures, random()), signal);
    }
  }
}

/**
 * End a stream whose chunks are all delivered.
 * @returns true when nothing is left to do; false when the line held it back.
 */
async function tryToEnd(streamId: number, options: EndOptions, signal: AbortSignal): Promise<boolean> {
  const { queue, service, serviceAddress, finalizePath, line, onFailure } = options;
  const stream = await queue.streamToFinalize(streamId);
  if (!stream || finalizePath === null || stream.service !== serviceAddress) return true;
  if (!(await line.enter(signal, false))) return true;
  try {
    await service.endStream({ path: finalizePath, data_id: stream.dataId }, { signal });
    line.leave('through');
  } catch (thrown) {
    const error = toAgentError(thrown);
    const { failure, status } = thrown as { failure?: Failure; status?: number | null };
    const outcome = lineOutcome(failure, error);
    line.leave(outcome);
    if (typeof outcome === 'object') return false;
    if (outcome === 'unknown' && status !== 409) throw error;
    onFailure(error);
    await queue.setFinalized(streamId, error.message);
    return true;
  }
  await queue.setFinalized(streamId, null);
  return true;
}
