// A look at a counter before its source is saved: the entry as it would stand in the settings, and what it sees now.
import type { Argument, Value } from '../contract/table.ts';
import { FPS_MAX } from '../model/rheed-session.ts';
import type { Clock } from '../platform/clock.ts';
import type { RheedSourceSettings } from '../settings/settings.ts';
import { type CounterPreview, previewCounter } from '../sources/rheed/preview.ts';
import { openCounterPort } from './counter-port.ts';
import { parseEntry } from './parse-entry.ts';
import { viewRotation } from './rotation-view.ts';

type Entry = Argument<'rheed', 'preview'>['entry'];

/** Look at the counter of a source for some seconds. Nothing is written; what stands in the way is its `problem`. */
export function lookAtSource(source: RheedSourceSettings, clock: Clock): Promise<CounterPreview> {
  const { counter, timeZone } = source;
  const openPort = (port: string) =>
    openCounterPort({ baud: 9600, ask: null, ...(counter.type === 'serial' ? counter : {}), port, clock });
  return previewCounter({ counter, timeZone, clock, openPort });
}

/** Say what a session would be refused for at the rate that is counted; null: nothing. */
export function tellRate(fps: number | null, perSecond: number): { message: string; hint: string } | null {
  if (fps !== null || perSecond <= FPS_MAX) return null;
  return {
    message: `About ${perSecond.toFixed(1)} frames per second are counted; a RHEED session takes at most ${FPS_MAX}.`,
    hint: 'Set fps_capture_rate to the rate the service shall see.',
  };
}

/**
 * Look at what a source of kind rheed would count.
 *
 * **Takes**: the entry as it stands in the settings; paths count from the settings file. **Gives**: what is seen, for about
 * two seconds and at most some ten.
 * **Errors**: `source.invalid` with the field.
 */
export async function previewEntry(
  entry: Entry,
  settingsFile: string,
  clock: Clock,
): Promise<Value<'rheed', 'preview'>> {
  const other = { message: 'only a frame counter is looked at so', hint: 'Choose kind rheed.' };
  const source = parseEntry(entry, settingsFile, 'rheed', other);
  const { seen, frames, overMs, problem, hint } = await lookAtSource(source, clock);
  const perSecond = overMs > 0 ? (frames * 1000) / overMs : null;
  const told = tellRate(source.fps, perSecond ?? 0);
  const fps = source.fps ?? (perSecond === 0 ? null : perSecond);
  return {
    ...{ seen: [...seen], frames, perSecond, problem, hint },
    warnings: told ? [told] : [],
    rotation: viewRotation({ rpm: source.rotationRpm, fps, settings: null }),
  };
}
