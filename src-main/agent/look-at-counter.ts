// A frame counter for `check`: what is there, whether it counts now, and whether its rate is one that a session takes.

import type { Clock } from '../platform/clock.ts';
import type { Finding } from '../settings/finding.ts';
import type { RheedSourceSettings } from '../settings/settings.ts';
import { lookAtSource, tellRate } from './preview-counter.ts';

/** Look at a counter for some seconds. **Gives**: one finding, or two when its rate is too high for a session. */
export async function lookAtCounter(source: RheedSourceSettings, clock: Clock): Promise<Finding[]> {
  const subject = `source ${source.id}`;
  const { seen, frames, overMs, problem, hint } = await lookAtSource(source, clock);
  if (problem !== '') return [{ level: 'error', subject, message: [problem, ...seen].join(' '), hint }];
  const perSecond = overMs > 0 ? (frames * 1000) / overMs : 0;
  const counting =
    frames > 0 ? `It counts now: about ${perSecond.toFixed(1)} frames per second.` : 'It does not count now.';
  const there = seen.length === 0 ? 'Nothing is there yet.' : `${seen.join('; ')}.`;
  const findings: Finding[] = [
    {
      level: seen.length === 0 ? 'warning' : 'ok',
      subject,
      message: `${there} ${counting}`,
      hint: seen.length === 0 ? 'Right if the camera has not written yet; else check path and match.' : '',
    },
  ];
  const told = tellRate(source.fps, perSecond);
  if (told) findings.push({ level: 'warning', subject, ...told });
  return findings;
}
