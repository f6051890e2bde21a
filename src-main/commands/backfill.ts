// `epistream backfill`: old data of the log folders, compared with this agent's ledger and the catalogue. `--plan` lists
// what is there, what is missing and what cannot be told; without it what is missing is read and delivered.
import { join } from 'node:path';
import { type OldDataPlan, type OwnLedger, planOldData } from '../agent/old-data/plan-old-data.ts';
import { openServiceLink, type ServiceLink } from '../agent/service-link/service-link.ts';
import { StreamsAnswer } from '../delivery/receipt/questions.ts';
import { AgentError, toAgentError } from '../model/agent-error.ts';
import type { Clock } from '../platform/clock.ts';
import { openDataFolder } from '../platform/data-folder.ts';
import { type ApiKeyStore, environmentKeyStore } from '../platform/secrets.ts';
import { readSettings } from '../settings/read-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { drainAgent } from './drain.ts';
import { withQueue } from './shared/ask-queue.ts';
import { tellPlan } from './shared/backfill-words.ts';
import { EXIT } from './shared/exit.ts';
import { type Option, readOptions } from './shared/options.ts';
import { type AgentPlace, placeOf, withAgent } from './shared/with-agent.ts';

const OPTIONS = {
  plan: { value: null, help: 'list what is there and what is missing; nothing is sent' },
  config: { value: 'F', help: 'settings file (default: epistream.yaml in the data folder)' },
  data: { value: 'D', help: 'data folder (default: one for this user)' },
  source: { value: 'S', help: 'only this log folder' },
  from: { value: 'DATE', help: 'only what is stamped on or after a date such as 2026-11-01' },
  'open-ended': { value: null, help: 'nobody writes any more into entries that the service shows as open' },
  json: { value: null, help: 'print the plan as JSON' },
} as const satisfies Record<string, Option>;

/**
 * Plan or fill.
 *
 * @returns exit code 0 when the plan was made, or everything that is missing was delivered; 3 when not all of it was, or when
 *   something was left alone.
 * @throws `backfill.no-catalogue` when it was to be filled and the service could not be asked; those of settings, folders, data
 *   folder and store.
 */
export async function run(args: readonly string[], clock: Clock): Promise<number> {
  const read = readOptions('backfill', 'Read old data that is missing on the service.', OPTIONS, args);
  if (!read) return EXIT.done;
  const { plan: isPlan, json: isJson, source = null, from, 'open-ended': areOpenEnded } = read.values;
  const since = from === undefined ? ('all' as const) : { fromDate: checkDate(from) };
  const place = { data: read.values.data, config: read.values.config };
  const { folder, settingsFile } = placeOf(place);
  const settings = await readSettings(settingsFile);
  // Asked once: the key is taken out of the environment, so that no child of this process has it.
  const keys = environmentKeyStore();
  const asked = { settings, folder, sourceId: source, areOpenEnded, keys };
  if (isPlan) {
    tellPlan(await makePlan(asked), { isJson, isPlan });
    return EXIT.done;
  }
  // Held while the plan is made: nobody else may read or send meanwhile.
  const held = await openDataFolder(folder).catch(explainHeld);
  const plan = await makePlan(asked).finally(() => held.close());
  if (plan.catalogueFault) throw noCatalogue(plan.catalogueFault);
  tellPlan(plan, { isJson, isPlan });
  return fill(plan, place, since, { keys, clock });
}

async function fill(
  plan: OldDataPlan,
  place: AgentPlace,
  since: 'all' | { fromDate: string },
  own: { readonly keys: ApiKeyStore; readonly clock: Clock },
): Promise<number> {
  const wanted = new Map(plan.sources.map(({ sourceId, fill }) => [sourceId, { since, ...fill }]));
  const code = await withAgent(place, { isDrain: true, fill: wanted, ...own }, drainAgent);
  const isLeft = plan.sources.some(({ files }) => files.some(({ leftBytes }) => leftBytes > 0));
  return code === EXIT.done && isLeft ? EXIT.notDelivered : code;
}

interface Asked {
  readonly settings: Settings;
  readonly folder: string;
  readonly sourceId: string | null;
  readonly areOpenEnded: boolean;
  readonly keys: ApiKeyStore;
}

async function makePlan({ settings, folder, sourceId, areOpenEnded, keys }: Asked): Promise<OldDataPlan> {
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
    return await withLedger(folder, (ledger) =>
      planOldData({ settings, sourceId, ledger, service, areOpenEnded, onProgress }),
    );
  } finally {
    if (!(link instanceof AgentError)) await (link satisfies ServiceLink).stop();
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

function checkDate(text: string): string {
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(Number.NaN);
  if (!Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)) return text;
  throw new AgentError({
    code: 'cli.usage',
    message: `--from ${text}: not a date.`,
    hint: 'Give a date written year-month-day such as 2026-11-01.',
  });
}

function explainHeld(thrown: unknown): never {
  const error = toAgentError(thrown);
  if (error.code !== 'data.in-use') throw thrown;
  throw new AgentError({
    code: error.code,
    message: error.message,
    hint: 'Set backfill: all, or a date, for the source in the settings and start that agent again: it reads what is missing behind what is new. Or end it, and fill then. --plan works meanwhile.',
    retry: 'after-human',
    cause: thrown,
  });
}

function noCatalogue(cause: AgentError): AgentError {
  return new AgentError({
    code: 'backfill.no-catalogue',
    message: `What the service already has is unknown: ${cause.message}`,
    hint: `Nothing was sent, since it might be there. ${cause.hint}`,
    retry: 'later',
    cause,
  });
}
