// What holds for sessions before anything is done for them: what they know of counters and settings, what a person may
// choose, and which of them must wait for another. Pure.
import { AgentError, refuse } from '../../model/agent-error.ts';
import { FPS_MAX, type RheedSession } from '../../model/rheed-session.ts';

/** So long frames come before their rate is sent, unless the session ends before, milliseconds. */
const RATE_SETTLED_MS = 10_000;

/** How a counter stands, as far as sessions need it. */
export interface CounterState {
  readonly counted: number;
  /** Frames per second of the run that counts now, or of the last one before a standstill; null: not known yet. */
  readonly cameraRate: number | null;
  readonly isStill: boolean;
  /** When it began to count after standing still, and what was counted until then; null before the first frame. */
  readonly beganMs: number | null;
  readonly beganCounted: number;
  readonly lastFrameMs: number | null;
  readonly atMs: number;
}

/** What the settings say of a source's sessions. */
export interface SessionRule {
  readonly sourceId: string;
  /** Null: as measured. */
  readonly fps: number | null;
  readonly rpm: number | null;
  readonly projectId: string | null;
  readonly start: 'by-hand' | 'by-counter';
  readonly endAfterSilenceMs: number | null;
}

/** What a person chooses; absent: as the settings say, or nothing. */
export interface SessionChoice {
  readonly projectId?: string | null;
  readonly sampleId?: string | null;
  readonly newSampleName?: string | null;
  /** Part of a growth that it belongs to, and the name of that growth; absent: none, empty: not named. */
  readonly growth?: string;
  readonly title?: string;
}

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

/** A sample is chosen by its id or named to be created, never both. */
export function checkSample({ sampleId, newSampleName }: SessionChoice): void {
  if (sampleId == null || newSampleName == null) return;
  throw refuse(
    'rheed.sample-twice',
    `A sample was chosen (${sampleId}) and another is to be created ("${newSampleName}").`,
    'Give one of the two.',
  );
}

/** A session that waits for a rate takes the one that was set meanwhile, as long as none went out. */
export function withSetRate(session: RheedSession, rules: readonly SessionRule[]): RheedSession {
  const fps = rules.find(({ sourceId }) => sourceId === session.sourceId)?.fps ?? null;
  if (fps === null || session.isStartSent || session.dataId !== null || !session.isFpsMeasured) return session;
  return { ...session, fps, isFpsMeasured: false, problem: '', hint: '' };
}

/** The rate that a counter was measured at, to a thousandth; null: not known. */
export function measuredRate({ cameraRate }: CounterState): number | null {
  return cameraRate === null ? null : Math.round(cameraRate * 1000) / 1000;
}

/** Whether frames came for so long that their rate gets no better: the service never takes another one. */
export function isRateSettled({ beganMs, lastFrameMs, isStill }: CounterState): boolean {
  return !isStill && beganMs !== null && lastFrameMs !== null && lastFrameMs - beganMs >= RATE_SETTLED_MS;
}

/** Say whether another session may be making the sample that this one names: two starts could make two of them. */
export function isSampleUnderWay(session: RheedSession, all: readonly RheedSession[]): boolean {
  const { nonce, newSampleName, sampleId, dataId, isStartSent } = session;
  if (newSampleName === null || sampleId !== null || dataId !== null || isStartSent) return false;
  return all.some(
    (other) =>
      other.nonce !== nonce &&
      other.newSampleName === newSampleName &&
      other.isStartSent &&
      other.sampleId === null &&
      other.problem === '',
  );
}

/**
 * Put a late choice over a session whose start was not sent.
 *
 * @returns the session changed; the very same where a growth says again what it carries already.
 */
export function changeSession(
  session: RheedSession,
  { growth, projectId, sampleId, newSampleName }: SessionChoice,
  name: string,
  rule: SessionRule,
): RheedSession {
  const isSampleGiven = sampleId !== undefined || newSampleName !== undefined;
  const changed = {
    ...session,
    name,
    ...(isSampleGiven ? { sampleId: sampleId ?? null, newSampleName: newSampleName ?? null } : {}),
    // A growth without a project leaves it to the settings, as at the start.
    ...(projectId === undefined ? {} : { projectId: projectId ?? (growth === undefined ? null : rule.projectId) }),
  };
  const isSameSample =
    changed.sampleId === session.sampleId &&
    (changed.sampleId !== null || changed.newSampleName === session.newSampleName);
  const isSame = changed.name === session.name && changed.projectId === session.projectId && isSameSample;
  return growth !== undefined && isSame ? session : changed;
}
