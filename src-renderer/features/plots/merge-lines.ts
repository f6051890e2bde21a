import type { PlotLine } from '../../state/plot.ts';
import { channelKey } from '../../ui/plot/line-key.ts';

/** Put lines of the queue and of the service together: one line a channel, its times rising. */
export function mergeLines(lines: readonly PlotLine[], older: readonly PlotLine[]): PlotLine[] {
  if (older.length === 0) return [...lines];
  return lines.map((line) => {
    const parts = [...older.filter((one) => channelKey(one) === channelKey(line)), line];
    const points = parts.flatMap(({ timesMs, values }) =>
      timesMs.map((timeMs, at) => [timeMs, values[at] ?? 0] as const),
    );
    points.sort(([a], [b]) => a - b);
    const unit = line.unit || (parts.find((part) => part.unit !== '')?.unit ?? '');
    // What came from the service was thinned: nobody counted all of its points.
    const statistics = parts.length > 1 ? null : line.statistics;
    return {
      ...line,
      unit,
      statistics,
      timesMs: points.map(([timeMs]) => timeMs),
      values: points.map(([, value]) => value),
    };
  });
}
