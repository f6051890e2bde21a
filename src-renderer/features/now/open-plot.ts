// uPlot, held small: one canvas for the lines of one unit. It draws in the colours of the page's style sheet, so a canvas
// lives as long as the colour scheme.
import uPlot from 'uplot';
import type { KnownGap } from '../../format/line-gaps.ts';
import { formatValue } from '../../format/number.ts';
import { formatClock } from '../../format/time.ts';

export interface PlotHandle {
  /** Show lines (times in Unix milliseconds, null where they break) and gaps, as bands, over a span of time. */
  draw(
    lines: readonly { timesMs: number[]; values: (number | null)[] }[],
    gaps: readonly KnownGap[],
    fromMs: number,
    toMs: number,
  ): void;
  close(): void;
}

interface PlotOptions {
  unit: string;
  /** Draw the values over decades; they must all be above zero. */
  isLog: boolean;
  /** Place of each line in the row of colours; from the tenth on dashed. */
  colours: readonly number[];
  /** Told the time under the cursor, null when it leaves. */
  onCursor: (timeMs: number | null) => void;
}

const HEIGHT_PX = 190;
const AXIS_PX = 74;
const DECADE_TICKS_MAX = 6;
/** The cursor moves in all plots together. */
const SYNC_KEY = 'time';

/** Open a plot in an element and keep it as wide as that. */
export function openPlot(place: HTMLElement, { unit, isLog, colours, onCursor }: PlotOptions): PlotHandle {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  let bands: readonly KnownGap[] = [];
  const axis: uPlot.Axis = {
    stroke: colour('--text-quiet'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1 },
    font: '13px system-ui, sans-serif',
  };
  const plot = new uPlot(
    {
      width: Math.max(place.clientWidth, 200),
      height: HEIGHT_PX,
      ms: 1,
      legend: { show: false },
      cursor: { sync: { key: SYNC_KEY }, drag: { x: false, y: false }, points: { size: 7 } },
      scales: { x: { time: true }, y: isLog ? { distr: 3, range: decadeRange } : { range: padRange } },
      series: [
        {},
        ...colours.map((index) => ({
          stroke: colour(`--line-${index % 10}`),
          width: 2,
          points: { show: false },
          ...(index < 10 ? {} : { dash: [6, 4] }),
        })),
      ],
      axes: [
        {
          ...axis,
          space: 90,
          values: (_: uPlot, ticks: number[]) => ticks.map((tick) => formatClock(toWholeSecond(tick))),
        },
        {
          ...axis,
          size: AXIS_PX,
          label: unit,
          labelSize: 20,
          labelFont: '13px system-ui, sans-serif',
          values: (_: uPlot, ticks: number[]) => ticks.map((tick) => formatValue(tick, unit)),
          ...(isLog ? { splits: decades, filter: (_: uPlot, ticks: number[]) => ticks } : {}),
        },
      ],
      hooks: {
        drawClear: [(drawn) => drawBands(drawn, bands, colour('--line'))],
        setCursor: [
          ({ cursor, posToVal }) => {
            const isInside = cursor.left !== undefined && cursor.left !== null && cursor.left >= 0;
            onCursor(isInside ? posToVal(cursor.left as number, 'x') : null);
          },
        ],
      },
    },
    [[], ...colours.map(() => [])],
    place,
  );
  const watch = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: HEIGHT_PX }));
  watch.observe(place);
  return {
    draw: (lines, gaps, fromMs, toMs) => {
      bands = gaps;
      plot.batch(() => {
        plot.setData(join(lines), false);
        plot.setScale('x', { min: fromMs, max: toMs });
      });
    },
    close: () => {
      watch.disconnect();
      plot.destroy();
    },
  };
}

/** Gaps as bands behind the lines, at least two pixels wide. */
function drawBands({ ctx, bbox, valToPos }: uPlot, gaps: readonly KnownGap[], fill: string): void {
  ctx.fillStyle = fill;
  for (const { fromMs, toMs } of gaps) {
    const left = Math.max(valToPos(fromMs, 'x', true), bbox.left);
    const right = Math.min(Math.max(valToPos(toMs, 'x', true), left + 2), bbox.left + bbox.width);
    if (right > left) ctx.fillRect(left, bbox.top, right - left, bbox.height);
  }
}

/** Put lines with times of their own onto one time axis: null stays a break, a time that a line lacks is no break. */
function join(lines: readonly { timesMs: number[]; values: (number | null)[] }[]): uPlot.AlignedData {
  const retainNulls = 1;
  return uPlot.join(
    lines.map(({ timesMs, values }) => [timesMs, values]),
    lines.map(() => [retainNulls, retainNulls]),
  );
}

/** Leave air above and below, and give a constant line a scale that does not magnify its last digit. */
function padRange(_: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax {
  if (min === null || max === null) return [0, 1];
  const span = max - min;
  const least = Math.max(Math.abs(max), Math.abs(min)) * 1e-3;
  const pad = span > least ? span * 0.08 : least || 1;
  return [min - pad, max + pad];
}

/** Whole decades around the values. */
function decadeRange(_: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax {
  if (min === null || max === null || min <= 0) return [1e-10, 1e-6];
  return [10 ** Math.floor(Math.log10(min)), 10 ** Math.ceil(Math.log10(max * 1.001))];
}

/** One tick a decade, or every second and so on when there are many. */
function decades(_: uPlot, _axis: number, min: number, max: number): number[] {
  const [first, last] = [Math.round(Math.log10(min)), Math.round(Math.log10(max))];
  const step = Math.ceil((last - first + 1) / DECADE_TICKS_MAX);
  const ticks: number[] = [];
  for (let power = first; power <= last; power += step) ticks.push(10 ** power);
  return ticks;
}

/** uPlot's ticks may lie a fraction of a millisecond before the second that they mean. */
const toWholeSecond = (timeMs: number) => Math.round(timeMs / 1000) * 1000;
