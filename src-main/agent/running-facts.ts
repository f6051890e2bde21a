// What a run says of itself, for the snapshot.

import type { SourceView } from '../contract/snapshot.ts';
import { toAgentError } from '../model/agent-error.ts';
import type { QueueTally } from '../model/queue.ts';
import { runningView } from './handlers/growth/growth-view.ts';
import type { Pipeline } from './pipeline/pipeline.ts';
import type { Facts } from './status/facts.ts';

/**
 * Collect the facts of a run. Takes the run, what is told also without one, and the last tally: a store that does not answer
 * now is told on the screen beside what it said last, and keeps nobody from stopping.
 */
export async function runningFacts(pipeline: Pipeline, resting: Facts, lastTally: QueueTally | null): Promise<Facts> {
  // Before the store is asked: what a source calls stored is among what the store counts, and so of what is called delivered.
  const stored = new Map(pipeline.panels.map((panel) => [panel, storedOf(panel.view)]));
  const [counted, asked] = pipeline.store.together(() => [pipeline.tally(), pipeline.former.facts()] as const);
  const [{ tally, fault }, room, former] = await Promise.all([
    counted.then(
      (tally) => ({ tally, fault: null }),
      (thrown: unknown) => ({ tally: lastTally, fault: toAgentError(thrown) }),
    ),
    pipeline.room(),
    // As the tally: a store that does not answer is told beside what it said last.
    asked.catch(() => pipeline.former.last),
  ]);
  const { link, uploader, startedMs, pause } = pipeline;
  return {
    ...resting,
    service: {
      address: link.address,
      isEmbedded: link.isEmbedded,
      startedMs,
      pausedSinceMs: pause.sinceMs,
      fault: uploader.lineFault,
      upSinceMs: uploader.upSinceMs,
    },
    sources: pipeline.panels.map((panel) => ({ ...panel.view, ...stored.get(panel) })),
    tally,
    uploads: pipeline.uploads(),
    former,
    alarms: pipeline.limits.alarms,
    store: { path: pipeline.queuePath, ...room, fault: pipeline.storeFault ?? fault, away: pipeline.storeAway },
    growth: runningView(pipeline.growth),
    ready: pipeline.readyFacts,
  };
}

function storedOf({ rowsRead, pointsRead }: SourceView): Pick<SourceView, 'rowsRead' | 'pointsRead'> {
  return { rowsRead, pointsRead };
}
