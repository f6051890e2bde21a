// What is to be done for a session at the service, one step after the other: start it, read back what it is, end it there,
// read what became of its video. Each step is on disk before the next begins, and any of them may be repeated.

import { toAgentError } from '../../model/agent-error.ts';
import { formatCount } from '../../model/format.ts';
import type { News } from '../../model/news.ts';
import { framesOf, type RheedSession } from '../../model/rheed-session.ts';
import { readPeriod, rotationFields } from '../../model/rotation.ts';
import type { SessionClock, SessionService, SettingsAnswer } from './ports.ts';
import { ensureSessionEntry } from './session-entry.ts';
import { checkRate } from './session-rules.ts';
import { tellRotation } from './start-body.ts';

export interface WorkParts {
  readonly service: SessionService;
  readonly serviceAddress: string;
  /** Path template that ends a session; null: none. */
  readonly finalizePath: string | null;
  readonly clock: SessionClock;
  readonly keep: (change: Partial<RheedSession>) => Promise<RheedSession>;
  /** The session as it stands now: a person may have changed it meanwhile. */
  readonly current: () => RheedSession;
  /** The sample of that name which a session of this agent created; null: none did. */
  readonly ownSample: (name: string) => string | null;
  /** What it carries is being changed: nothing may go out before that is on disk. */
  readonly isHeld: () => boolean;
  readonly tell: (news: News) => void;
}

/** What a step came to. `later`: nothing can be done before something happens (the end, a processed video). */
export type StepResult = 'done' | 'step' | 'later';

/**
 * Do the next step for a session.
 *
 * @param session - the session as it stands on disk.
 * @returns `step` when something was done and more may follow.
 * @throws ServiceError of the call that failed; AgentError `after-human` when a person must decide.
 */
export async function nextStep(session: RheedSession, parts: WorkParts, signal: AbortSignal): Promise<StepResult> {
  const { serviceAddress } = parts;
  // An entry of another service is nothing that this one can be asked about.
  if (session.service !== null && session.service !== serviceAddress) return 'later';
  if (session.dataId === null) return start(session, parts, signal);
  if (session.settings === null) return readSettings(session, session.dataId, parts, signal);
  if (session.endedMs === null) return 'later';
  if (session.finalize === 'due') return finalize(session, session.dataId, parts, signal);
  if (session.metadata === null) return readMetadata(session, session.dataId, parts, signal);
  await parts.keep({ isDone: true });
  return 'done';
}

async function start(session: RheedSession, parts: WorkParts, signal: AbortSignal): Promise<StepResult> {
  const { fps } = session;
  if (fps === null) return 'later';
  checkRate(fps, session.isFpsMeasured ? 'measured' : 'set');
  const started = await ensureSessionEntry({ ...session, fps }, parts.serviceAddress, parts, signal);
  const message = `RHEED session "${started.name}" is known to the service at ${fps} frames per second. ${tellRotation(started)}`;
  parts.tell({ level: 'info', code: 'rheed.session-started', message: message.trimEnd(), hint: '' });
  return 'step';
}

async function readSettings(
  session: RheedSession,
  dataId: string,
  parts: WorkParts,
  signal: AbortSignal,
): Promise<StepResult> {
  const answer = await parts.service.readRheedSettings({ data_id: dataId }, { signal });
  const differences = compareSettings({ ...session, fps: session.fps ?? 0 }, answer);
  const sampleId = session.sampleId ?? answer.physical_sample_id ?? (await sampleOf(dataId, parts, signal));
  // A sample that was to be made has an id; a service that does not show it yet is asked again.
  if (session.newSampleName !== null && sampleId === null) return 'later';
  await parts.keep({ settings: { ...answer }, differences, sampleId });
  if (differences.length === 0) return 'step';
  parts.tell({
    level: 'warning',
    code: 'rheed.settings-differ',
    message: `RHEED session "${session.name}" is not at the service as it was sent: ${differences.join('; ')}.`,
    hint: 'No call changes a session: end it and start a new one if this matters.',
  });
  return 'step';
}

/** The sample that the start created, by the catalogue (4.8). */
async function sampleOf(dataId: string, { service }: WorkParts, signal: AbortSignal): Promise<string | null> {
  const entries = await service.listDataEntries({ data_ids: [dataId] }, { signal });
  return entries.find(({ data_id }) => data_id === dataId)?.physical_sample_id ?? null;
}

async function finalize(
  { name }: RheedSession,
  dataId: string,
  parts: WorkParts,
  signal: AbortSignal,
): Promise<StepResult> {
  if (parts.finalizePath === null) {
    await parts.keep({ finalize: 'none' });
    return 'step';
  }
  try {
    await parts.service.endStream({ path: parts.finalizePath, data_id: dataId }, { signal });
  } catch (thrown) {
    const { failure, status } = thrown as { failure?: { kind: string; reason?: string }; status?: number | null };
    const isRefused =
      failure?.kind === 'refused' || (failure?.kind === 'held' && failure.reason === 'target') || status === 409;
    if (!isRefused) throw thrown;
    await parts.keep({ finalize: 'refused' });
    const { code, message, hint } = toAgentError(thrown);
    parts.tell({
      level: 'warning',
      code,
      message: `RHEED session "${name}" could not be ended at the service: ${message}`,
      hint,
    });
    return 'step';
  }
  await parts.keep({ finalize: 'done' });
  return 'step';
}

async function readMetadata(
  session: RheedSession,
  dataId: string,
  parts: WorkParts,
  signal: AbortSignal,
): Promise<StepResult> {
  let found: { total_frames?: number | null | undefined } | undefined;
  try {
    [found] = await parts.service.readRheedMetadata({ data_ids: [dataId] }, { signal });
  } catch (thrown) {
    // Not processed yet is no fault: it is asked for again.
    const { failure } = thrown as { failure?: { kind: string; reason?: string } };
    if (failure?.kind === 'held' && failure.reason === 'target') return 'later';
    throw thrown;
  }
  if (!found) return 'later';
  await parts.keep({ metadata: { ...found } });
  const counted = framesOf(session);
  const total = found.total_frames ?? null;
  if (total === null) return 'step';
  const told = `${formatCount(total)} frames at the service`;
  if (counted === null) {
    const message = `RHEED session "${session.name}": ${told}; how many were counted here is not known.`;
    parts.tell({ level: 'info', code: 'rheed.frames-told', message, hint: '' });
    return 'step';
  }
  const both = `${told}, ${formatCount(counted)} counted here`;
  parts.tell(
    total === counted
      ? { level: 'info', code: 'rheed.frames-agree', message: `RHEED session "${session.name}": ${both}.`, hint: '' }
      : {
          level: 'warning',
          code: 'rheed.frames-differ',
          message: `RHEED session "${session.name}": ${both}, a difference of ${formatCount(Math.abs(total - counted))}.`,
          hint: 'The marks of the counter say when frames were lost. What the service shows was sent by the camera program.',
        },
  );
  return 'step';
}

/**
 * Compare the settings that were read back with those that were sent.
 *
 * @returns a sentence for each difference, both values named; empty when all is as it was sent. A period may come back in
 *   seconds or in frames a turn: both are right.
 */
function compareSettings(session: RheedSession & { readonly fps: number }, answer: SettingsAnswer): string[] {
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
