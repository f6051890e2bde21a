import { ServiceError } from '../../delivery/client/service-error.ts';
import type { UploadService } from '../../delivery/upload/ports.ts';
import { formatSecond } from '../../model/format.ts';
import { gateService } from './gate.ts';

/** How often it is tried again while the clock cannot be right, milliseconds; it is also tried once the clock is. */
const TRY_AGAIN_MS = 5000;

/**
 * Keep everything back from the service while the wall clock cannot be right: an entry made in 2006 stays in the catalogue
 * for ever, and no certificate is valid then. Capture does not pass through here.
 *
 * @param wrongMs - what the clock shows while it cannot be right (null: it can).
 * @returns the same calls; each rejects with `clock.upload-waits`, nothing sent, while the clock cannot be right.
 */
export function gateByClock<S extends UploadService>(service: S, wrongMs: () => number | null): S {
  return gateService(service, async () => {
    const nowMs = wrongMs();
    if (nowMs === null) return;
    throw new ServiceError({
      code: 'clock.upload-waits',
      message: `The PC clock shows ${formatSecond(nowMs)}, which cannot be right: capture runs, upload waits.`,
      hint: "Set the PC's date and time; sending then continues automatically.",
      failure: { kind: 'not-sent', cause: 'asked-to-wait', afterMs: TRY_AGAIN_MS },
    });
  });
}
