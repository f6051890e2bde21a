// The points of entries, as the uploader and the plan of old data ask for them: one by one, by the name of their channel.
import type { HeldSeries } from '../../delivery/client/held-series.ts';
import { findAlias, type HeldEntry, seriesFor } from './held-entry.ts';

/** The name of a channel without what was added to tell it from one of another file. */
const plainName = (channel: string) => channel.replace(/ \([^()]*\)$/, '');

/** Points of entries; see `HeldPoints` of the uploader. */
export class EntryPoints {
  readonly #entries: readonly HeldEntry[];
  /** Series that may carry a channel, by its name, and the names of their entries. */
  readonly #carriers = new Map<string, readonly { readonly name: string; readonly series: HeldSeries }[]>();
  /** Series of other names, by the channel that they hold; null: they are not taken. */
  #aliases: Map<string, { readonly entry: HeldEntry; readonly series: HeldSeries }> | null = null;

  constructor(entries: readonly HeldEntry[]) {
    this.#entries = entries;
  }

  take(channel: string, timeMs: number, value: number): string | null {
    const alias = this.#aliases?.get(channel);
    if (alias?.series.has(timeMs, value, true)) return alias.entry.name;
    return this.#carriersOf(channel).find(({ series }) => series.has(timeMs, value, true))?.name ?? null;
  }

  findAlias(channel: string, timesMs: Float64Array, values: Float64Array, known: readonly string[]): string | null {
    if (this.#aliases?.has(channel)) return null;
    const points = { timesMs, valueAt: (row: number) => values[row] as number };
    const found = findAlias([channel, plainName(channel)], points, this.#entries, known);
    if (found === null) return null;
    const { entry, name, series } = found;
    this.#aliases?.set(channel, { entry, series });
    return `the values of "${channel}" are in "${entry.name}" under the name "${name}"`;
  }

  takeAliases(): void {
    this.#aliases ??= new Map();
  }

  #carriersOf(channel: string) {
    const known = this.#carriers.get(channel);
    if (known !== undefined) return known;
    const names = [channel, plainName(channel)];
    const carriers = this.#entries.flatMap((entry) =>
      seriesFor(names, entry).map((series) => ({ name: entry.name, series })),
    );
    this.#carriers.set(channel, carriers);
    return carriers;
  }

  settle(isDone: boolean): void {
    for (const { series } of this.#entries) for (const one of series.values()) one.settle(isDone);
  }
}
