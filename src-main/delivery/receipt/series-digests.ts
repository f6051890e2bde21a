// A series as it comes in, as hashes of its columns; what was sent is known by the same hashes.
import type { SeriesListener } from '../client/scan-series.ts';
import { ColumnDigest } from './column-digest.ts';
import type { StoredChannel } from './stored-channels.ts';

interface Channel {
  readonly times: ColumnDigest;
  readonly values: ColumnDigest;
  points: number;
}

export class SeriesDigests implements SeriesListener {
  readonly #channels: ReadonlyMap<string, Channel>;
  /** Channels with points that are none of ours. */
  readonly foreign: { readonly name: string; readonly points: number }[] = [];

  /**
   * @param names - the names of our channels.
   */
  constructor(names: readonly string[]) {
    this.#channels = new Map(
      names.map((name) => [name, { times: new ColumnDigest(), values: new ColumnDigest(), points: 0 }]),
    );
  }

  onNumbers(name: string, array: 'times' | 'values', _from: number, numbers: Float64Array): void {
    this.#channels.get(name)?.[array].add(numbers);
  }

  onProperty(name: string, points: number): void {
    const channel = this.#channels.get(name);
    if (channel) channel.points = points;
    else if (points > 0) this.foreign.push({ name, points });
  }

  /** Points of one of our channels. */
  found(name: string): number {
    return this.#channels.get(name)?.points ?? 0;
  }

  /** Tell whether a channel is here as the very sequence that was sent, whole. */
  isSequence({ facts, points, times, values }: StoredChannel): boolean {
    const channel = this.#channels.get(facts.name);
    const isWhole = points === facts.acknowledged && channel?.points === points;
    return isWhole && values.hash === channel.values.hash && times.some(({ hash }) => hash === channel.times.hash);
  }
}
