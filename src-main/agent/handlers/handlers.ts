// The handler of every call of the contract, put together from its nouns.
import { join } from 'node:path';
import type { Argument, Caller, Handlers } from '../../contract/table.ts';
import { AgentError } from '../../model/agent-error.ts';
import type { JournalEvent } from '../pipeline/journal.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { catalogueHandlers } from './catalogue/catalogue-handlers.ts';
import type { RawDownloads } from './catalogue/raw-downloads.ts';
import { exportHandlers } from './export/export-handlers.ts';
import { growthHandlers } from './growth/growth-handlers.ts';
import type { HandlerParts } from './handler-parts.ts';
import { journalHandlers } from './journal/journal-handlers.ts';
import { libraryHandlers } from './library/library-handlers.ts';
import { MadeHere } from './library/made-here.ts';
import { limitHandlers } from './limit/limit-handlers.ts';
import { PageQuestions } from './page-questions.ts';
import { plotHandlers } from './plot/plot-handlers.ts';
import { rheedHandlers } from './rheed/rheed-handlers.ts';
import { serviceHandlers } from './service/service-handlers.ts';
import { expectReal, settingsHandlers } from './settings/settings-handlers.ts';
import { heldSourceHandlers } from './source/held-source-handlers.ts';
import { sourceHandlers } from './source/source-handlers.ts';
import { streamHandlers } from './stream/stream-handlers.ts';
import { supportHandlers } from './support/support-handlers.ts';

/** What of the calls is the agent's own life. */
export interface AgentCalls {
  readonly startTrial: () => Promise<void>;
  readonly connect: (argument: Argument<'tool', 'connect'>, caller?: Caller) => Promise<void>;
  readonly keepKey: (apiKey: string, caller?: Caller) => Promise<void>;
  /** The snapshot has changed. */
  readonly onChange: () => void;
  readonly tell: (event: JournalEvent, about: string) => void;
  readonly testAlarm: Handlers['alarm']['test'];
  readonly raw: RawDownloads;
}

/** Make the handlers; those that need something that runs refuse with `agent.not-running` while nothing does. */
export function makeHandlers(
  parts: HandlerParts,
  { startTrial, connect, keepKey, onChange, tell, testAlarm, raw }: AgentCalls,
): Handlers {
  const running = (): Pipeline => {
    const pipeline = parts.pipeline();
    if (pipeline) return pipeline;
    throw new AgentError({
      code: 'agent.not-running',
      message: 'Nothing is recorded at the moment.',
      hint: 'Try it with a simulated tool, or connect your tool.',
    });
  };
  const nowMs = () => parts.clock.nowMs();
  const questions = new PageQuestions();
  const made = new MadeHere(join(parts.dataFolder, 'made-here.json'));
  const madeAt = () => {
    const { client, mark } = running().link;
    return { client, mark: parts.isTrial() ? 'trial' : mark, made };
  };
  return {
    snapshot: { read: async () => parts.snapshot() },
    trial: {
      start: async () => {
        await startTrial();
        return null;
      },
    },
    tool: {
      connect: async (argument, caller) => {
        await connect(argument, caller);
        return null;
      },
    },
    service: serviceHandlers({ running, keepKey, nowMs, key: parts.key, onChange }),
    stream: streamHandlers(running, parts.snapshot),
    rheed: rheedHandlers(() => running().rheed, parts),
    growth: growthHandlers(running),
    limit: limitHandlers(parts, running),
    alarm: {
      test: async (nothing) => {
        expectReal(parts);
        running();
        return testAlarm(nothing);
      },
    },
    plot: plotHandlers(running),
    catalogue: catalogueHandlers(() => running().link, questions, raw),
    exports: exportHandlers(running, parts.dataFolder),
    library: libraryHandlers(madeAt, questions, nowMs),
    settings: settingsHandlers(parts),
    source: sourceHandlers(parts),
    heldSource: heldSourceHandlers(running),
    journal: journalHandlers(running, nowMs),
    support: supportHandlers(parts, running, tell),
  };
}
