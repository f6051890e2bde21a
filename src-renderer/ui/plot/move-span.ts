import type { PlotSpan } from './plotted-line.ts';

/** Move a span by a part of its own length; below zero: to the left. */
export function moved({ from, to }: PlotSpan, part: number): PlotSpan {
  const by = (to - from) * part;
  return { from: from + by, to: to + by };
}

/** Make a span longer (`by` above 1) or shorter about a place, by default its middle. */
export function zoomed({ from, to }: PlotSpan, by: number, about = (from + to) / 2): PlotSpan {
  return { from: about - (about - from) * by, to: about + (to - about) * by };
}
