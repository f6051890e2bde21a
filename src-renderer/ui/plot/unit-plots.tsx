import { type OwnAxes, type PlotGroup, placeLines } from './place-lines.ts';
import { PlotPanel } from './plot-panel.tsx';
import type { PlotAxis, PlotSpan, PlottedLine, PlottedMark, Scale, ValueRanges } from './plotted-line.ts';

/** One plot is high; of several each is less so. */
const HEIGHT_PX = { one: 420, several: 240 };
const NO_AXES: OwnAxes = {};

interface UnitPlotsProps extends PlotSpan {
  lines: readonly PlottedLine[];
  /** The marks of a plot. */
  marksOf?: (group: PlotGroup) => readonly PlottedMark[];
  /** Where an axis of time has its ticks; absent: at round times. */
  ticks?: readonly number[];
  axis?: PlotAxis;
  scale?: Scale;
  /** Vertical ranges by hand; absent: as the values need, and the plots are low. */
  ranges?: ValueRanges;
  ownAxes?: OwnAxes;
  onRanges?: (ranges: ValueRanges) => void;
  onOwnAxes?: (ownAxes: OwnAxes) => void;
  onSpan?: (span: PlotSpan) => void;
}

/** A plot for each unit, all over the same time; a line with an axis of its own stands in any of them. */
export function UnitPlots({ lines, marksOf, ownAxes = NO_AXES, onOwnAxes, ...rest }: UnitPlotsProps) {
  const groups = placeLines(lines, ownAxes);
  const rightAxes = Math.max(0, ...groups.map(({ own }) => own.size));
  const heightPx = groups.length === 1 ? HEIGHT_PX.one : HEIGHT_PX.several;
  return groups.map((group) => (
    <PlotPanel
      key={group.unit}
      unit={group.unit}
      lines={group.lines}
      own={group.own}
      rightAxes={rightAxes}
      {...(marksOf ? { marks: marksOf(group) } : {})}
      {...(rest.onRanges ? { heightPx } : {})}
      {...(onOwnAxes
        ? {
            plotsFor: (line) => groups.filter((other) => hasOther(other, line)).map(({ unit }) => unit),
            onOwnAxis: ({ key }, unit) => {
              const { [key]: _, ...others } = ownAxes;
              onOwnAxes(unit === null ? others : { ...others, [key]: unit });
            },
          }
        : {})}
      {...rest}
    />
  ));
}

/** Whether a plot still has a line on its first axis when this one has an axis of its own. */
const hasOther = ({ lines, own }: PlotGroup, line: PlottedLine) =>
  lines.some(({ key }) => key !== line.key && !own.has(key));
