// A frame counter for `check`: what is there, whether it counts now, and whether its rate is one that a session takes.
import type { Clock } from '../../platform/clock.ts';
import type { RheedSourceSettings } from '../../settings/settings.ts';
import type { Finding } from './finding.ts';
import { lookAtCounter, rateOf, tellRate } from './look-at-counter.ts';

/**
 * Look at a counter for some seconds.
 *
 * @returns one finding, or two when its rate is too high for a session.
 */
export async function checkCounter(source: RheedSourceSettings, clock: Clock): Promise<Finding[]> {
  const subject = `source ${source.id}`;
  const look = await lookAtCounter(source, clock);
  const { seen, frames, problem, hint } = look;
  if (problem !== '') return [{ level: 'error', subject, message: [problem, ...seen].join(' '), hint }];
  const perSecond = rateOf(look) ?? 0;
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
