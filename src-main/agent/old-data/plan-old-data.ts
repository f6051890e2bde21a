// The plan of old data: what the setting `backfill` would have read of the log folders, and how much of that the service holds
// already. The folders are read as a drain reads them, from what this agent has committed, and the points are compared as the
// uploader compares them before it sends. Nothing is sent or committed here.

import type { ServiceClient } from '../../delivery/client/client.ts';
import { AgentError, toAgentError } from '../../model/agent-error.ts';
import { formatCounted } from '../../model/format.ts';
import { countPoints, type Readings } from '../../model/readings.ts';
import type { LogSourceSettings, Settings } from '../../settings/settings.ts';
import { openLogSource } from '../../sources/log/log-source.ts';
import type { Capture, SourceSink } from '../../sources/source.ts';
import { EntryPoints } from './entry-points.ts';
import { ForeignEntries, type ForeignEntry } from './foreign-entries.ts';
import { HeldEntries, type Span } from './held-entries.ts';

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

/** `question`: its values are in an entry under another name, which needs a decision before anything is sent. */
export type PlanState = 'new' | 'partly' | 'there' | 'question';

/** A file of which something is to be read. */
export interface PlanFile {
  readonly path: string;
  readonly state: PlanState;
  /** To be read of it: bytes, and points; and those of the points that entries of others hold. */
  readonly bytes: number;
  readonly points: number;
  readonly pointsThere: number;
  /** First and last instant of its rows, Unix ms; null: it has none. */
  readonly span: Span | null;
  /** What the question is; empty: there is none. */
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
  /** Why not all of the folder can be read; null: all of it can. */
  readonly fault: AgentError | null;
  /** Names of entries of the source that others have made and into which somebody may still be writing. */
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

/** Dry run of the backfill of one source. */
async function planSource(
  source: LogSourceSettings,
  catalogue: ForeignEntries | null,
  { ledger, onProgress }: Pick<OldDataOptions, 'ledger' | 'onProgress'>,
): Promise<SourcePlan> {
  const { id, path, backfill } = source;
  const entries = catalogue?.ofSource(id) ?? [];
  onProgress(
    `${id}: reading what is not read yet, and comparing it with ${formatCounted(entries.length, 'entry', 'entries')}`,
  );
  const counter = new PointCounter(await ledger.positions(id), catalogue, entries);
  const wanted = typeof backfill === 'object' ? backfill : 'all';
  const log = openLogSource({ ...source, backfill: wanted, isDrain: true });
  const fault = await log.run(counter, new AbortController().signal).then(() => null, toAgentError);
  if (fault?.code.startsWith('service.') || fault?.code === 'internal') throw fault;
  return {
    ...{ sourceId: id, folder: path, backfill, fault },
    files: counter.files(),
    openEntries: entries.filter(({ isOpen }) => isOpen).map(({ name }) => name),
  };
}

interface Count {
  bytes: number;
  points: number;
  there: number;
  span: Span | null;
  /** A series of another name that holds the same; null: there is none. */
  alias: string | null;
  readonly names: Set<string>;
}

/** Takes what a source reads, counts it and keeps nothing of it. */
class PointCounter implements SourceSink {
  readonly #positions: ReadonlyMap<string, string>;
  readonly #entries: readonly ForeignEntry[];
  readonly #held: HeldEntries | null;
  readonly #counts = new Map<string, Count>();

  constructor(
    positions: ReadonlyMap<string, string>,
    catalogue: ForeignEntries | null,
    entries: readonly ForeignEntry[],
  ) {
    this.#positions = positions;
    this.#entries = entries;
    this.#held = catalogue === null ? null : new HeldEntries(catalogue);
  }

  positions(): Promise<ReadonlyMap<string, string>> {
    return Promise.resolve(this.#positions);
  }

  async capture({ blocks, sourceBytes = [] }: Capture): Promise<void> {
    for (const { place, bytes, block } of sourceBytes) {
      const count = this.#countOf(place);
      count.bytes += bytes.length;
      const readings = block === null ? undefined : blocks[block];
      if (readings !== undefined) await this.#compare(readings, count);
    }
  }

  declare(): void {}
  note(): void {}
  gap(): void {}

  files(): PlanFile[] {
    const files = [...this.#counts].map(([path, { bytes, points, there, span, alias, names }]): PlanFile => {
      const common = { path, bytes, points, pointsThere: there, span };
      const known = there === points && points > 0 ? 'there' : there > 0 ? 'partly' : 'new';
      return { ...common, state: alias === null ? known : 'question', why: alias ?? '', entries: [...names] };
    });
    return files.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  #countOf(path: string): Count {
    const none = { bytes: 0, points: 0, there: 0, span: null, alias: null, names: new Set<string>() };
    const count = this.#counts.get(path) ?? none;
    this.#counts.set(path, count);
    return count;
  }

  async #compare(readings: Readings, count: Count): Promise<void> {
    const { channels, timesMs, values } = readings;
    const span = timesMs.reduce(widen, NO_SPAN);
    count.span = [span.firstMs, span.lastMs].reduce(widen, count.span ?? NO_SPAN);
    count.points += countPoints(readings);
    const held = (await this.#held?.overlapping(this.#entries, span)) ?? [];
    if (held.length === 0) return;
    const points = new EntryPoints(held);
    for (const [c, channel] of channels.entries()) {
      const column = Float64Array.from(timesMs, (_, row) => values[row * channels.length + c] as number);
      count.alias ??= points.findAlias(channel, timesMs, column, channels);
      for (const [row, value] of column.entries()) {
        const entry = Number.isNaN(value) ? null : points.take(channel, timesMs[row] as number, value);
        if (entry === null) continue;
        count.names.add(entry);
        count.there += 1;
      }
    }
    points.settle(true);
  }
}

const NO_SPAN: Span = { firstMs: Number.POSITIVE_INFINITY, lastMs: Number.NEGATIVE_INFINITY };

function widen({ firstMs, lastMs }: Span, timeMs: number): Span {
  return { firstMs: Math.min(firstMs, timeMs), lastMs: Math.max(lastMs, timeMs) };
}
