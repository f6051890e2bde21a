// What the service says of a session, compared with what was sent.
import type { RheedSession } from '../../model/rheed-session.ts';
import { readPeriod, rotationFields } from '../../model/rotation.ts';
import type { SettingsAnswer } from './ports.ts';

/**
 * Compare the settings that were read back with those that were sent.
 *
 * @returns a sentence for each difference, both values named; empty when all is as it was sent. A period may come back in
 *   seconds or in frames a turn: both are right.
 */
export function compareSettings(session: RheedSession & { readonly fps: number }, answer: SettingsAnswer): string[] {
  const { name, fps, projectId, sampleId, newSampleName, rpm } = session;
  const differences: string[] = [];
  const expect = (field: string, sent: string | number | null, back: string | number | null | undefined) => {
    if ((back ?? null) !== sent)
      differences.push(`${field}: sent ${sent ?? 'nothing'}, the service has ${back ?? 'nothing'}`);
  };
  expect('data_item_name', name, answer.data_item_name);
  expect('fps_capture_rate', fps, answer.fps_capture_rate);
  expect('project_id', projectId, answer.project_id);
  if (sampleId !== null) expect('physical_sample_id', sampleId, answer.physical_sample_id);
  else if (newSampleName !== null && !answer.physical_sample_id) {
    differences.push(`physical_sample_id: sample "${newSampleName}" was to be created, the service has nothing`);
  } else if (newSampleName === null) expect('physical_sample_id', null, answer.physical_sample_id);
  const fields = rpm === null ? null : rotationFields(rpm);
  expect('rotations_per_min', fields?.rotations_per_min ?? null, answer.rotations_per_min);
  const { rotational_period: back } = answer;
  if (fields === null || back == null) expect('rotational_period', fields?.rotational_period ?? null, back);
  else if (readPeriod(back, fields.rotational_period, fps) === 'differs') {
    const sent = fields.rotational_period;
    differences.push(
      `rotational_period: sent ${sent.toFixed(4)} s (${(sent * fps).toFixed(2)} frames), the service has ${back}, which is neither`,
    );
  }
  return differences;
}
