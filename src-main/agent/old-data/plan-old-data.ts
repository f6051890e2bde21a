// The plan of all log folders: where positions, own streams and the catalogue come from.

import type { ServiceClient } from '../../delivery/client/client.ts';
import { AgentError, toAgentError } from '../../model/agent-error.ts';
import type { LogSourceSettings, Settings } from '../../settings/settings.ts';
import { ForeignEntries } from './foreign-entries.ts';
import { planSource, type SourcePlan } from './plan-source.ts';

/** What this agent has on disk, from its queue or from the agent that holds it. */
export interface OwnLedger {
  /** What a source has committed, by key. */
  positions(sourceId: string): Promise<ReadonlyMap<string, string>>;
  /** All streams that this agent ever opened. */
  streams(): Promise<readonly { readonly name: string; readonly dataId: string | null }[]>;
}

export interface OldDataOptions {
  readonly settings: Settings;
  /** Source to be planned; null: every log folder. */
  readonly sourceId: string | null;
  readonly ledger: OwnLedger;
  /** Null: the service cannot be reached, for the reason given. */
  readonly service: Pick<ServiceClient, 'listDataEntries' | 'scanTimeSeries'> | AgentError;
  readonly areOpenEnded: boolean;
  readonly onProgress: (what: string) => void;
}

export interface OldDataPlan {
  readonly sources: readonly SourcePlan[];
  /** Why the catalogue could not be asked; null: it was. */
  readonly catalogueFault: AgentError | null;
  /** There are more entries than were looked through. */
  readonly isCatalogueCut: boolean;
}

/**
 * Plan the old data of the log folders.
 *
 * @returns the plan. A service that cannot be reached is told in it; then it goes by this agent's own ledger alone.
 * @throws `backfill.no-source` when there is no log source, or none of this name; those of the folders.
 */
export async function planOldData(options: OldDataOptions): Promise<OldDataPlan> {
  const { settings, ledger, areOpenEnded, onProgress } = options;
  const sources = chooseSources(settings, options.sourceId);
  const plan = async (catalogue: ForeignEntries | null): Promise<SourcePlan[]> => {
    const plans: SourcePlan[] = [];
    for (const source of sources) {
      const positions = await ledger.positions(source.id);
      plans.push(await planSource({ settings: source, positions, catalogue, areOpenEnded, onProgress }));
    }
    return plans;
  };
  try {
    const catalogue = await readCatalogue(options, sources);
    return { sources: await plan(catalogue), catalogueFault: null, isCatalogueCut: catalogue.isCut };
  } catch (thrown) {
    const fault = toAgentError(thrown);
    if (!fault.code.startsWith('service.')) throw thrown;
    return { sources: await plan(null), catalogueFault: fault, isCatalogueCut: false };
  }
}

function chooseSources({ sources }: Settings, sourceId: string | null): LogSourceSettings[] {
  const logs = sources.filter((source) => source.kind === 'log');
  const chosen = sourceId === null ? logs : logs.filter(({ id }) => id === sourceId);
  if (chosen.length > 0) return chosen;
  throw new AgentError({
    code: 'backfill.no-source',
    message: sourceId === null ? 'The settings name no log folder.' : `The settings name no log folder "${sourceId}".`,
    hint: logs.length === 0 ? 'Add a source of kind log.' : `Log folders: ${logs.map(({ id }) => id).join(', ')}.`,
    retry: 'after-human',
  });
}

async function readCatalogue(
  { settings, ledger, service, onProgress }: OldDataOptions,
  sources: readonly LogSourceSettings[],
): Promise<ForeignEntries> {
  if (service instanceof AgentError) throw service;
  onProgress('looking through the catalogue');
  const streams = await ledger.streams();
  const names = new Set(streams.map(({ name }) => name));
  const ids = new Set(streams.flatMap(({ dataId }) => (dataId === null ? [] : [dataId])));
  const { name: toolName, timeZone } = settings.tool;
  const isOwn = (dataId: string, name: string) => ids.has(dataId) || names.has(name);
  return ForeignEntries.read({ service, toolName, timeZone, sourceIds: sources.map(({ id }) => id), isOwn });
}
