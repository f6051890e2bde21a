// A look at a frame counter with nobody behind it who stores anything, and what its rate means for a session.
import { FPS_MAX } from '../../model/rheed-session.ts';
import type { Clock } from '../../platform/clock.ts';
import type { RheedSourceSettings } from '../../settings/settings.ts';
import { counterPortOpener } from '../../sources/counter-port.ts';
import { type CounterPreview, previewCounter } from '../../sources/rheed/preview.ts';

/** Look at the counter of a source for some seconds. Nothing is written; what stands in the way is its `problem`. */
export function lookAtCounter(source: RheedSourceSettings, clock: Clock): Promise<CounterPreview> {
  const { counter, timeZone } = source;
  return previewCounter({ counter, timeZone, clock, openPort: counterPortOpener(counter, clock) });
}

/** Write a rate with the digits that are known: "10.0", "about 30". */
export function formatRate({ perSecond, uncertainty }: NonNullable<CounterPreview['rate']>): string {
  return uncertainty < 0.1 ? perSecond.toFixed(1) : `about ${perSecond.toFixed(uncertainty < 0.5 ? 1 : 0)}`;
}

/** Say what a session would be refused for at the rate that is counted; null: nothing. */
export function tellRate(fps: number | null, perSecond: number): { message: string; hint: string } | null {
  if (fps !== null || perSecond <= FPS_MAX) return null;
  return {
    message: `About ${perSecond.toFixed(1)} frames per second are counted; a RHEED session takes at most ${FPS_MAX}.`,
    hint: 'Set fps_capture_rate to the rate the service shall see.',
  };
}
