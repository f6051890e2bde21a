// Sending can be paused by a person, for example while the line is needed by others. A pause ends with the run: one that
// was forgotten must not keep data from the service for ever.
import { ServiceError } from '../../delivery/client/service-error.ts';
import type { UploadService } from '../../delivery/upload/ports.ts';
import { gateService } from './gate.ts';

/** How often it is asked whether the pause is over, milliseconds; going on is also told at once. */
const ASK_AGAIN_MS = 5000;

/** The switch that a person sets. */
export class Pause {
  #sinceMs: number | null = null;

  /** Since when sending is paused, Unix milliseconds; null: it is not. */
  get sinceMs(): number | null {
    return this.#sinceMs;
  }

  begin(nowMs: number): void {
    this.#sinceMs ??= nowMs;
  }

  end(): void {
    this.#sinceMs = null;
  }
}

/**
 * Keep everything back from the service while sending is paused. Capture does not pass through here, and a request under
 * way is brought to its end.
 *
 * @param pause - the switch.
 * @returns the same calls; each rejects with `service.paused`, nothing sent, while it is paused.
 */
export function gateByPause<S extends UploadService>(service: S, pause: Pause): S {
  return gateService(service, async () => {
    if (pause.sinceMs === null) return;
    throw new ServiceError({
      code: 'service.paused',
      message: 'Sending is paused.',
      hint: 'Resume sending from the tray or the page Now.',
      failure: { kind: 'not-sent', cause: 'asked-to-wait', afterMs: ASK_AGAIN_MS },
    });
  });
}
