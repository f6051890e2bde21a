// uPlot, held small: one canvas for the lines of one unit, and lines with an axis of their own. uPlot keeps the scales, the axes and the cursor; the lines are
// drawn from their own times (line-path.ts). It draws in the colours of the page's style sheet, so a canvas lives as long
// as the colour scheme.
import uPlot from 'uplot';
import { formatElapsed } from '../../format/duration.ts';
import type { KnownGap } from '../../format/line-gaps.ts';
import { formatValue } from '../../format/number.ts';
import { drawLine } from './line-path.ts';
import { moved, zoomed } from './move-span.ts';
import type { PlotAxis, PlotSpan, PlottedLimit, PlottedLine, PlottedMark } from './plotted-line.ts';
import { boundsOf, decadeRange, decades, padRange, valueTexts } from './ranges.ts';
import { findTicks, TIME_STEPS_MS, tickTexts } from './time-ticks.ts';

export interface PlotHandle {
  /** Show lines, gaps as bands and marks over a span. The lines are as many as the plot was opened for. */
  draw(picture: PlotPicture): void;
  close(): void;
}

interface PlotPicture extends PlotSpan {
  readonly lines: readonly PlottedLine[];
  readonly bands: readonly KnownGap[];
  readonly marks: readonly PlottedMark[];
  /** Of each vertical axis, chosen by hand; null: as the values need. */
  readonly ranges: readonly (readonly [number, number] | null)[];
  /** Where an axis of time has its ticks; absent: at round times, as many as there is room for. */
  readonly ticks?: readonly number[] | undefined;
}

/** A vertical axis. The first stands at the left, for all lines of one unit; each other one at the right, for one line. */
export interface ValueAxis {
  readonly unit: string;
  readonly label: string;
  /** Draw the values over decades; values at or below zero are left out. */
  readonly isLog: boolean;
  /** Place of its line in the row of colours; null: the axis of all lines. */
  readonly colour: number | null;
}

interface PlotOptions {
  readonly axes: readonly ValueAxis[];
  /** Of each line: its place in the row of colours, from the tenth on dashed, and which of the axes is its own. */
  readonly series: readonly { readonly colour: number; readonly axis: number }[];
  readonly axis: PlotAxis;
  /** Axes at the right for which room is left, so that plots below each other have the same place for a time. */
  readonly rightAxes: number;
  readonly heightPx: number;
  /** How much larger than usual letters are. */
  readonly letters: number;
  /** Told the place under the cursor; null when it leaves. */
  readonly onCursor: (at: number | null) => void;
  /** Told the span that a person wants to see; absent: the plot cannot be moved. */
  readonly onSpan?: ((span: PlotSpan) => void) | undefined;
}

/** The size of the vertical axis and of its words, and the room behind the last time: `--plot-start` and `--plot-end`. */
const AXIS_PX = 90;
const LABEL_PX = 20;
const END_PX = 32;
/** Elapsed time is written in whole seconds. */
const ELAPSED_STEPS_MS = TIME_STEPS_MS.filter((step) => step >= 1000);
/** Room of a tick on an axis of time. */
const TICK_PX = 100;
/** The cursor moves in all plots of time together. */
const SYNC_KEY = 'plots';
/** A drag shorter than this is a click, pixels. */
const DRAG_MIN_PX = 6;
/** How much one step of the wheel takes away or adds. */
const WHEEL_STEP = 1.25;
/** Part of the span by which one step of the wheel moves. */
const MOVE_STEP = 0.1;

/** Open a plot in an element and keep it as wide as that. */
export function openPlot(place: HTMLElement, options: PlotOptions): PlotHandle {
  const { axes, series, axis, rightAxes, heightPx, letters, onCursor, onSpan } = options;
  const font = fontOf(13 * letters);
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  // Asked once: a question to the style sheet in every frame costs more than the frame.
  const [bandColour, markColour] = [colour('--line'), colour('--text-quiet')];
  const colours = Array.from({ length: 10 }, (_, index) => colour(`--line-${index}`));
  let picture: PlotPicture = { from: 0, to: 1, lines: [], bands: [], marks: [], ranges: [] };
  const line: uPlot.Axis = {
    stroke: colour('--text-quiet'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1 },
    font,
    labelFont: font,
    labelSize: LABEL_PX * letters,
  };
  const times: uPlot.Axis = { ...line, size: 36 * letters, space: TICK_PX * letters, incrs: TIME_STEPS_MS };
  const axisPx = letters * AXIS_PX;
  const sidePx = axisPx + LABEL_PX * letters;
  const ranges = axes.map(({ isLog }): [number, number] => (isLog ? [1, 10] : [0, 1]));
  const noPoints = series.map(() => [0, 0]);
  const plot = new uPlot(
    {
      width: Math.max(place.clientWidth, 200),
      height: heightPx,
      // The last time on the axis stands half beyond it.
      padding: [null, END_PX * letters + (rightAxes - axes.length + 1) * sidePx, null, null],
      ms: 1,
      legend: { show: false },
      cursor: {
        ...(axis.kind === 'number' ? {} : { sync: { key: `${SYNC_KEY} ${axis.kind}`, setSeries: false } }),
        drag: { x: onSpan !== undefined, y: false, setScale: false, dist: DRAG_MIN_PX },
        points: { show: false },
        y: false,
      },
      scales: {
        x: { time: axis.kind === 'time', dir: axis.kind === 'number' && axis.isReversed ? -1 : 1 },
        ...Object.fromEntries(
          axes.map(({ isLog }, at): [string, uPlot.Scale] => [
            scaleOf(at),
            { distr: isLog ? 3 : 1, range: () => ranges[at] ?? [0, 1] },
          ]),
        ),
      },
      series: [
        {},
        ...series.map(({ colour: index, axis: at }) => ({
          scale: scaleOf(at),
          stroke: colours[index % 10] ?? '',
          width: 2,
          points: { show: false },
          paths: (drawn: uPlot, place: number) => pathOf(drawn, picture.lines[place - 1], picture, scaleOf(at)),
          ...(index < 10 ? {} : { dash: [6, 4] }),
        })),
      ],
      axes: [
        axis.kind === 'time'
          ? {
              ...times,
              splits: ({ width }: uPlot) => {
                const roomPx = width - (rightAxes + 1) * sidePx - END_PX * letters;
                return [...(picture.ticks ?? findTicks(picture, Math.max(1, roomPx / TICK_PX / letters)))];
              },
              values: (_: uPlot, ticks: number[]) => tickTexts(ticks, picture),
            }
          : axis.kind === 'elapsed'
            ? { ...times, incrs: ELAPSED_STEPS_MS, values: (_: uPlot, ticks: number[]) => ticks.map(formatElapsed) }
            : {
                ...line,
                label: axis.label,
                values: (_: uPlot, ticks: number[]) => ticks.map((x) => formatValue(x, '')),
              },
        ...axes.map(({ unit, label, isLog, colour: own }, at) => ({
          ...line,
          scale: scaleOf(at),
          size: axisPx,
          label,
          values: (_: uPlot, ticks: number[]) => valueTexts(ticks, unit),
          ...(own === null ? {} : { side: 1, stroke: colours[own % 10] ?? '', grid: { show: false } }),
          ...(isLog
            ? {
                splits: (_: uPlot, _axis: number, min: number, max: number) => decades(min, max),
                filter: (_: uPlot, ticks: number[]) => ticks,
              }
            : {}),
        })),
      ],
      hooks: {
        drawClear: [(drawn) => drawBands(drawn, picture.bands, bandColour)],
        draw: [
          (drawn) => {
            drawMarks(drawn, picture.marks, { stroke: markColour, letters });
            picture.lines.forEach((line, at) => {
              const { colour: index = 0, axis: own = 0 } = series[at] ?? {};
              drawLimits(drawn, line.limits ?? [], { scale: scaleOf(own), stroke: colours[index % 10] ?? '', letters });
            });
          },
        ],
        setSelect: [(drawn) => selected(drawn, onSpan)],
        setCursor: [
          ({ cursor, posToVal }) => {
            const left = cursor.left ?? -1;
            onCursor(left >= 0 ? posToVal(left, 'x') : null);
          },
        ],
      },
    },
    [[0, 1], ...noPoints],
    place,
  );
  const watch = new ResizeObserver(() => {
    if (place.clientWidth > 0) plot.setSize({ width: place.clientWidth, height: heightPx });
  });
  watch.observe(place);
  const onWheel = (event: WheelEvent) => turn(plot, picture, event, onSpan);
  if (onSpan) {
    plot.over.addEventListener('wheel', onWheel, { passive: false });
    // Before uPlot hears it, which would begin to select.
    place.addEventListener('mousedown', (event) => grab(plot, picture, event, onSpan), { capture: true });
  }
  return {
    draw: (next) => {
      picture = next;
      for (const [at, { isLog }] of axes.entries()) {
        const own = next.lines.filter((_, place) => series[place]?.axis === at);
        const bounds = boundsOf(own, next);
        const wanted = next.ranges[at];
        ranges[at] = wanted ? [...wanted] : isLog ? decadeRange(bounds) : padRange(bounds);
      }
      plot.batch(() => {
        // uPlot asks a path of every line that has points in sight: these two stand for all of them.
        plot.setData([[next.from, next.to], ...noPoints], false);
        plot.setScale('x', { min: next.from, max: next.to });
      });
    },
    close: () => {
      watch.disconnect();
      plot.destroy();
    },
  };
}

/** The name of the scale of a vertical axis. */
const scaleOf = (axis: number) => `y${axis}`;

function pathOf(plot: uPlot, line: PlottedLine | undefined, span: PlotSpan, scale: string): uPlot.Series.Paths {
  const path = new Path2D();
  const isLog = plot.scales[scale]?.distr === 3;
  const { min = 0, max = 1 } = plot.scales[scale] ?? {};
  // Computed once here instead of a call of uPlot for every point.
  const toX = linear(span.from, span.to, (x) => plot.valToPos(x, 'x', true));
  const ends = [min ?? 0, max ?? 1] as const;
  const [low, high] = [plot.valToPos(ends[0], scale, true), plot.valToPos(ends[1], scale, true)];
  const scaleY = isLog
    ? linear(Math.log10(ends[0]), Math.log10(ends[1]), (power) => (power === Math.log10(ends[0]) ? low : high))
    : linear(ends[0], ends[1], (value) => (value === ends[0] ? low : high));
  const toY = (value: number) => (isLog ? (value > 0 ? scaleY(Math.log10(value)) : Number.NaN) : scaleY(value));
  if (line) drawLine(line, span, toX, toY, path);
  return { stroke: path };
}

/** A straight line through two places. */
function linear(from: number, to: number, placeOf: (at: number) => number): (at: number) => number {
  const start = placeOf(from);
  const slope = (placeOf(to) - start) / (to - from);
  return (at) => start + (at - from) * slope;
}

const fontOf = (px: number) => `${Math.round(px)}px system-ui, sans-serif`;

/** Gaps as bands behind the lines, at least two pixels wide. */
function drawBands({ ctx, bbox, valToPos }: uPlot, gaps: readonly KnownGap[], fill: string): void {
  ctx.fillStyle = fill;
  for (const { fromMs, toMs } of gaps) {
    const left = Math.max(valToPos(fromMs, 'x', true), bbox.left);
    const right = Math.min(Math.max(valToPos(toMs, 'x', true), left + 2), bbox.left + bbox.width);
    if (right > left) ctx.fillRect(left, bbox.top, right - left, bbox.height);
  }
}

/** Longest word that is written at a mark, UTF-16 units. */
const WRITTEN_MAX = 16;

/** Marks as thin lines with a head at the top; words that are not written here stand beside the plot. */
function drawMarks(
  { ctx, bbox, valToPos }: uPlot,
  marks: readonly PlottedMark[],
  { stroke, letters }: { stroke: string; letters: number },
): void {
  ctx.save();
  ctx.strokeStyle = stroke;
  ctx.fillStyle = stroke;
  ctx.setLineDash([2, 3]);
  const pixels = devicePixelRatio * letters;
  ctx.font = fontOf(12 * pixels);
  ctx.textAlign = 'left';
  // Words side by side take turns on three lines, so that neighbours do not cover each other.
  const lineEnds = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const placed = marks.map((mark) => ({ ...mark, x: valToPos(mark.at, 'x', true) })).sort((a, b) => a.x - b.x);
  for (const { x, text, isWritten, isNoNumber = false } of placed) {
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    if (isNoNumber) {
      drawCross(ctx, x, bbox.top + bbox.height - 8);
      continue;
    }
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.beginPath();
    ctx.moveTo(x - 5, bbox.top);
    ctx.lineTo(x + 5, bbox.top);
    ctx.lineTo(x, bbox.top + 8);
    ctx.fill();
    if (!isWritten) continue;
    const word = text.slice(0, WRITTEN_MAX);
    const row = lineEnds.findIndex((end) => end < x);
    if (row < 0) continue;
    const left = x + 5 * pixels;
    lineEnds[row] = left + ctx.measureText(word).width;
    ctx.fillText(word, left, bbox.top + (20 + row * 15) * pixels);
  }
  ctx.restore();
}

/** Limits of a line across the plot, in its colour, each with its word; one beyond the range is not drawn. */
function drawLimits(
  { ctx, bbox, valToPos }: uPlot,
  limits: readonly PlottedLimit[],
  { scale, stroke, letters }: { scale: string; stroke: string; letters: number },
): void {
  const pixels = devicePixelRatio * letters;
  ctx.save();
  ctx.strokeStyle = stroke;
  ctx.fillStyle = stroke;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([8 * devicePixelRatio, 4 * devicePixelRatio]);
  ctx.font = fontOf(12 * pixels);
  ctx.textAlign = 'right';
  for (const { word, value } of limits) {
    const y = valToPos(value, scale, true);
    // On a scale over decades zero has no place.
    if (!(y >= bbox.top && y <= bbox.top + bbox.height)) continue;
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.fillText(word, bbox.left + bbox.width - 4 * pixels, y - 4 * pixels);
  }
  ctx.restore();
}

function drawCross(ctx: CanvasRenderingContext2D, x: number, y: number): void {
  ctx.save();
  ctx.setLineDash([]);
  ctx.lineWidth = 2;
  ctx.beginPath();
  ctx.moveTo(x - 4, y - 4);
  ctx.lineTo(x + 4, y + 4);
  ctx.moveTo(x - 4, y + 4);
  ctx.lineTo(x + 4, y - 4);
  ctx.stroke();
  ctx.restore();
}

function selected(plot: uPlot, onSpan: PlotOptions['onSpan']): void {
  const { left, width } = plot.select;
  if (!onSpan || width < DRAG_MIN_PX) return;
  const ends = [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')];
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  onSpan({ from: Math.min(...ends), to: Math.max(...ends) });
}

/** Shift and drag move the plot with the hand. */
function grab(plot: uPlot, { from, to }: PlotSpan, start: MouseEvent, onSpan: (span: PlotSpan) => void): void {
  if (!start.shiftKey || start.button !== 0 || !plot.over.contains(start.target as Node)) return;
  start.stopPropagation();
  start.preventDefault();
  const perPixel = (to - from) / plot.over.clientWidth;
  const ending = new AbortController();
  const move = ({ clientX }: MouseEvent) => {
    const by = (start.clientX - clientX) * perPixel;
    onSpan({ from: from + by, to: to + by });
  };
  window.addEventListener('mousemove', move, { signal: ending.signal });
  window.addEventListener('mouseup', () => ending.abort(), { signal: ending.signal });
}

/** Ctrl and wheel zoom about the cursor, Shift and wheel move; the wheel alone scrolls the page as everywhere. */
function turn(plot: uPlot, { from, to }: PlotSpan, event: WheelEvent, onSpan: PlotOptions['onSpan']): void {
  if (!onSpan || !(event.ctrlKey || event.shiftKey)) return;
  event.preventDefault();
  const step = Math.sign(event.deltaY || event.deltaX);
  if (event.shiftKey) onSpan(moved({ from, to }, step * MOVE_STEP));
  else {
    const about = plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, 'x');
    onSpan(zoomed({ from, to }, step > 0 ? WHEEL_STEP : 1 / WHEEL_STEP, about));
  }
}
