import { AgentError } from '../../model/agent-error.ts';
import { FPS_MAX } from '../../model/rheed-session.ts';

/**
 * Refuse a frame rate that the service does not take, before anything is sent.
 *
 * @param fps - frames per second.
 * @param from - whether they were measured or set.
 * @throws `rheed.rate`, which names the rate and the limit.
 */
export function checkRate(fps: number, from: 'measured' | 'set'): void {
  if (fps > 0 && fps <= FPS_MAX) return;
  const limit = fps > FPS_MAX ? `at most ${FPS_MAX}` : 'more than 0';
  throw new AgentError({
    code: 'rheed.rate',
    message: `The service takes ${limit} frames per second; ${Math.round(fps * 1000) / 1000} are ${from}.`,
    hint: 'No session was started; frames are counted anyway. Set fps_capture_rate to the rate at which the service is to see it.',
    retry: 'after-human',
  });
}
