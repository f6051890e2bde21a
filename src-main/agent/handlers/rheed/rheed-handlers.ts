// What the screen may ask of the RHEED sessions.
import type { Handlers, Value } from '../../../contract/table.ts';
import type { SessionManager } from '../../../growth/rheed-session/session-manager.ts';
import { framesOf, type RheedSession } from '../../../model/rheed-session.ts';
import type { HandlerParts } from '../handler-parts.ts';
import { previewEntry, proposeEntry } from './preview-counter.ts';
import { viewRotation } from './rotation-view.ts';

/** The calls for RHEED. `desk` throws while nothing runs; a counter is looked at all the same. */
export function rheedHandlers(
  desk: () => SessionManager,
  { settingsFile, clock }: Pick<HandlerParts, 'settingsFile' | 'clock'>,
): Handlers['rheed'] {
  return {
    preview: ({ entry }) => previewEntry(entry, settingsFile, clock),
    proposeNames: (question) => proposeEntry(question, settingsFile),
    listSessions: async () => desk().sessions.map(viewOf),
    start: async ({ sourceId, ...choice }) => viewOf(await desk().start(sourceId, chosen(choice))),
    change: async ({ nonce, ...choice }) => viewOf(await desk().change(nonce, chosen(choice))),
    end: async ({ sourceId }) => {
      const session = await desk().end(sourceId, 'by hand');
      return session && viewOf(session);
    },
    retry: async ({ nonce }) => viewOf(await desk().retry(nonce)),
  };
}

type Choice = { [K in 'projectId' | 'sampleId' | 'newSampleName']?: string | null | undefined };

/** Only what was given: what is absent stays as it is. */
function chosen(choice: Choice): { [K in keyof Choice]?: string | null } {
  return Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== undefined));
}

function viewOf(session: RheedSession): Value<'rheed', 'start'> {
  const { nonce, sourceId, name, startedMs, endedMs, endCause, fps, rpm, projectId, sampleId, newSampleName } = session;
  const { dataId, isStartSent, differences, problem, hint } = session;
  return {
    rotation: viewRotation(session),
    nonce,
    sourceId,
    name,
    startedMs,
    endedMs,
    endCause,
    fps,
    rpm,
    projectId,
    sampleId,
    newSampleName,
    frames: framesOf(session),
    dataId,
    isStartSent,
    differences: [...differences],
    problem,
    hint,
  };
}
