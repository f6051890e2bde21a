// What the catalogue holds that this agent's own ledger does not know: entries that were made from another data folder
// (an earlier installation, one that was lost, another PC).
import { Temporal } from 'temporal-polyfill';
import type { ServiceClient } from '../../delivery/client/client.ts';
import { HeldSeries } from '../../delivery/client/held-series.ts';
import { parseStreamName } from '../../model/stream-name.ts';

const PAGE = 10_000;
/** Entries looked through at most. */
const ENTRIES_MAX = 200_000;
/** States in which somebody may still be writing into a stream. */
const ENDED = new Set(['success', 'error', 'stored']);

/** An entry that this agent did not make. */
export interface ForeignEntry {
  readonly dataId: string;
  readonly name: string;
  /** Source that its name says, of the same tool. */
  readonly sourceId: string;
  /** First stamp that its name says, Unix ms; null: none. For a list only: what it holds, its series says. */
  readonly startMs: number | null;
  /** Somebody may still be writing into it. */
  readonly isOpen: boolean;
  /** When the service says that it was made, Unix ms by its clock; null: it does not say. */
  readonly madeMs: number | null;
}

/** What of it the planner needs; the typed client has it. */
export type CatalogueService = Pick<ServiceClient, 'listDataEntries' | 'scanTimeSeries'>;

export interface ForeignOptions {
  readonly service: CatalogueService;
  readonly toolName: string;
  /** Zone of the times in the names of streams. */
  readonly timeZone: string;
  /** Sources that are looked for; null: each that is named. */
  readonly sourceIds: readonly string[] | null;
  /** Entries and names of the streams in this agent's own queue. */
  readonly isOwn: (dataId: string, name: string) => boolean;
  /** Ends the calls; absent: nothing does. */
  readonly signal?: AbortSignal;
}

export class ForeignEntries {
  readonly #service: CatalogueService;
  readonly #signal: AbortSignal;
  readonly #bySource = new Map<string, ForeignEntry[]>();
  /** True when there are more entries than were looked through. */
  isCut = false;

  private constructor(service: CatalogueService, signal: AbortSignal) {
    this.#service = service;
    this.#signal = signal;
  }

  /**
   * Look through the catalogue.
   *
   * @returns it, with what others have made.
   * @throws the ServiceError of the call that failed.
   */
  static async read({
    service,
    toolName,
    timeZone,
    sourceIds,
    isOwn,
    ...more
  }: ForeignOptions): Promise<ForeignEntries> {
    const { signal = new AbortController().signal } = more;
    const catalogue = new ForeignEntries(service, signal);
    for (let offset = 0; ; offset += PAGE) {
      const entries = await service.listDataEntries({ limit: PAGE, offset }, { signal });
      for (const { data_id: dataId, raw_name, pipeline_status, upload_datetime } of entries) {
        const name = raw_name ?? '';
        if (name === '' || isOwn(dataId, name)) continue;
        const said = parseStreamName(name, toolName);
        if (said === null || (sourceIds !== null && !sourceIds.includes(said.sourceId))) continue;
        const { sourceId } = said;
        const isOpen = !ENDED.has(pipeline_status ?? '');
        const startMs = instantOf(said.start, timeZone);
        const made = Date.parse(upload_datetime ?? '');
        const madeMs = Number.isNaN(made) ? null : made;
        const entry: ForeignEntry = { dataId, name, sourceId, startMs, isOpen, madeMs };
        catalogue.#bySource.set(sourceId, [...(catalogue.#bySource.get(sourceId) ?? []), entry]);
      }
      if (entries.length < PAGE) break;
      catalogue.isCut = offset + PAGE >= ENTRIES_MAX;
      if (catalogue.isCut) break;
    }
    return catalogue;
  }

  /** Entries of all sources of this tool. */
  get ofTool(): readonly ForeignEntry[] {
    return [...this.#bySource.values()].flat();
  }

  /** Entries of a source of this tool that others have made, earliest first. */
  ofSource(sourceId: string): readonly ForeignEntry[] {
    const entries = this.#bySource.get(sourceId) ?? [];
    return [...entries].sort((a, b) => (a.startMs ?? 0) - (b.startMs ?? 0));
  }

  /**
   * Read the series of an entry, channel by channel; null when it has none.
   *
   * @throws the ServiceError of the call.
   */
  async seriesOf({ dataId }: Pick<ForeignEntry, 'dataId'>): Promise<Map<string, HeldSeries> | null> {
    const arrays = new Map<string, { times: number[]; values: number[] }>();
    const end = await this.#service.scanTimeSeries(
      { data_id: dataId, return_null_if_missing: true },
      {
        onNumbers: (property, array, from, numbers) => {
          const own = arrays.get(property) ?? { times: [], values: [] };
          arrays.set(property, own);
          for (let i = 0; i < numbers.length; i++) own[array][from + i] = numbers[i] as number;
        },
        onProperty: () => undefined,
      },
      { signal: this.#signal },
    );
    if (end === null) return null;
    const made = [...arrays].map(
      ([name, { times, values }]) =>
        [name, new HeldSeries(Float64Array.from(times), Float64Array.from(values))] as const,
    );
    return new Map(made.filter(([, { points }]) => points > 0));
  }
}

function instantOf(start: string, timeZone: string): number | null {
  try {
    return Temporal.PlainDateTime.from(start.replace(' ', 'T')).toZonedDateTime(timeZone).epochMilliseconds;
  } catch {
    // Some other text that only looked like one of our names.
    return null;
  }
}
