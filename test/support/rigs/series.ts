// A series as whole columns, for tests that hold them against something.
import type { SeriesListener } from '../../../src-main/delivery/client/scan-series.ts';

/** One property of a series. The arrays have the same length; NaN stands where the service gave null. */
export interface SeriesColumns {
  readonly name: string;
  readonly timesMs: readonly number[];
  readonly values: readonly number[];
  readonly units: string | null;
}

/** Collect each property into columns; told once it is complete. */
export function collectColumns(onProperty: (property: SeriesColumns) => void): SeriesListener {
  let columns: Record<'times' | 'values', number[]> = { times: [], values: [] };
  return {
    onNumbers: (_, array, from, numbers) => {
      if (columns[array].length !== from) throw new Error(`numbers from ${from} follow ${columns[array].length}`);
      columns[array].push(...numbers);
    },
    onProperty: (name, points, units) => {
      const { times: timesMs, values } = columns;
      if (timesMs.length !== points || values.length !== points) throw new Error(`${points} points were promised`);
      columns = { times: [], values: [] };
      onProperty({ name, timesMs, values, units });
    },
  };
}

/** Tell a series of these properties, the values first if asked for. */
export function tellColumns(properties: readonly SeriesColumns[], listener: SeriesListener, isTurned = false): void {
  for (const { name, timesMs, values, units } of properties) {
    const arrays = [
      ['times', timesMs],
      ['values', values],
    ] as const;
    for (const [array, numbers] of isTurned ? arrays.toReversed() : arrays) {
      for (let from = 0; from < numbers.length; from += 1000) {
        listener.onNumbers(name, array, from, Float64Array.from(numbers.slice(from, from + 1000)));
      }
    }
    listener.onProperty(name, values.length, units);
  }
}
