// What the page "Help" asks.

import type { Handlers } from '../../../contract/table.ts';
import { AgentError } from '../../../model/agent-error.ts';
import { formatCount } from '../../../model/format.ts';
import type { JournalEvent } from '../../pipeline/journal.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import type { HandlerParts } from '../handler-parts.ts';
import { Drill, type DrillView } from './drill.ts';
import { makeSupportBundle } from './support-bundle.ts';

/** The calls of the page "Help". `running` throws while nothing runs; `tell` writes into the journal. */
export function supportHandlers(
  parts: HandlerParts,
  running: () => Pipeline,
  tell: (event: JournalEvent, about: string) => void,
): Handlers['support'] {
  let last: { drill: Drill; of: Pipeline } | null = null;
  /** The drill of a run that has ended says nothing of this one. */
  const drill = () => (last?.of === parts.pipeline() ? (last?.drill ?? null) : null);
  return {
    makeBundle: async () => makeSupportBundle(parts),
    startDrill: async ({ seconds }) => {
      const pipeline = running();
      if (drill()?.isOver === false) {
        const hint = 'Wait until it is over, or end it.';
        throw new AgentError({ code: 'drill.running', message: 'A drill is under way.', hint, retry: 'after-human' });
      }
      const began = await Drill.begin(pipeline, parts.clock, seconds, (view) => tell(ended(view), `${view.startedMs}`));
      last = { drill: began, of: pipeline };
      const message = `A drill began: the embedded service is away for ${seconds} s.`;
      tell({ level: 'info', code: 'drill.began', message, hint: '' }, `${began.view.startedMs}`);
      return began.view;
    },
    readDrill: async () => drill()?.view ?? null,
    endDrill: async () => {
      drill()?.end();
      return drill()?.view ?? null;
    },
  };
}

function ended({ state, message, hint, storedBefore, storedAtEnd }: DrillView): JournalEvent {
  if (state === 'failed')
    return { level: 'warning', code: 'drill.failed', message: `The drill failed: ${message}`, hint };
  const points = formatCount((storedAtEnd ?? 0) - storedBefore);
  const told = `The drill is passed: ${points} points were stored without the service, and it has counted all of them back.`;
  return { level: 'info', code: 'drill.passed', message: told, hint: '' };
}
