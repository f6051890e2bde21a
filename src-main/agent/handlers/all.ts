// The handler of every call of the contract, put together from its nouns.
import { join } from 'node:path';
import type { Argument, Handlers } from '../../contract/table.ts';
import { AgentError } from '../../model/agent-error.ts';
import { previewLog } from '../../sources/log/preview.ts';
import type { Desk } from '../desk.ts';
import { Downloads } from '../downloads.ts';
import type { JournalEvent } from '../journal.ts';
import { MadeHere } from '../made-here.ts';
import type { Pipeline } from '../pipeline.ts';
import { Questions } from '../questions.ts';
import { catalogueHandlers } from './catalogue.ts';
import { downloadHandlers } from './download.ts';
import { growthHandlers } from './growth.ts';
import { heldSourceHandlers } from './held-source.ts';
import { journalHandlers } from './journal.ts';
import { libraryHandlers } from './library.ts';
import { plotHandlers } from './plot.ts';
import { rheedHandlers } from './rheed.ts';
import { serviceHandlers } from './service.ts';
import { settingsHandlers } from './settings.ts';
import { sourceHandlers } from './source.ts';
import { streamHandlers } from './stream.ts';
import { supportHandlers } from './support.ts';

/** What of the calls is the agent's own life. */
export interface AgentCalls {
  readonly startTrial: () => Promise<void>;
  readonly connect: (argument: Argument<'tool', 'connect'>) => Promise<void>;
  readonly keepKey: (apiKey: string) => Promise<void>;
  /** The snapshot has changed. */
  readonly onChange: () => void;
  readonly tell: (event: JournalEvent, about: string) => void;
}

/** Make the handlers; those that need something that runs refuse with `agent.not-running` while nothing does. */
export function makeHandlers(desk: Desk, { startTrial, connect, keepKey, onChange, tell }: AgentCalls): Handlers {
  const running = (): Pipeline => {
    const pipeline = desk.pipeline();
    if (pipeline) return pipeline;
    throw new AgentError({
      code: 'agent.not-running',
      message: 'Nothing is recorded at the moment.',
      hint: 'Try it with a simulated tool, or connect your tool.',
    });
  };
  const nowMs = () => desk.clock.nowMs();
  const questions = new Questions();
  const made = new MadeHere(join(desk.dataFolder, 'made-here.json'));
  const madeAt = () => {
    const { client, mark } = running().link;
    return { client, mark: desk.isTrial() ? 'trial' : mark, made };
  };
  return {
    snapshot: { read: async () => desk.snapshot() },
    trial: {
      start: async () => {
        await startTrial();
        return null;
      },
    },
    tool: {
      preview: (argument) => previewLog(argument),
      connect: async (argument) => {
        await connect(argument);
        return null;
      },
    },
    service: serviceHandlers({ running, keepKey, nowMs, onChange }),
    stream: streamHandlers(running, desk.snapshot),
    rheed: rheedHandlers(() => running().rheed, desk),
    growth: growthHandlers(running),
    plot: plotHandlers(running),
    catalogue: catalogueHandlers(() => running().link, questions),
    download: downloadHandlers(() => running().link, new Downloads()),
    library: libraryHandlers(madeAt, questions, nowMs),
    settings: settingsHandlers(desk),
    source: sourceHandlers(desk),
    heldSource: heldSourceHandlers(running),
    journal: journalHandlers(running, nowMs),
    support: supportHandlers(desk, running, tell),
  };
}
