import { ServiceError } from '../../delivery/client/service-error.ts';
import type { UploadService } from '../../delivery/upload/ports.ts';
import type { AgentError } from '../../model/agent-error.ts';
import { gateService } from './gate.ts';

/** How often it is tried again while the queue is away, milliseconds. */
const TRY_AGAIN_MS = 2000;

/**
 * Keep everything back from the service while the queue is not where it was opened: another agent may send the same data from
 * there, and what the service confirms may be noted in a file that nobody finds again. Capture does not pass through here.
 *
 * @param away - why the queue is away (null: it is not).
 * @returns the same calls; each rejects with the code of that, nothing sent, while the queue is away.
 */
export function gateByQueue<S extends UploadService>(service: S, away: () => Told | null): S {
  return gateService(service, async () => {
    const told = away();
    if (told === null) return;
    const { code, message, hint } = told;
    throw new ServiceError({
      code,
      message,
      hint,
      failure: { kind: 'not-sent', cause: 'asked-to-wait', afterMs: TRY_AGAIN_MS },
    });
  });
}

type Told = Pick<AgentError, 'code' | 'message' | 'hint'>;
