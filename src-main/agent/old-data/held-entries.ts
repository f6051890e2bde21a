// The series of entries that others have made, read when they are asked for and kept as long as they can be.
//
// How far an entry reaches is what its series says: no name, no modification time and no setting of now. So each is read once
// to know that, and a second time when files come to it later. Bounds: the series of those entries are in memory that
// overlap the file which is looked at.
import type { ForeignEntries, ForeignEntry } from './foreign-entries.ts';
import type { HeldEntry } from './held-entry.ts';

/** First and last instant of rows or points, Unix ms. */
export interface Span {
  readonly firstMs: number;
  readonly lastMs: number;
}

type SeriesReader = Pick<ForeignEntries, 'seriesOf'>;
/** What must be known of an entry. */
export type AskedEntry = Pick<ForeignEntry, 'dataId' | 'name' | 'isOpen'>;

/** A stamp comes back a millisecond off. */
const EDGE_MS = 1;

export class HeldEntries {
  readonly #catalogue: SeriesReader;
  /** How far each entry reaches that was read; null: it has no series. */
  readonly #spans = new Map<string, Span | null>();
  readonly #held = new Map<string, HeldEntry>();

  /** Takes where series are read. */
  constructor(catalogue: SeriesReader) {
    this.#catalogue = catalogue;
  }

  /**
   * Entries that may hold something of a span.
   *
   * @returns those that overlap it, with their series.
   * @throws the ServiceError of the call.
   */
  async overlapping(entries: readonly AskedEntry[], { firstMs, lastMs }: Span): Promise<HeldEntry[]> {
    const found: HeldEntry[] = [];
    for (const entry of entries) {
      const { dataId } = entry;
      if (!this.#spans.has(dataId)) await this.#read(entry);
      const span = this.#spans.get(dataId) ?? null;
      if (span === null || span.firstMs > lastMs + EDGE_MS) this.#held.delete(dataId);
      else if (span.lastMs >= firstMs - EDGE_MS) {
        const held = this.#held.get(dataId) ?? (await this.#read(entry));
        if (held !== null) found.push(held);
      }
    }
    return found;
  }

  /** Files are asked for in the order of their first rows: what ends before one is not asked for again. */
  forgetBefore(timeMs: number): void {
    for (const [dataId, span] of this.#spans) if (span && span.lastMs < timeMs - EDGE_MS) this.#held.delete(dataId);
  }

  async #read(entry: AskedEntry): Promise<HeldEntry | null> {
    const series = (await this.#catalogue.seriesOf(entry)) ?? new Map();
    const all = [...series.values()];
    const firstMs = Math.min(...all.map((one) => one.firstMs));
    const lastMs = Math.max(...all.map((one) => one.lastMs));
    this.#spans.set(entry.dataId, all.length === 0 ? null : { firstMs, lastMs });
    if (all.length === 0) return null;
    const held = { name: entry.name, series };
    this.#held.set(entry.dataId, held);
    return held;
  }
}
