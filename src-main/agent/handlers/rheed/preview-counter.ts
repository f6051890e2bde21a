// A look at a counter before its source is saved: the entry as it would stand in the settings, and what it sees now.

import type { Argument, Value } from '../../../contract/table.ts';
import type { Clock } from '../../../platform/clock.ts';
import { lookAtCounter, rateOf, tellRate } from '../../check/look-at-counter.ts';
import { parseEntry } from '../source/parse-entry.ts';
import { viewRotation } from './rotation-view.ts';

type Entry = Argument<'rheed', 'preview'>['entry'];

/**
 * Look at what a source of kind rheed would count. Takes the entry as it stands in the settings; paths count from the
 * settings file.
 *
 * @returns what is seen, for about two seconds and at most some ten.
 * @throws `source.invalid` with the field.
 */
export async function previewEntry(
  entry: Entry,
  settingsFile: string,
  clock: Clock,
): Promise<Value<'rheed', 'preview'>> {
  const other = { message: 'only a frame counter is looked at so', hint: 'Choose kind rheed.' };
  const source = parseEntry(entry, settingsFile, 'rheed', other);
  const look = await lookAtCounter(source, clock);
  const { seen, frames, problem, hint } = look;
  const perSecond = rateOf(look);
  const told = tellRate(source.fps, perSecond ?? 0);
  const fps = source.fps ?? (perSecond === 0 ? null : perSecond);
  return {
    ...{ seen: [...seen], frames, perSecond, problem, hint },
    warnings: told ? [told] : [],
    rotation: viewRotation({ rpm: source.rotationRpm, fps, settings: null }),
  };
}
