// Points that are no longer kept here and were read from the service: they join those of the queue window by window. A point
// that both have is taken once, from the queue.
import { type Spool, SpooledChannel } from './spool.ts';

/** Points of one channel, in the order of time or not. */
export interface ChannelPoints {
  readonly channelId: number;
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
}

export class OlderPoints {
  readonly #channels: { id: number; spooled: SpooledChannel }[] = [];

  /** Take the channels of an entry; `idOf` tells which channel of the export one is, undefined: none. */
  add({ series }: Spool, idOf: (channel: string, unit: string) => number | undefined): void {
    for (const one of series) {
      const id = idOf(one.channel, one.unit);
      if (id !== undefined) this.#channels.push({ id, spooled: new SpooledChannel(one) });
    }
  }

  /** First and last time of each channel, Unix ms. */
  get stamps(): number[] {
    return this.#channels.flatMap(({ spooled: { span } }) => (span ? [span.firstMs, span.lastMs] : []));
  }

  /** Shorten a span so that about `most` points lie in it, a millisecond at least, or what a double can tell apart. */
  shorten(fromMs: number, toMs: number, most: number): number {
    let end = toMs;
    while (end - fromMs > 1 && this.#count(fromMs, end) > most) {
      const middle = fromMs + (end - fromMs) / 2;
      if (middle <= fromMs || middle >= end) return end;
      end = middle;
    }
    return end;
  }

  /**
   * Read the points in [fromMs, toMs) that the queue does not have.
   *
   * @param kept - what the queue has in that span.
   */
  read(fromMs: number, toMs: number, kept: readonly ChannelPoints[]): ChannelPoints[] {
    const found: ChannelPoints[] = [];
    for (const { id, spooled } of this.#channels) {
      const { timesMs, values } = spooled.read(spooled.placeOf(fromMs), spooled.placeOf(toMs));
      if (timesMs.length === 0) continue;
      const own = new Map<number, number>();
      for (const one of kept) {
        if (one.channelId === id) for (const timeMs of one.timesMs) own.set(timeMs, (own.get(timeMs) ?? 0) + 1);
      }
      const missing = [...timesMs.keys()].filter((i) => {
        const timeMs = timesMs[i] as number;
        const left = own.get(timeMs) ?? 0;
        if (left > 0) own.set(timeMs, left - 1);
        return left === 0;
      });
      if (missing.length === 0) continue;
      const pick = (numbers: Float64Array) => Float64Array.from(missing, (i) => numbers[i] as number);
      found.push({ channelId: id, timesMs: pick(timesMs), values: pick(values) });
    }
    return found;
  }

  #count(fromMs: number, toMs: number): number {
    return this.#channels.reduce((sum, { spooled }) => sum + spooled.placeOf(toMs) - spooled.placeOf(fromMs), 0);
  }
}
