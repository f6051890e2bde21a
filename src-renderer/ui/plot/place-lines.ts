import type { PlottedLine } from './plotted-line.ts';

/** The lines of one plot: those of its unit on one axis, and lines with an axis of their own at the right. */
export interface PlotGroup {
  readonly unit: string;
  readonly lines: readonly PlottedLine[];
  /** Keys of the lines with an axis of their own. */
  readonly own: ReadonlySet<string>;
}

/**
 * Spread lines over plots, one for each unit: two units never share an axis.
 *
 * @param lines - in their order, which stays.
 * @param ownAxes - keys of lines with an axis of their own. They are drawn in the first plot; where no other line is left for
 *   it, nothing has an axis of its own.
 */
export function placeLines(lines: readonly PlottedLine[], ownAxes: readonly string[]): PlotGroup[] {
  const first = lines.find(({ key }) => !ownAxes.includes(key));
  const hasOwn = ({ key }: PlottedLine) => first !== undefined && ownAxes.includes(key);
  const groups = Map.groupBy(lines, (line) => (hasOwn(line) ? (first?.unit ?? '') : line.unit));
  return [...groups].map(([unit, all]) => ({
    unit,
    lines: all,
    own: new Set(all.filter(hasOwn).map(({ key }) => key)),
  }));
}
