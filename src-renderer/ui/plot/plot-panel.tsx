import { Button, useComputedColorScheme } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import 'uplot/dist/uPlot.min.css';
import { breakAtGaps } from '../../format/line-gaps.ts';
import { formatMeasured } from '../../format/number.ts';
import { zoneInForce } from '../../format/time-zone.ts';
import { useLetterScale } from '../letter-scale.ts';
import { LineSwatch } from './line-swatch.tsx';
import { openPlot, type PlotCursor, type PlotHandle } from './open-plot.ts';
import classes from './plot.module.css';
import { PlotTip } from './plot-tip.tsx';
import type { PlotAxis, PlotSpan, PlottedLine, PlottedMark } from './plotted-line.ts';
import { RangeControls } from './range-controls.tsx';
import { boundsOf, isLogByItself, linesBelowDecades } from './ranges.ts';
import { firstFrom } from './search.ts';
import { words } from './words.ts';

interface PlotPanelProps extends PlotSpan {
  unit: string;
  /** Lines of this unit. */
  lines: readonly PlottedLine[];
  marks?: readonly PlottedMark[];
  /** Where an axis of time has its ticks; absent: at round times. */
  ticks?: readonly number[];
  /** `auto`: over decades for pressures that reach over more than two. */
  scale?: 'auto' | 'linear' | 'log';
  axis?: PlotAxis;
  heightPx?: number;
  /** Told the span that a person wants to see; absent: the plot cannot be moved. */
  onSpan?: (span: PlotSpan) => void;
  /** Lowest and highest value by hand; null: as the values need. */
  yRange?: readonly [number, number] | null;
  /** Told another range; absent: there are no controls for it, and no statistics. */
  onYRange?: (range: readonly [number, number] | null) => void;
}

const TIME: PlotAxis = { kind: 'time' };
const NO_MARKS: readonly PlottedMark[] = [];

/** The lines of one unit over time or another axis, with their newest values, or those under the cursor, as text. */
export function PlotPanel(props: PlotPanelProps) {
  const { unit, lines, from, to, marks = NO_MARKS, ticks, scale = 'auto', axis = TIME, onSpan } = props;
  const letters = useLetterScale();
  const heightPx = letters * (props.heightPx ?? 190);
  const { yRange = null, onYRange } = props;
  const scheme = useComputedColorScheme('light');
  const theme = document.documentElement.dataset.theme;
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<PlotHandle | null>(null);
  const span = useRef(onSpan);
  span.current = onSpan;
  const [cursor, setCursor] = useState<PlotCursor | null>(null);
  const [isOpen, setOpen] = useState(false);
  const isTime = axis.kind !== 'number';
  const isLogWanted = scale === 'log' || (scale === 'auto' && isLogByItself(unit, lines, { from, to }));
  // Where nothing is above zero, decades would be an axis without a line.
  const isLog = isLogWanted && boundsOf(lines, { from, to }).max > 0;
  const below = isLogWanted ? linesBelowDecades(lines, { from, to }) : [];
  const canMove = onSpan !== undefined;
  const shape = JSON.stringify([lines.map(({ key, colour }) => [key, colour]), axis, heightPx, canMove, zoneInForce()]);
  const drawn = useMemo(() => (isTime ? lines.map(broken) : lines), [lines, isTime]);
  const bands = useMemo(() => bandsOf(lines, { from, to }), [lines, from, to]);

  // A new canvas for other lines or another colour scheme; new data alone only moves what is there.
  // `shape`, `scheme` and `theme` stand for what the canvas is made of.
  useEffect(() => {
    if (place.current === null) return undefined;
    const opened = openPlot(place.current, {
      unit,
      isLog,
      axis,
      heightPx,
      letters,
      onCursor: setCursor,
      colours: lines.map(({ colour }) => colour),
      ...(canMove ? { onSpan: (wanted: PlotSpan) => span.current?.(wanted) } : {}),
    });
    plot.current = opened;
    return () => {
      opened.close();
      plot.current = null;
    };
  }, [shape, scheme, theme, unit, isLog]);
  // A new canvas needs the data again, so its makings are named here too.
  useEffect(
    () => plot.current?.draw({ lines: drawn, bands, marks, from, to, ticks, yRange: usable(yRange, isLog) }),
    [drawn, bands, marks, from, to, ticks?.join(), yRange, shape, scheme, theme, unit, isLog],
  );

  const hasPoints = lines.some(({ xs }) => firstFrom(xs, from) < xs.length && (xs[0] as number) <= to);
  return (
    <figure className={classes.plot}>
      <figcaption className={classes.legend}>
        {lines.map((line) => (
          <span key={line.key} className={classes.legendItem} title={line.title}>
            <LineSwatch colour={line.colour} />
            <bdi>{fullNameOf(line, lines)}</bdi>
            <strong>{valueAt(line, cursor?.at ?? to)}</strong>
          </span>
        ))}
        {bands.length > 0 && <span className={classes.legendNote}>shaded: a gap</span>}
        {isLog && <span className={classes.legendNote}>{words.log}</span>}
        {below.length > 0 && (
          <span className={classes.legendNote}>
            {words.belowDecades(below.map((line) => fullNameOf(line, lines)).join(', '), isLog)}
          </span>
        )}
        {onYRange && (
          <Button variant="default" size="compact-sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {words.more}
          </Button>
        )}
      </figcaption>
      <div
        ref={place}
        className={classes.canvas}
        style={{ minHeight: heightPx }}
        role="img"
        aria-label={`${lines.map((line) => fullNameOf(line, lines)).join(', ')} over ${axis.kind === 'number' ? axis.label : 'time'}, in ${unit || 'numbers'}`}
      />
      {cursor !== null && <PlotTip lines={lines} cursor={cursor} axis={axis} nameOf={fullNameOf} valueAt={valueAt} />}
      {onYRange && isOpen && (
        <RangeControls unit={unit} lines={lines} yRange={yRange} nameOf={fullNameOf} onYRange={onYRange} />
      )}
      {!hasPoints && (
        <p className={classes.noPoints}>{isTime ? 'No reading in this time.' : 'No point in this range.'}</p>
      )}
    </figure>
  );
}

/** The name of a line; with its title before it when another line bears the same name. */
function fullNameOf(line: PlottedLine, lines: readonly PlottedLine[]): string {
  const isAlone = !lines.some((other) => other !== line && other.name === line.name);
  return isAlone || line.title === '' ? line.name : `${line.title}: ${line.name}`;
}

const brokenOf = new WeakMap<PlottedLine, PlottedLine>();

/** A line that was broken once stays so while it is moved and zoomed. */
function broken(line: PlottedLine): PlottedLine {
  const before = brokenOf.get(line);
  if (before) return before;
  const { timesMs, values } = breakAtGaps(line.xs, line.values, line.gaps);
  const made = { ...line, xs: timesMs, values };
  brokenOf.set(line, made);
  return made;
}

function bandsOf(lines: readonly PlottedLine[], { from, to }: PlotSpan) {
  const all = lines.flatMap(({ gaps = [] }) => gaps).filter((gap) => gap.toMs >= from && gap.fromMs <= to);
  return [...new Map(all.map((gap) => [`${gap.fromMs} ${gap.toMs}`, gap])).values()];
}

/** The value at a place, or the nearest before it. */
function valueAt({ xs, values, unit }: PlottedLine, at: number): string {
  const next = firstFrom(xs, at);
  const value = values[xs[next] === at ? next : next - 1];
  return value === undefined || value === null ? '–' : formatMeasured(value, unit);
}

/** A scale over decades has no place for what is not above zero. */
const usable = (range: readonly [number, number] | null, isLog: boolean) =>
  range !== null && range[0] < range[1] && (!isLog || range[0] > 0) ? range : null;
