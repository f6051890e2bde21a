// The vertical scale of a plot: how far it reaches, whether it goes over decades, where its ticks are.
import { formatValue, isPressureUnit } from '../../format/number.ts';
import type { PlotSpan, PlottedLine } from './plotted-line.ts';
import { firstFrom } from './search.ts';

const DECADE_TICKS_MAX = 6;

/** Smallest and largest value, and the smallest above zero; `min` above `max` when there is none. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly minAboveZero: number;
}

/** Find the bounds of the points that lie in a span, and of the neighbours that lead into it. */
export function boundsOf(lines: readonly PlottedLine[], { from, to }: PlotSpan): Bounds {
  let [min, max, minAboveZero] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const { xs, values } of lines) {
    const end = xs.length;
    for (let at = Math.max(0, firstFrom(xs, from) - 1); at < end; at++) {
      const value = values[at];
      if (value !== null && value !== undefined) {
        if (value < min) min = value;
        if (value > max) max = value;
        if (value > 0 && value < minAboveZero) minAboveZero = value;
      }
      if ((xs[at] as number) > to) break;
    }
  }
  return { min, max, minAboveZero };
}

/** Whether a plot left to itself goes over decades: pressures that reach over more than two, none of them below zero. */
export function isLogByItself(unit: string, lines: readonly PlottedLine[], span: PlotSpan): boolean {
  if (!isPressureUnit(unit)) return false;
  const { min, max } = boundsOf(lines, span);
  return min > 0 && max > 100 * min;
}

/** Lines of which a scale over decades cannot draw a point in this span: it is zero or below. */
export function linesBelowDecades(lines: readonly PlottedLine[], span: PlotSpan): PlottedLine[] {
  return lines.filter((line) => boundsOf([line], span).min <= 0);
}

/** Leave air above and below, and give a constant line a scale that does not magnify its last digit. */
export function padRange({ min, max }: Bounds): [number, number] {
  if (min > max) return [0, 1];
  const span = max - min;
  const least = Math.max(Math.abs(max), Math.abs(min)) * 1e-3;
  const pad = span > least ? span * 0.08 : least || 1;
  return [min - pad, max + pad];
}

/** Whole decades around the values above zero; the others cannot be drawn. */
export function decadeRange({ minAboveZero, max }: Bounds): [number, number] {
  if (minAboveZero > max) return [1, 10];
  const [low, high] = [Math.floor(Math.log10(minAboveZero)), Math.ceil(Math.log10(max * 1.001))];
  return [10 ** low, 10 ** Math.max(high, low + 1)];
}

/** One tick a decade, or every second and so on when there are many. */
export function decades(min: number, max: number): number[] {
  const [first, last] = [Math.round(Math.log10(min)), Math.round(Math.log10(max))];
  const step = Math.ceil((last - first + 1) / DECADE_TICKS_MAX);
  const ticks: number[] = [];
  for (let power = first; power <= last; power += step) ticks.push(10 ** power);
  return ticks;
}

/** Most digits of a tick, those of a double. */
const DIGITS_MAX = 15;

/** Write rising ticks with as many digits as tell each from the next. */
export function valueTexts(ticks: readonly number[], unit: string): string[] {
  let texts = ticks.map((tick) => formatValue(tick, unit));
  for (let digits = 3; digits <= DIGITS_MAX && new Set(texts).size < texts.length; digits++)
    texts = ticks.map((tick) => formatValue(tick, unit, digits));
  return texts;
}
