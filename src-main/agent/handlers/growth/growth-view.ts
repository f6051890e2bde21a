// Growths as the screen sees them.
import type { GrowthView, RunningGrowth } from '../../../contract/growth.ts';
import { askedMs, type GrowthManager } from '../../../growth/growth-manager.ts';
import { type Growth, lastPart, NOTES_SOURCE } from '../../../model/growth.ts';
import type { MarkPage, MarkQuestion } from '../../../model/marks.ts';

/** Notes that a growth shows; plot.readMarks tells all of them. */
const NOTES_SHOWN = 1000;

function common(growth: Growth, desk: GrowthManager) {
  const { id, startedMs, startCause, endedMs, endCause } = growth;
  const { name, sampleId, newSampleName, projectId } = lastPart(growth);
  return {
    id,
    name,
    sampleId,
    newSampleName,
    projectId,
    startedMs,
    startCause,
    endedMs,
    endCause,
    askedMs: askedMs(growth),
    changeBecomes: desk.changeBecomes(growth),
    waits: desk.waits(growth),
    problems: desk.problems(growth),
  };
}

/** The growth that runs, for the snapshot; null: none. */
export function runningView(desk: GrowthManager): RunningGrowth | null {
  const growth = desk.current;
  return growth && { ...common(growth, desk), state: askedMs(growth) === null ? 'running' : 'asks' };
}

/**
 * A growth with its streams, its RHEED sessions and its notes. Takes the address of the service of the settings, too.
 *
 * @throws those of the store.
 */
export async function growthView(
  growth: Growth,
  desk: GrowthManager,
  store: { listMarks(question: MarkQuestion): Promise<MarkPage> },
  service: string,
): Promise<GrowthView> {
  const isElsewhere = (of: { readonly service: string | null }) => of.service !== null && of.service !== service;
  const { startedMs, endedMs } = growth;
  const span = { fromMs: startedMs, toMs: endedMs ?? Number.MAX_SAFE_INTEGER };
  const [{ streams, sessions }, { marks }] = await Promise.all([
    desk.belongings(growth),
    store.listMarks({ sourceId: NOTES_SOURCE, ...span, after: null, limit: NOTES_SHOWN }),
  ]);
  const running = askedMs(growth) === null ? 'running' : 'asks';
  return {
    ...common(growth, desk),
    state: endedMs === null ? running : 'ended',
    restarts: growth.restarts.map((restart) => ({ ...restart })),
    parts: growth.parts.map((part) => ({
      ...part,
      streams: streams
        .filter((stream) => stream.part === part.id)
        .map(({ part: _, service, ...stream }) => ({ ...stream, isElsewhere: isElsewhere({ service }) })),
      rheed: sessions
        .filter((session) => session.growth === part.id)
        .map((session) => ({
          nonce: session.nonce,
          sourceId: session.sourceId,
          name: session.name,
          startedMs: session.startedMs,
          endedMs: session.endedMs,
          dataId: session.dataId,
          isElsewhere: isElsewhere(session),
          isStartSent: session.isStartSent,
          problem: session.problem,
          hint: session.hint,
        })),
    })),
    notes: marks.map(({ timeMs, text }) => ({ timeMs, text })),
  };
}
