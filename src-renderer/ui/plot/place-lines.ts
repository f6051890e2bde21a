import type { PlottedLine } from './plotted-line.ts';

/** The lines of one plot: those of its unit on one axis, and lines with an axis of their own at the right. */
export interface PlotGroup {
  readonly unit: string;
  readonly lines: readonly PlottedLine[];
  /** Keys of the lines with an axis of their own. */
  readonly own: ReadonlySet<string>;
}

/** By the key of a line that has an axis of its own: the unit of the plot in which it is drawn. */
export type OwnAxes = Readonly<Record<string, string>>;

/**
 * Spread lines over plots, one for each unit: two units never share an axis.
 *
 * @param lines - in their order, which stays.
 * @param ownAxes - a line whose plot has no other line is drawn in the plot of its unit, as if it had no axis of its own.
 */
export function placeLines(lines: readonly PlottedLine[], ownAxes: OwnAxes): PlotGroup[] {
  const shared = lines.filter(({ key }) => ownAxes[key] === undefined);
  const units = new Set(shared.map(({ unit }) => unit));
  const hasOwn = ({ key }: PlottedLine) => ownAxes[key] !== undefined && units.has(ownAxes[key]);
  const groups = Map.groupBy(lines, (line) => (hasOwn(line) ? (ownAxes[line.key] as string) : line.unit));
  return [...groups].map(([unit, all]) => ({
    unit,
    lines: all,
    own: new Set(all.filter(hasOwn).map(({ key }) => key)),
  }));
}
