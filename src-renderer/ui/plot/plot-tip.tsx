import { formatElapsed } from '../../format/duration.ts';
import { formatValue } from '../../format/number.ts';
import { formatClock, formatMoment } from '../../format/time.ts';
import { LineSwatch } from './line-swatch.tsx';
import type { PlotCursor } from './open-plot.ts';
import classes from './plot.module.css';
import type { PlotAxis, PlottedLine } from './plotted-line.ts';

interface PlotTipProps {
  lines: readonly PlottedLine[];
  cursor: PlotCursor;
  axis: PlotAxis;
  nameOf: (line: PlottedLine, lines: readonly PlottedLine[]) => string;
  valueAt: (line: PlottedLine, at: number) => string;
}

/** The values under the cursor, beside it. On elapsed time each line has its own true time, which is told with it. */
export function PlotTip({ lines, cursor: { at, leftPx }, axis, nameOf, valueAt }: PlotTipProps) {
  return (
    <div
      className={classes.tip}
      style={{ '--at': `${leftPx}px` } as React.CSSProperties}
      aria-hidden="true"
      data-testid="plot-tip"
    >
      <strong>{placeText(at, axis)}</strong>
      {lines.map((line) => (
        <span key={line.key} className={classes.tipLine}>
          <LineSwatch colour={line.colour} />
          <bdi>{nameOf(line, lines)}</bdi>
          <strong>{valueAt(line, at)}</strong>
          {line.zeroMs !== undefined && <span className={classes.legendNote}>{formatMoment(line.zeroMs + at, 0)}</span>}
        </span>
      ))}
    </div>
  );
}

function placeText(at: number, axis: PlotAxis): string {
  if (axis.kind === 'time') return formatClock(at);
  return axis.kind === 'elapsed' ? formatElapsed(at) : formatValue(at, '');
}
