import type { RheedSession } from '../../model/rheed-session.ts';
import type { SessionChoice, SessionRule } from './session-rules.ts';

/**
 * Make a session that begins, as it is put on disk before anything of it is sent.
 *
 * @param facts - what is known of it at its beginning.
 * @param rule - the settings of its source.
 * @param choice - what was chosen for it.
 */
export function newSession(
  facts: Pick<RheedSession, 'nonce' | 'sourceId' | 'name' | 'startedMs' | 'fps' | 'framesAtStart'>,
  rule: Pick<SessionRule, 'fps' | 'rpm' | 'projectId'>,
  choice: SessionChoice,
): RheedSession {
  return {
    ...facts,
    growth: choice.growth ?? null,
    endedMs: null,
    endCause: '',
    isFpsMeasured: rule.fps === null,
    rpm: rule.rpm,
    projectId: choice.projectId ?? rule.projectId,
    sampleId: choice.sampleId ?? null,
    newSampleName: choice.newSampleName ?? null,
    framesAtEnd: null,
    isStartSent: false,
    dataId: null,
    service: null,
    settings: null,
    differences: [],
    metadata: null,
    finalize: 'none',
    problem: '',
    hint: '',
    isDone: false,
  };
}
