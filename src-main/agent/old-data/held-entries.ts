// The series of entries that others have made, read when they are asked for and kept as long as they can be.
//
// How far an entry reaches is what its series says: no name, no modification time and no setting of now. So each is read once
// to know that. Bounds: the series of those entries are in memory that overlap the span in question, and of the others those
// asked for last, 2 million points in all.
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
/** Points in memory from which on entries are dropped that do not overlap the span in question. */
const POINTS_MAX = 2_000_000;

export class HeldEntries {
  readonly #catalogue: SeriesReader;
  /** How far each entry reaches that was read; null: it has no series. */
  readonly #spans = new Map<string, Span | null>();
  /** Those asked for last stand last. */
  readonly #held = new Map<string, HeldEntry>();
  #points = 0;

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
  async overlapping(entries: readonly AskedEntry[], asked: Span): Promise<HeldEntry[]> {
    const found: HeldEntry[] = [];
    for (const entry of entries) {
      const { dataId } = entry;
      if (!this.#spans.has(dataId)) await this.#read(entry);
      if (this.#isReaching(dataId, asked)) {
        const held = this.#held.get(dataId) ?? (await this.#read(entry));
        if (held !== null) {
          this.#held.delete(dataId);
          this.#held.set(dataId, held);
          found.push(held);
        }
      }
      this.#drop(asked);
    }
    return found;
  }

  #isReaching(dataId: string, { firstMs, lastMs }: Span): boolean {
    const span = this.#spans.get(dataId) ?? null;
    return span !== null && span.firstMs <= lastMs + EDGE_MS && span.lastMs >= firstMs - EDGE_MS;
  }

  #drop(asked: Span): void {
    for (const [dataId, held] of this.#held) {
      if (this.#points <= POINTS_MAX) return;
      if (this.#isReaching(dataId, asked)) continue;
      this.#held.delete(dataId);
      this.#points -= pointsOf(held);
    }
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
    this.#points += pointsOf(held);
    return held;
  }
}

const pointsOf = ({ series }: HeldEntry) => [...series.values()].reduce((sum, { points }) => sum + points, 0);
