// A time series of the service, thinned while it comes in: one property stands in memory at a time.

import type { z } from 'zod';
import { LINES_MAX, type SeriesLine } from '../../../contract/catalogue.ts';
import type { ServiceClient } from '../../../delivery/client/client.ts';
import { AgentError } from '../../../model/agent-error.ts';
import { formatCount } from '../../../model/format.ts';
import { thin } from '../../../model/thin.ts';
import { cut } from './entry-view.ts';

/** Points of one property that are read; 32 MB of memory. */
const POINTS_MAX = 2_000_000;
const FIRST_ROOM = 8192;

/** Numbers of unknown count; room doubles. */
class Growing {
  #held = new Float64Array(FIRST_ROOM);
  #count = 0;

  put(from: number, numbers: Float64Array): void {
    const count = from + numbers.length;
    if (count > this.#held.length) {
      const room = new Float64Array(Math.max(count, this.#held.length * 2));
      room.set(this.#held.subarray(0, this.#count));
      this.#held = room;
    }
    this.#held.set(numbers, from);
    this.#count = count;
  }

  /** Give what is held, and start from empty. */
  take(): Float64Array {
    const taken = this.#held.slice(0, this.#count);
    this.#held = new Float64Array(FIRST_ROOM);
    this.#count = 0;
    return taken;
  }
}

export interface EntrySeries {
  readonly lines: z.infer<typeof SeriesLine>[];
  /** Lines beyond those that are told. */
  readonly left: number;
}

/**
 * Read the series of an entry (4.3).
 *
 * @param dataId - the entry.
 * @param maxPoints - the most points of a line.
 * @param signal - what gives the question up.
 * @returns the first 60 lines, thinned keeping extremes; null when the entry has no series.
 * @throws the ServiceError of the call; `catalogue.series-too-long` above two million points of one property.
 */
export async function readEntrySeries(
  client: Pick<ServiceClient, 'scanTimeSeries'>,
  dataId: string,
  maxPoints: number,
  signal: AbortSignal,
): Promise<EntrySeries | null> {
  const lines: z.infer<typeof SeriesLine>[] = [];
  const tooLong = new AbortController();
  const held = { times: new Growing(), values: new Growing() };
  let left = 0;
  const scan = client.scanTimeSeries(
    { data_id: dataId, return_null_if_missing: true },
    {
      onNumbers: (_, array, from, numbers) => {
        if (lines.length >= LINES_MAX) return;
        if (from + numbers.length > POINTS_MAX) return tooLong.abort();
        held[array].put(from, numbers);
      },
      onProperty: (name, points, units) => {
        if (lines.length >= LINES_MAX) {
          left += 1;
          return;
        }
        const { timesMs, values } = thin(held.times.take(), held.values.take(), maxPoints);
        const holed = values.map((value) => (Number.isFinite(value) ? value : null));
        lines.push({ name: cut(name), unit: cut(units ?? ''), points, timesMs, values: holed });
      },
    },
    { signal: AbortSignal.any([signal, tooLong.signal]) },
  );
  try {
    return (await scan) === null ? null : { lines, left };
  } catch (thrown) {
    if (!tooLong.signal.aborted) throw thrown;
    throw new AgentError({
      code: 'catalogue.series-too-long',
      message: `A line of this series has more than ${formatCount(POINTS_MAX)} points.`,
      hint: 'Save the raw file and plot it with another program.',
    });
  }
}
