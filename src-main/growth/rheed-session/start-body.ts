import type { RheedSession } from '../../model/rheed-session.ts';
import { rotationFields, rotationOf, roundingDrift } from '../../model/rotation.ts';
import type { StartBody } from './ports.ts';

/**
 * What is sent to start a session: seconds a turn, a whole number of turns per minute, and of the sample either its id or a
 * name to create, never both.
 */
export function startBody(session: RheedSession & { readonly fps: number }): StartBody {
  const { name, fps, projectId, sampleId, newSampleName, rpm } = session;
  const sample =
    sampleId !== null
      ? { physical_sample_id: sampleId }
      : newSampleName !== null
        ? { create_physical_sample_name: newSampleName }
        : {};
  return {
    data_item_name: name,
    fps_capture_rate: fps,
    ...(projectId === null ? {} : { project_id: projectId }),
    ...sample,
    ...(rpm === null ? {} : rotationFields(rpm)),
  };
}

/** Which field goes out in which unit, and what rounding does, in a sentence; empty for a sample that does not turn. */
export function tellRotation({ rpm, fps }: Pick<RheedSession, 'rpm' | 'fps'>): string {
  if (rpm === null || fps === null) return '';
  const { secondsPerTurn, framesPerTurn } = rotationOf(rpm, fps);
  const { rotations_per_min: whole } = rotationFields(rpm);
  const units = `${rpm} rpm = ${secondsPerTurn.toFixed(3)} s = ${framesPerTurn.toFixed(1)} frames a turn`;
  if (whole === undefined) return `${units}; sent in seconds only, as the speed rounds to 0.`;
  const { degreesPerTurn, degreesPerMinute } = roundingDrift(rpm, whole);
  const drift =
    whole === rpm
      ? ''
      : `: a picture that follows it drifts ${Math.abs(degreesPerTurn).toFixed(1)} degrees a turn, ${Math.abs(degreesPerMinute).toFixed(0)} a minute`;
  return `${units}; rotational_period is sent in seconds, rotations_per_min as ${whole}${drift}.`;
}
