import type { GrowthPart } from '../model/growth.ts';
import type { RheedSession } from '../model/rheed-session.ts';
import type { Told } from './match-sessions.ts';

/**
 * Say what the streams of a part wait for before they can be sent.
 *
 * **Takes**: the part, the RHEED sessions of it, and what could not be begun. **Gives**: null when they wait for nothing.
 */
export function waitOf(
  { newSampleName, sampleId }: GrowthPart,
  sessions: readonly RheedSession[],
  problems: readonly Told[],
): Told | null {
  if (newSampleName === null || sampleId !== null) return null;
  const what = `The sample "${newSampleName}" is made with the start of a RHEED session`;
  const best =
    sessions.find(({ dataId }) => dataId !== null) ?? sessions.find(({ problem }) => problem === '') ?? sessions[0];
  if (!best) {
    const [problem] = problems;
    if (problem) return { message: `${what}, which could not begin: ${problem.message}`, hint: problem.hint };
    return { message: `${what}, which has not begun yet.`, hint: '' };
  }
  const { sourceId, problem, hint, fps, dataId } = best;
  if (problem !== '') return { message: `${what}; that of ${sourceId} is held: ${problem}`, hint };
  if (dataId !== null) return { message: `The id of the sample "${newSampleName}" is being read back.`, hint: '' };
  if (fps !== null) return { message: `${what}; that of ${sourceId} waits for the service.`, hint: '' };
  return {
    message: `${what}; that of ${sourceId} waits until 10 s of frames were counted.`,
    hint: 'Start the camera, set fps_capture_rate, or choose a sample that the service knows.',
  };
}
