import { type PlotGroup, placeLines } from './place-lines.ts';
import { PlotPanel, type PlotPanelProps } from './plot-panel.tsx';
import type { PlottedMark } from './plotted-line.ts';

/** One plot is high; of several each is less so. */
const HEIGHT_PX = { one: 420, several: 240 };

interface UnitPlotsProps extends Omit<PlotPanelProps, 'unit' | 'own' | 'marks' | 'rightAxes' | 'onOwnAxis'> {
  /** The marks of a plot. */
  marksOf?: (group: PlotGroup) => readonly PlottedMark[];
  /** Keys of lines with an axis of their own. */
  ownAxes?: readonly string[];
  onOwnAxes?: (ownAxes: readonly string[]) => void;
}

/** A plot for each unit, all over the same time; lines with an axis of their own stand in the first. */
export function UnitPlots({ lines, marksOf, ownAxes = [], onOwnAxes, ...rest }: UnitPlotsProps) {
  const groups = placeLines(lines, ownAxes);
  const rightAxes = Math.max(0, ...groups.map(({ own }) => own.size));
  const heightPx = groups.length === 1 ? HEIGHT_PX.one : HEIGHT_PX.several;
  return groups.map((group) => (
    <PlotPanel
      key={group.unit}
      unit={group.unit}
      own={group.own}
      rightAxes={rightAxes}
      {...(marksOf ? { marks: marksOf(group) } : {})}
      {...(rest.onRanges ? { heightPx } : {})}
      {...(onOwnAxes
        ? {
            onOwnAxis: (key: string, isOwn: boolean) =>
              onOwnAxes([...ownAxes.filter((one) => one !== key), ...(isOwn ? [key] : [])]),
          }
        : {})}
      {...rest}
      lines={group.lines}
    />
  ));
}
