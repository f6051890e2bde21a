// Picks out of a series, as it comes in, the points that lie in some windows. Times come first and values after them, or
// the other way round; then the series has to be told twice.
import type { SeriesListener } from '../client/scan-series.ts';
import { TOLERANCE_MS } from './compare.ts';
import { PointBuffer } from './point-buffer.ts';
import type { Span } from './windows.ts';

/** What is wanted of a channel: stamps in `span`, and those so close to it that they may be meant, at most so many. */
export interface WantedSpan {
  readonly channel: string;
  readonly span: Span;
  readonly maxPoints: number;
}

class Picked {
  readonly points: PointBuffer;
  readonly #fromMs: number;
  readonly #toMs: number;
  /** Where the points stand in the series; as many as `points` holds. */
  readonly #places: number[] = [];
  /** How many of them have their value. */
  #valued = 0;

  constructor({ fromMs, toMs }: Span, max: number) {
    this.points = new PointBuffer(max);
    this.#fromMs = fromMs - TOLERANCE_MS;
    this.#toMs = toMs + TOLERANCE_MS;
  }

  addTimes(from: number, timesMs: Float64Array): void {
    for (let at = 0; at < timesMs.length; at++) {
      const timeMs = timesMs[at] as number;
      if (timeMs < this.#fromMs || timeMs > this.#toMs) continue;
      // Without its value it is no point; a series that ends before leaves it so.
      if (this.points.add(timeMs, Number.NaN)) this.#places.push(from + at);
    }
  }

  addValues(from: number, values: Float64Array): void {
    for (; this.#valued < this.#places.length; this.#valued++) {
      const at = (this.#places[this.#valued] as number) - from;
      if (at >= values.length) return;
      this.points.setValue(this.#valued, values[at] as number);
    }
  }
}

export class WindowReader implements SeriesListener {
  readonly #picked = new Map<WantedSpan, Picked>();
  readonly #byChannel = new Map<string, Picked[]>();
  /** Channels whose times are known. */
  readonly #timed = new Set<string>();
  /** Channels whose values came before their times. */
  readonly #turned = new Set<string>();
  readonly #found = new Map<string, number>();
  #isSecondTime = false;

  constructor(wanted: Iterable<WantedSpan>) {
    for (const one of wanted) {
      const picked = new Picked(one.span, one.maxPoints);
      this.#picked.set(one, picked);
      this.#byChannel.set(one.channel, [...(this.#byChannel.get(one.channel) ?? []), picked]);
    }
  }

  onNumbers(channel: string, array: 'times' | 'values', from: number, numbers: Float64Array): void {
    const windows = this.#byChannel.get(channel);
    if (!windows) return;
    if (array === 'times') {
      if (this.#isSecondTime) return;
      this.#timed.add(channel);
      for (const window of windows) window.addTimes(from, numbers);
    } else if (this.#timed.has(channel)) {
      if (!this.#isSecondTime || this.#turned.has(channel))
        for (const window of windows) window.addValues(from, numbers);
    } else this.#turned.add(channel);
  }

  onProperty(channel: string, points: number): void {
    this.#found.set(channel, points);
  }

  /** True when the series must be told once more, since values came before their times. */
  needsSecondTime(): boolean {
    this.#isSecondTime = true;
    return this.#turned.size > 0;
  }

  /** Points of a channel that the series has in all. */
  found(channel: string): number {
    return this.#found.get(channel) ?? 0;
  }

  pointsOf(wanted: WantedSpan): PointBuffer {
    return this.#picked.get(wanted)?.points ?? new PointBuffer(0);
  }
}
