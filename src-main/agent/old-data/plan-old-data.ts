// The plan of old data: what of the log folders is still to be read, and how much of that the service holds already. By this
// agent's own ledger first, then by the catalogue, point by point and with the comparison that the uploader makes before it
// sends. Nothing is sent or committed here.

import type { ServiceClient } from '../../delivery/client/client.ts';
import { AgentError, toAgentError } from '../../model/agent-error.ts';
import { formatCounted } from '../../model/format.ts';
import type { LogSourceSettings, Settings } from '../../settings/settings.ts';
import { OldData, type OldFile, type OldRows } from '../../sources/log/old-data.ts';
import { EntryPoints } from './entry-points.ts';
import { ForeignEntries, type ForeignEntry } from './foreign-entries.ts';
import { HeldEntries } from './held-entries.ts';

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
  /** An error: the service cannot be reached. */
  readonly service: Pick<ServiceClient, 'listDataEntries' | 'scanTimeSeries'> | AgentError;
  readonly onProgress: (what: string) => void;
}

/** `question`: its values are in an entry under another name, which a person is asked about before anything is sent. */
export type PlanState = 'new' | 'partly' | 'there' | 'question' | 'unreadable';

export interface PlanFile {
  readonly path: string;
  readonly state: PlanState;
  readonly bytes: number;
  readonly unreadBytes: number;
  /** Points among the unread bytes, and those of them that entries of others hold; null: there was nothing to compare. */
  readonly points: { readonly all: number; readonly there: number } | null;
  /** First stamp, and last modification time, Unix ms; null: it has none. */
  readonly firstMs: number | null;
  readonly changedMs: number;
  readonly why: string;
  /** Entries of others that hold something of it. */
  readonly entries: readonly string[];
}

export interface SourcePlan {
  readonly sourceId: string;
  readonly folder: string;
  /** What the settings say of old data. */
  readonly backfill: LogSourceSettings['backfill'];
  /** By path. */
  readonly files: readonly PlanFile[];
  /** Entries of the source that others have made, and names of those into which somebody may still be writing. */
  readonly foreignEntries: number;
  readonly openEntries: readonly string[];
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
 * @returns the plan; without the catalogue it goes by this agent's own ledger alone.
 * @throws `backfill.no-source` when there is no log source, or none of this name; those of the folders.
 */
export async function planOldData(options: OldDataOptions): Promise<OldDataPlan> {
  const sources = chooseSources(options.settings, options.sourceId);
  const plan = async (catalogue: ForeignEntries | null): Promise<SourcePlan[]> => {
    const plans: SourcePlan[] = [];
    for (const source of sources) plans.push(await planSource(source, catalogue, options));
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

async function planSource(
  { id, path, match, dialect, timeZone, backfill }: LogSourceSettings,
  catalogue: ForeignEntries | null,
  { ledger, onProgress }: Pick<OldDataOptions, 'ledger' | 'onProgress'>,
): Promise<SourcePlan> {
  const data = await OldData.open({ id, path, match, dialect, timeZone, backfill }, await ledger.positions(id));
  onProgress(`${id}: looking into the files`);
  await data.openFiles();
  const entries = catalogue?.ofSource(id) ?? [];
  const compared = new Map<string, Compared>();
  if (catalogue !== null && entries.length > 0) {
    const held = new HeldEntries(catalogue);
    const files = inOrder(data.files);
    onProgress(`${id}: comparing ${formatCounted(files.length, 'file')} with what the service holds`);
    for (const file of files) {
      held.forgetBefore(file.firstMs ?? Number.NEGATIVE_INFINITY);
      compared.set(file.path, await compare(data.rowsOf(file.path), entries, held));
    }
  }
  return {
    ...{ sourceId: id, folder: path, backfill },
    files: data.files.map((file) => planFile(file, compared.get(file.path) ?? null)),
    foreignEntries: entries.length,
    openEntries: entries.filter(({ isOpen }) => isOpen).map(({ name }) => name),
  };
}

/** Files to be compared, the oldest first. */
function inOrder(files: readonly OldFile[]): OldFile[] {
  const unread = files.filter(({ state, unreadBytes }) => unreadBytes > 0 && (state === 'new' || state === 'partly'));
  return unread.sort((a, b) => (a.firstMs ?? 0) - (b.firstMs ?? 0));
}

interface Compared {
  readonly all: number;
  readonly there: number;
  readonly names: ReadonlySet<string>;
  /** A series of another name that holds the same; null: there is none. */
  readonly alias: string | null;
}

async function compare(
  blocks: AsyncIterable<OldRows>,
  entries: readonly ForeignEntry[],
  held: HeldEntries,
): Promise<Compared> {
  const names = new Set<string>();
  let [all, there] = [0, 0];
  let alias: string | null = null;
  for await (const { channels, timesMs, values } of blocks) {
    const [firstMs, lastMs] = spanOf(timesMs);
    const points = new EntryPoints(await held.overlapping(entries, { firstMs, lastMs }));
    for (const [c, channel] of channels.entries()) {
      const column = Float64Array.from(timesMs, (_, row) => values[row * channels.length + c] as number);
      alias ??= points.findAlias(channel, timesMs, column, channels);
      for (const [row, value] of column.entries()) {
        if (Number.isNaN(value)) continue;
        all += 1;
        const entry = points.take(channel, timesMs[row] as number, value);
        if (entry === null) continue;
        names.add(entry);
        there += 1;
      }
    }
    points.settle(true);
  }
  return { all, there, names, alias };
}

function spanOf(timesMs: Float64Array): [firstMs: number, lastMs: number] {
  let [firstMs, lastMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const timeMs of timesMs) {
    firstMs = Math.min(firstMs, timeMs);
    lastMs = Math.max(lastMs, timeMs);
  }
  return [firstMs, lastMs];
}

function planFile(file: OldFile, compared: Compared | null): PlanFile {
  const { path, sizeBytes: bytes, unreadBytes, firstMs, changedMs } = file;
  const { all = 0, there = 0, names = [], alias = null } = compared ?? {};
  return {
    ...{ path, bytes, unreadBytes, firstMs, changedMs },
    state: stateOf(file, compared),
    points: compared === null ? null : { all, there },
    why: alias ?? file.why,
    entries: [...names],
  };
}

function stateOf({ state }: OldFile, compared: Compared | null): PlanState {
  if (state === 'unreadable') return state;
  if (state === 'there' || state === 'copy') return 'there';
  if (compared === null) return state;
  if (compared.alias !== null) return 'question';
  if (compared.all > 0 && compared.there === compared.all) return 'there';
  return compared.there > 0 ? 'partly' : state;
}
