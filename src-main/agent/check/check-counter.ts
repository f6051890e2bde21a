// A frame counter for `check`: what is there, whether it counts now, and whether its rate is one that a session takes.
import type { Clock } from '../../platform/clock.ts';
import type { RheedSourceSettings } from '../../settings/settings.ts';
import type { Finding } from './finding.ts';
import { formatRate, lookAtCounter, tellRate } from './look-at-counter.ts';

/**
 * Look at a counter for some seconds.
 *
 * @returns one finding, or two when its rate is too high for a session.
 */
export async function checkCounter(source: RheedSourceSettings, clock: Clock): Promise<Finding[]> {
  const subject = `source ${source.id}`;
  const { seen, frames, rate, problem, hint } = await lookAtCounter(source, clock);
  if (problem !== '') return [{ level: 'error', subject, message: [problem, ...seen].join(' '), hint }];
  const speed = rate === null ? 'too few frames to tell the rate' : `${formatRate(rate)} frames per second`;
  const counting = frames > 0 ? `It counts now: ${speed}.` : 'It does not count now.';
  const there = seen.length === 0 ? 'Nothing is there yet.' : `${seen.join('; ')}.`;
  const findings: Finding[] = [
    {
      level: seen.length === 0 ? 'warning' : 'ok',
      subject,
      message: `${there} ${counting}`,
      hint: seen.length === 0 ? 'Right if the camera has not written yet; else check path and match.' : '',
    },
  ];
  const told = tellRate(source.fps, rate?.perSecond ?? 0);
  if (told) findings.push({ level: 'warning', subject, ...told });
  return findings;
}
