// What the streams of a part wait for, as text: the id of a sample that a RHEED session makes.
import type { GrowthPart } from '../model/growth.ts';
import type { RheedSession } from '../model/rheed-session.ts';
import type { Told, Wait } from './ports.ts';

const CHOOSE_ANOTHER = 'Choose a sample that the service knows, or none, for this growth.';

/**
 * Say what the streams of a part wait for before they can be sent.
 *
 * @param growthPart - the part.
 * @param sessions - the RHEED sessions of it.
 * @param problems - what could not be begun.
 * @returns null when they wait for nothing.
 */
export function waitOf(
  { newSampleName, sampleId, toMs }: GrowthPart,
  sessions: readonly RheedSession[],
  problems: readonly Told[],
): Wait | null {
  if (newSampleName === null || sampleId !== null) return null;
  const what = `The sample "${newSampleName}" is made with the start of a RHEED session`;
  const best =
    sessions.find(({ dataId }) => dataId !== null) ?? sessions.find(({ problem }) => problem === '') ?? sessions[0];
  if (!best) {
    // Sessions are begun with the part that runs only, and problems are of that part.
    if (toMs !== null) return { message: `${what}, and none was begun.`, hint: CHOOSE_ANOTHER, isForPerson: true };
    const [problem] = problems;
    if (!problem) return { message: `${what}, which has not begun yet.`, hint: '', isForPerson: false };
    const { message, hint } = problem;
    return { message: `${what}, which could not begin: ${message}`, hint, isForPerson: true };
  }
  const { sourceId, problem, hint, fps, dataId } = best;
  if (problem !== '') {
    return { message: `${what}; that of ${sourceId} is held: ${problem}`, hint, isForPerson: true };
  }
  const itself = { hint: '', isForPerson: false };
  if (dataId !== null) return { message: `The id of the sample "${newSampleName}" is being read back.`, ...itself };
  if (fps !== null) return { message: `${what}; that of ${sourceId} waits for the service.`, ...itself };
  return {
    message: `${what}; that of ${sourceId} waits until 10 s of frames were counted.`,
    hint: 'Start the camera, set fps_capture_rate, or choose a sample that the service knows.',
    isForPerson: false,
  };
}
