// `epistream backfill`: the plan of old data. It lists what of the log folders is not read yet, compared with this agent's
// ledger and the catalogue, and changes nothing: the setting `backfill` has it read.
import { join } from 'node:path';
import { type OwnLedger, planOldData } from '../agent/old-data/plan-old-data.ts';
import { openServiceLink } from '../agent/service-link/service-link.ts';
import { StreamsAnswer } from '../delivery/receipt/questions.ts';
import { AgentError, toAgentError } from '../model/agent-error.ts';
import { environmentKeyStore } from '../platform/secrets.ts';
import { readSettings } from '../settings/read-settings.ts';
import { withQueue } from './shared/ask-queue.ts';
import { planAsJson, planAsText } from './shared/backfill-words.ts';
import { EXIT } from './shared/exit.ts';
import { type Option, readOptions } from './shared/options.ts';
import { placeOf } from './shared/with-agent.ts';

const OPTIONS = {
  config: { value: 'F', help: 'settings file (default: epistream.yaml in the data folder)' },
  data: { value: 'D', help: 'data folder (default: one for this user)' },
  source: { value: 'S', help: 'only this log folder' },
  json: { value: null, help: 'print the plan as JSON' },
} as const satisfies Record<string, Option>;

/** Options of the time when this command sent, and what does their work. */
const FORMER: ReadonlyMap<string, string> = new Map([
  ['--plan', 'Leave it out: the command lists what is missing, and sends nothing.'],
  ['--from', 'Write the date into the settings of the source, such as backfill: 2026-11-01, and start the agent.'],
  ['--open-ended', 'Leave it out: open entries are compared like all others.'],
]);

/**
 * Print the plan.
 *
 * @returns exit code 0 when it was made; 1 when not all of the folders can be read.
 * @throws those of settings, data folder and store.
 */
export async function run(args: readonly string[]): Promise<number> {
  refuseFormer(args);
  const read = readOptions('backfill', 'List old data that is not read yet. Nothing is sent.', OPTIONS, args);
  if (!read) return EXIT.done;
  const { json: isJson, source: sourceId = null, data, config } = read.values;
  const { folder, settingsFile } = placeOf({ data, config });
  const settings = await readSettings(settingsFile);
  const keys = environmentKeyStore();
  const onProgress = (what: string) => console.error(`${what} ...`);
  const link = await openServiceLink({
    settings: settings.service,
    folder: join(folder, 'service'),
    apiKey: () => keys.read(),
    onFault: () => undefined,
    onPathMoved: () => undefined,
  }).catch((thrown: unknown) => toAgentError(thrown));
  const service = link instanceof AgentError ? link : link.client;
  try {
    const plan = await withLedger(folder, (ledger) => planOldData({ settings, sourceId, ledger, service, onProgress }));
    console.log(isJson ? planAsJson(plan) : planAsText(plan));
    return plan.sources.some(({ fault }) => fault !== null) ? EXIT.fault : EXIT.done;
  } finally {
    if (!(link instanceof AgentError)) await link.stop();
  }
}

function refuseFormer(args: readonly string[]): void {
  for (const word of args) {
    const name = word.split('=')[0] as string;
    const hint = FORMER.get(name);
    if (hint === undefined) continue;
    throw new AgentError({ code: 'cli.usage', message: `epistream backfill no longer has ${name}.`, hint });
  }
}

/** Ask the agent that runs there, or its queue where none does; before the first start there is nothing yet. */
function withLedger<T>(folder: string, use: (ledger: OwnLedger) => Promise<T>): Promise<T> {
  return withQueue(folder, (ask) => {
    const page = async (before: number | null) => {
      const answer = (await ask({ ask: 'streams', before }).catch(orNoQueue)) ?? { streams: [] };
      return StreamsAnswer.parse(answer).streams;
    };
    const positions = async (sourceId: string) => {
      const answer = (await ask({ ask: 'positions', sourceId }).catch(orNoQueue)) ?? [];
      return new Map(answer as [string, string][]);
    };
    return use({ positions, streams: () => allStreams(page) });
  });
}

function orNoQueue(thrown: unknown): undefined {
  if (toAgentError(thrown).code !== 'status.no-data') throw thrown;
  return undefined;
}

async function allStreams<S extends { id: number }>(page: (before: number | null) => Promise<S[]>): Promise<S[]> {
  const all: S[] = [];
  for (let before: number | null = null; ; ) {
    const some: S[] = await page(before);
    all.push(...some);
    const last = some.at(-1);
    if (last === undefined || last.id <= 1) return all;
    before = last.id;
  }
}
