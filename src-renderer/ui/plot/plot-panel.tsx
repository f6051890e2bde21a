import { Button, useComputedColorScheme } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import 'uplot/dist/uPlot.min.css';
import { formatElapsed } from '../../format/duration.ts';
import { breakAtGaps } from '../../format/line-gaps.ts';
import { formatMeasured, formatPlain, formatValue } from '../../format/number.ts';
import { formatClock, formatMoment } from '../../format/time.ts';
import { zoneInForce } from '../../format/time-zone.ts';
import { useLetterScale } from '../letter-scale.ts';
import { LineSwatch } from './line-swatch.tsx';
import { openPlot, type PlotHandle, type ValueAxis } from './open-plot.ts';
import classes from './plot.module.css';
import type { PlotAxis, PlotSpan, PlottedLine, PlottedMark, Scale, ValueRanges } from './plotted-line.ts';
import { RangeControls } from './range-controls.tsx';
import { boundsOf, isLogByItself, linesBelowDecades } from './ranges.ts';
import { firstFrom } from './search.ts';
import { words } from './words.ts';

export interface PlotPanelProps extends PlotSpan {
  unit: string;
  /** Lines of this unit, and those with an axis of their own. */
  lines: readonly PlottedLine[];
  /** Keys of the lines with an axis of their own. */
  own?: ReadonlySet<string>;
  /** Axes at the right for which room is left. */
  rightAxes?: number;
  marks?: readonly PlottedMark[];
  /** Where an axis of time has its ticks; absent: at round times. */
  ticks?: readonly number[];
  scale?: Scale;
  axis?: PlotAxis;
  heightPx?: number;
  /** Told the span that a person wants to see; absent: the plot cannot be moved. */
  onSpan?: (span: PlotSpan) => void;
  /** Vertical ranges by hand; one that is absent is as the values need. */
  ranges?: ValueRanges;
  /** Told other ranges; absent: there are no controls for them, and no statistics. */
  onRanges?: (ranges: ValueRanges) => void;
  /** Told the key of a line and whether it has an axis of its own; absent: none can have one. */
  onOwnAxis?: (key: string, isOwn: boolean) => void;
}

/** An axis with the key of its range by hand. */
interface PanelAxis extends ValueAxis {
  readonly key: string;
  /** Its lines with values that a scale over decades cannot show, where one is wanted. */
  readonly below: readonly PlottedLine[];
}

const TIME: PlotAxis = { kind: 'time' };
const NO_MARKS: readonly PlottedMark[] = [];
const NO_KEYS: ReadonlySet<string> = new Set();
const NO_RANGES: ValueRanges = {};

/** The lines of one unit over time or another axis, with their newest values, or those under the cursor, as text. */
export function PlotPanel(props: PlotPanelProps) {
  const { unit, lines, from, to, marks = NO_MARKS, ticks, scale = 'auto', axis = TIME, onSpan } = props;
  const { own = NO_KEYS, ranges = NO_RANGES, onRanges, onOwnAxis } = props;
  const letters = useLetterScale();
  const heightPx = letters * (props.heightPx ?? 190);
  const scheme = useComputedColorScheme('light');
  const theme = document.documentElement.dataset.theme;
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<PlotHandle | null>(null);
  const span = useRef(onSpan);
  span.current = onSpan;
  const [cursor, setCursor] = useState<number | null>(null);
  const [isOpen, setOpen] = useState(false);
  const isTime = axis.kind !== 'number';
  const axisOf = (key: string, label: string, some: readonly PlottedLine[], colour: number | null): PanelAxis => {
    const own = some[0]?.unit ?? unit;
    const isWanted = scale === 'log' || (scale === 'auto' && isLogByItself(own, some, { from, to }));
    // Where nothing is above zero, decades would be an axis without a line.
    const isLog = isWanted && boundsOf(some, { from, to }).max > 0;
    return { key, label, unit: own, isLog, colour, below: isWanted ? linesBelowDecades(some, { from, to }) : [] };
  };
  const shared = lines.filter(({ key }) => !own.has(key));
  const axes = [
    axisOf(unit, unit, shared, null),
    ...lines
      .filter(({ key }) => own.has(key))
      .map((line) =>
        axisOf(line.key, `${fullNameOf(line, lines)}${line.unit && ` (${line.unit})`}`, [line], line.colour),
      ),
  ];
  const canMove = onSpan !== undefined;
  const series = lines.map(({ key, colour }) => ({
    colour,
    axis: Math.max(
      0,
      axes.findIndex((one) => one.key === key),
    ),
  }));
  const valueAxes = axes.map(({ unit: of, label, isLog, colour }): ValueAxis => ({ unit: of, label, isLog, colour }));
  const rightAxes = props.rightAxes ?? 0;
  const keys = lines.map(({ key }) => key);
  const shape = JSON.stringify([keys, series, valueAxes, rightAxes, axis, heightPx, canMove, zoneInForce()]);
  const drawn = useMemo(() => (isTime ? lines.map(broken) : lines), [lines, isTime]);
  const bands = useMemo(() => bandsOf(lines, { from, to }), [lines, from, to]);

  // A new canvas for other lines or another colour scheme; new data alone only moves what is there.
  // `shape`, `scheme` and `theme` stand for what the canvas is made of.
  useEffect(() => {
    if (place.current === null) return undefined;
    const opened = openPlot(place.current, {
      axes: valueAxes,
      series,
      axis,
      rightAxes,
      heightPx,
      letters,
      onCursor: setCursor,
      ...(canMove ? { onSpan: (wanted: PlotSpan) => span.current?.(wanted) } : {}),
    });
    plot.current = opened;
    return () => {
      opened.close();
      plot.current = null;
    };
  }, [shape, scheme, theme]);
  // A new canvas needs the data again, so its makings are named here too.
  useEffect(
    () =>
      plot.current?.draw({
        ...{ lines: drawn, bands, marks, from, to, ticks },
        ranges: axes.map(({ key, isLog }) => usable(ranges[key], isLog)),
      }),
    [drawn, bands, marks, from, to, ticks?.join(), ranges, shape, scheme, theme],
  );

  const hasPoints = lines.some(({ xs }) => firstFrom(xs, from) < xs.length && (xs[0] as number) <= to);
  const at = cursor ?? to;
  return (
    <figure className={classes.plot}>
      <figcaption className={classes.legend} data-testid="legend">
        <span className={classes.at}>{placeText(at, axis)}</span>
        {lines.map((line) => (
          <span key={line.key} className={classes.legendItem} title={line.title}>
            <LineSwatch colour={line.colour} />
            <bdi>{fullNameOf(line, lines)}</bdi>
            <strong>{valueAt(line, at)}</strong>
            {line.zeroMs !== undefined && (
              <span className={classes.legendNote}>{formatMoment(line.zeroMs + at, 0)}</span>
            )}
            {(line.limits?.length ?? 0) > 0 && <span className={classes.legendNote}>{limitText(line)}</span>}
          </span>
        ))}
        {bands.length > 0 && <span className={classes.legendNote}>shaded: a gap</span>}
        {axes.some(({ isLog }) => isLog) && <span className={classes.legendNote}>{words.log}</span>}
        {axes.map(
          ({ key, isLog, below }) =>
            below.length > 0 && (
              <span key={key} className={classes.legendNote}>
                {words.belowDecades(below.map((line) => fullNameOf(line, lines)).join(', '), isLog)}
              </span>
            ),
        )}
        {onRanges && (
          <Button variant="default" size="compact-sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {onOwnAxis ? words.moreAxes : words.more}
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
      {onRanges && isOpen && (
        <RangeControls
          axes={axes}
          lines={lines}
          own={own}
          ranges={ranges}
          nameOf={fullNameOf}
          onRanges={onRanges}
          onOwnAxis={onOwnAxis}
        />
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

const limitText = ({ limits = [] }: PlottedLine) =>
  limits.map(({ word, value }) => `${word} ${formatPlain(value)}`).join(', ');

function placeText(at: number, axis: PlotAxis): string {
  if (axis.kind === 'time') return formatClock(at);
  return axis.kind === 'elapsed' ? formatElapsed(at) : formatValue(at, '');
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

/** A scale over decades has no place for a range that reaches to zero. */
const usable = (range: readonly [number, number] | undefined, isLog: boolean) =>
  range && range[0] < range[1] && (!isLog || range[0] > 0) ? range : null;
