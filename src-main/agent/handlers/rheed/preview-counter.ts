// A look at a counter before its source is saved: the entry as it would stand in the settings, and what it sees now.

import { dirname, resolve } from 'node:path';
import type { Argument, Value } from '../../../contract/table.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type ProposedNames, proposeFor } from '../../../sources/rheed/preview.ts';
import { lookAtCounter, tellRate } from '../../check/look-at-counter.ts';
import { parseEntry } from '../source/parse-entry.ts';
import { viewRotation } from './rotation-view.ts';

type Entry = Argument<'rheed', 'preview'>['entry'];

/**
 * Look at what a source of kind rheed would count. Takes the entry as it stands in the settings; paths count from the
 * settings file.
 *
 * @returns what is seen, for about three seconds and at most some ten.
 * @throws `source.invalid` with the field.
 */
export async function previewEntry(
  entry: Entry,
  settingsFile: string,
  clock: Clock,
): Promise<Value<'rheed', 'preview'>> {
  const other = { message: 'only a frame counter is looked at so', hint: 'Choose kind rheed.' };
  const source = parseEntry(entry, settingsFile, 'rheed', other);
  const { seen, frames, rate, problem, hint } = await lookAtCounter(source, clock);
  const told = tellRate(source.fps, rate?.perSecond ?? 0);
  const fps = source.fps ?? rate?.perSecond ?? null;
  return {
    seen: [...seen],
    frames,
    rate,
    problem,
    hint,
    warnings: told ? [told] : [],
    rotation: viewRotation({ rpm: source.rotationRpm, fps, settings: null }),
  };
}

type Question = Argument<'rheed', 'proposeNames'>;

/** Somebody waits for the answer, milliseconds. */
const PROPOSE_LIMIT_MS = 5000;

/**
 * Propose which files of a folder are frames. Takes the folder and a glob, and the settings file that paths count from.
 *
 * @throws those of `proposeFor`.
 */
export function proposeEntry({ folder, glob }: Question, settingsFile: string): Promise<ProposedNames> {
  const path = resolve(dirname(settingsFile), folder.trim());
  return proposeFor(path, glob.trim(), AbortSignal.timeout(PROPOSE_LIMIT_MS));
}
