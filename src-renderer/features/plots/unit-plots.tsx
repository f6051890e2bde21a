import { useMemo } from 'react';
import type { PlotChannel, PlotGap, PlotLine, PlotMark, Span } from '../../state/plot.ts';
import type { Reading } from '../../state/plots.ts';
import { channelKey } from '../../ui/plot/line-key.ts';
import { PlotPanel } from '../../ui/plot/plot-panel.tsx';
import type { PlottedLine, PlottedMark } from '../../ui/plot/plotted-line.ts';
import { toPlotted } from '../../ui/plot/to-plotted.ts';
import type { PlotState, Scale } from './plot-view.ts';

/** One plot is high; of several each is less so. */
const HEIGHT_PX = { one: 420, several: 240 };
/** More marks than this at once would be a wall, not marks. */
const MARKS_MAX = 200;

interface UnitPlotsProps {
  shown: readonly PlotChannel[];
  lines: readonly PlotLine[];
  reading: Reading;
  /** Those that a person wants to see. */
  marks: readonly PlotMark[];
  span: Span;
  scale: Scale;
  ranges: PlotState['ranges'];
  onRanges: (ranges: PlotState['ranges']) => void;
  onSpan: (span: Span) => void;
}

/** A plot for each unit, all over the same time. */
export function UnitPlots({ shown, lines, reading, marks, span, scale, ranges, onRanges, onSpan }: UnitPlotsProps) {
  const { gaps, cells } = reading;
  const colours = useMemo(() => new Map(shown.map((channel, at) => [channelKey(channel), at])), [shown]);
  const events: PlottedMark[] = marks.slice(0, MARKS_MAX).map(({ timeMs, text }) => ({ at: timeMs, text }));
  const groups = Map.groupBy(lines, ({ unit }) => unit);
  return [...groups].map(([unit, own]) => {
    const plotted = own.map((line) => plotOnce(line, colours.get(channelKey(line)) ?? 0, gaps));
    const inPlot = new Set(own.map(channelKey));
    const noNumbers = cells
      .filter((cell) => inPlot.has(channelKey(cell)))
      .map(({ timeMs, text }): PlottedMark => ({ at: timeMs, text, isNoNumber: true }));
    return (
      <PlotPanel
        key={unit}
        unit={unit}
        lines={plotted}
        marks={[...events, ...noNumbers]}
        from={span.fromMs}
        to={span.toMs}
        scale={scale}
        yRange={ranges[unit] ?? null}
        onYRange={(range) => {
          const { [unit]: _, ...others } = ranges;
          onRanges(range === null ? others : { ...others, [unit]: range });
        }}
        heightPx={groups.size === 1 ? HEIGHT_PX.one : HEIGHT_PX.several}
        onSpan={({ from, to }) => onSpan({ fromMs: from, toMs: to })}
      />
    );
  });
}

const plottedOf = new WeakMap<PlotLine, { colour: number; gaps: readonly PlotGap[]; plotted: PlottedLine }>();

/** The same line gives the same object, so that a plot that is only moved is not made again. */
function plotOnce(line: PlotLine, colour: number, gaps: readonly PlotGap[]): PlottedLine {
  const before = plottedOf.get(line);
  if (before && before.colour === colour && before.gaps === gaps) return before.plotted;
  const plotted = toPlotted(line, colour, gaps);
  plottedOf.set(line, { colour, gaps, plotted });
  return plotted;
}
