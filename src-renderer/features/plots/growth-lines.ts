// The lines of growths laid over each other: each on elapsed time from its own start, or all at their true time. Pure.
import { formatMoment } from '../../format/time.ts';
import type { Growth } from '../../state/growth.ts';
import type { LimitEntry } from '../../state/limits.ts';
import type { Reading } from '../../state/plot.ts';
import { channelKey } from '../../ui/plot/line-key.ts';
import type { PlotSpan, PlottedLine } from '../../ui/plot/plotted-line.ts';
import { toPlotted } from '../../ui/plot/to-plotted.ts';
import { words } from './words.ts';

/** What lies over each other: the starts of the growths, or the times of the clock. */
export type Alignment = 'start' | 'clock';

/** Where the axis of a growth begins, Unix milliseconds. */
const zeroOf = ({ startedMs }: Growth, alignment: Alignment) => (alignment === 'start' ? startedMs : 0);

/** Names of growths, unlike each other. */
export function titlesOf(growths: readonly Growth[]): string[] {
  const names = growths.map(({ name }) => name || words.unnamed);
  return growths.map(({ startedMs }, at) => {
    const name = names[at] ?? '';
    const isAlone = names.indexOf(name) === names.lastIndexOf(name);
    return isAlone ? name : `${name} (${formatMoment(startedMs, 0)})`;
  });
}

/**
 * Make the lines of growths, each named by its growth; the limits of a channel are drawn once.
 *
 * @param read - the points of each growth; absent: they are not there yet.
 */
export function linesOf(
  growths: readonly Growth[],
  read: readonly (Pick<Reading, 'lines' | 'gaps'> | undefined)[],
  alignment: Alignment,
  limits: readonly LimitEntry[] = [],
): PlottedLine[] {
  const titles = titlesOf(growths);
  const limited = new Set<string>();
  const found = growths.flatMap((growth, at) =>
    (read[at]?.lines ?? []).filter(({ timesMs }) => timesMs.length > 0).map((line) => ({ growth, at, line })),
  );
  return found.map(({ growth, at, line }, colour) => {
    const zeroMs = zeroOf(growth, alignment);
    const plotted = toPlotted(line, colour, read[at]?.gaps ?? [], limited.has(channelKey(line)) ? [] : limits);
    limited.add(channelKey(line));
    return {
      ...plotted,
      key: `${growth.id} ${plotted.key}`,
      name: `${titles[at]}: ${line.channel}`,
      isStepped: true,
      xs: plotted.xs.map((timeMs) => timeMs - zeroMs),
      gaps: (plotted.gaps ?? []).map(({ fromMs, toMs }) => ({ fromMs: fromMs - zeroMs, toMs: toMs - zeroMs })),
      // At the clock every place is its true time.
      ...(zeroMs === 0 ? {} : { zeroMs }),
    };
  });
}

/** The part of the axis that all growths together take. */
export function wholeSpan(growths: readonly Growth[], alignment: Alignment, nowMs: number): PlotSpan {
  const from = Math.min(...growths.map((growth) => growth.startedMs - zeroOf(growth, alignment)));
  const to = Math.max(...growths.map((growth) => (growth.endedMs ?? nowMs) - zeroOf(growth, alignment)));
  return from < to ? { from, to } : { from: 0, to: 1000 };
}
