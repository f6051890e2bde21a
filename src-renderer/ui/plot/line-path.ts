// The path of one line. Each line keeps its own times, so twenty of them with different times cost twenty lines, not one
// table of all times. Within a pixel column only the first, lowest, highest and last point are drawn: the picture is the
// same, and the work is bounded by the width.
import type { PlotSpan, PlottedLine } from './plotted-line.ts';
import { firstFrom } from './search.ts';

/** What takes the path: a Path2D, or a test. */
export interface Pen {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
}

/**
 * Draw a line into a pen. Takes the line, the span in sight, and where a point stands in pixels. On a scale over decades
 * `toY` gives NaN for what cannot stand there: the line breaks. A point that stands alone becomes a stroke of one pixel.
 */
export function drawLine(
  { xs, values, isStepped = false }: PlottedLine,
  { from, to }: PlotSpan,
  toX: (x: number) => number,
  toY: (value: number) => number,
  pen: Pen,
): void {
  let last = Math.min(xs.length - 1, firstFrom(xs, to));
  // Several points may stand at the very end of the span.
  while (xs[last] === to && last < xs.length - 1) last += 1;
  let isDown = false;
  let column = Number.NaN;
  let [firstY, lowY, highY, lastY] = [0, 0, 0, 0];
  let drawn = 0;
  let heldY = 0;
  const lift = () => {
    if (Number.isNaN(column)) return;
    if (isDown && isStepped) pen.lineTo(column, heldY);
    if (isDown) pen.lineTo(column, firstY);
    else pen.moveTo(column, firstY);
    if (lowY !== highY) {
      pen.lineTo(column, lowY);
      pen.lineTo(column, highY);
    }
    if (lastY !== highY) pen.lineTo(column, lastY);
    heldY = lastY;
    isDown = true;
    drawn += 1;
  };
  const end = () => {
    lift();
    if (drawn === 1 && lowY === highY) pen.lineTo(column + 1, lastY);
    isDown = false;
    column = Number.NaN;
    drawn = 0;
  };
  for (let at = Math.max(0, firstFrom(xs, from) - 1); at <= last; at++) {
    const value = values[at];
    const y = value === null || value === undefined ? Number.NaN : toY(value);
    if (!Number.isFinite(y)) {
      end();
      continue;
    }
    const x = Math.round(toX(xs[at] as number));
    if (x !== column) {
      lift();
      column = x;
      firstY = y;
      lowY = y;
      highY = y;
    } else {
      if (y < lowY) lowY = y;
      if (y > highY) highY = y;
    }
    lastY = y;
  }
  end();
}
