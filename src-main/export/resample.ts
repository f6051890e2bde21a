// Puts points on an even time axis. Each step takes only points that lie in it: no step is filled from another one, so a gap
// stays a gap.
import type { ResampleMethod } from '../model/export.ts';
import type { Column, PointSource, PointWindow } from './points.ts';

export interface Resample {
  /** Milliseconds, above 0. */
  readonly everyMs: number;
  readonly method: ResampleMethod;
}

interface Step {
  index: number;
  count: number;
  value: number;
}

const FOLD: Readonly<Record<ResampleMethod, (step: Step, value: number) => number>> = {
  // A running mean does not overflow where a sum does; between the two ends of all doubles their difference would.
  mean: ({ value: mean, count }, value) => {
    const change = (value - mean) / count;
    return mean + (Number.isFinite(change) ? change : value / count - mean / count);
  },
  first: ({ value }) => value,
  last: (_, value) => value,
  min: (step, value) => Math.min(step.value, value),
  max: (step, value) => Math.max(step.value, value),
};

/**
 * Resample what is exported. Steps begin at whole multiples of `everyMs` since 1970, so that two exports share their axis.
 *
 * @param source - the points.
 * @param resample - step and method.
 * @returns windows with one point a step and series, stamped with the beginning of the step.
 */
export async function* resampleWindows(
  source: PointSource,
  { everyMs, method }: Resample,
): AsyncGenerator<PointWindow> {
  const fold = FOLD[method];
  // The step that a series stands in may go on in the next window.
  const open: (Step | null)[] = source.head.series.map(() => null);
  const close = (column: number, times: number[], values: number[]) => {
    const step = open[column];
    if (!step) return;
    times.push(step.index * everyMs);
    values.push(step.value);
    open[column] = null;
  };
  const windowOf = (columns: Column[], fromMs: number, toMs: number) => ({ fromMs, toMs, columns });
  for await (const { fromMs, toMs, columns } of source.windows()) {
    const done = columns.map(({ timesMs, values }, column) => {
      const out = { times: [] as number[], values: [] as number[] };
      for (const [i, timeMs] of timesMs.entries()) {
        const index = Math.floor(timeMs / everyMs);
        const value = values[i] as number;
        if (open[column]?.index !== index) close(column, out.times, out.values);
        const step = open[column] ?? { index, count: 0, value };
        step.count += 1;
        if (step.count > 1) step.value = fold(step, value);
        open[column] = step;
      }
      // A step that ends before the window does is whole: the rows of all series stay side by side.
      if (open[column] && (open[column].index + 1) * everyMs <= toMs) close(column, out.times, out.values);
      return { timesMs: Float64Array.from(out.times), values: Float64Array.from(out.values) };
    });
    yield windowOf(done, fromMs, toMs);
  }
  const rest = open.map((_, column) => {
    const out = { times: [] as number[], values: [] as number[] };
    close(column, out.times, out.values);
    return { timesMs: Float64Array.from(out.times), values: Float64Array.from(out.values) };
  });
  yield windowOf(rest, source.head.toMs, source.head.toMs);
}
