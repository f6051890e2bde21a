// The lines of a comparison: each growth on elapsed time from its own zero. Pure.
import type { ComparedGrowth } from '../../state/compare.ts';
import { channelKey } from '../../ui/plot/line-key.ts';
import type { PlotSpan, PlottedLine } from '../../ui/plot/plotted-line.ts';

/** A growth with the Unix time of its zero, milliseconds. */
export interface Placed extends ComparedGrowth {
  readonly zeroMs: number;
  /** Its place in the row of colours. */
  readonly colour: number;
  readonly title: string;
}

/** What is drawn of one channel. */
export interface ComparedChannel {
  readonly key: string;
  readonly name: string;
  readonly unit: string;
  readonly lines: readonly PlottedLine[];
  /** Titles of growths that have no point of it. */
  readonly missingIn: readonly string[];
  /** Units that the growths have it in, where they differ: then nothing is drawn. */
  readonly units: readonly string[];
}

/** Compare one channel. Takes its key and the growths. */
export function compareChannel(key: string, growths: readonly Placed[]): ComparedChannel {
  const found = growths.flatMap((growth) => {
    const line = growth.lines.find((one) => channelKey(one) === key);
    return line && line.timesMs.length > 0 ? [{ growth, line }] : [];
  });
  const units = [...new Set(found.map(({ line }) => line.unit))];
  const missing = growths.filter((growth) => !found.some((one) => one.growth === growth));
  const [sourceId = '', name = key] = JSON.parse(key) as string[];
  return {
    key,
    name: `${name} (${sourceId})`,
    unit: units[0] ?? '',
    lines: units.length > 1 ? [] : found.map(({ growth, line }) => toLine(growth, line)),
    missingIn: missing.map(({ title }) => title),
    units: units.length > 1 ? units : [],
  };
}

function toLine({ growth, gaps, zeroMs, colour, title }: Placed, line: ComparedGrowth['lines'][number]): PlottedLine {
  return {
    key: growth.id,
    name: title,
    title: '',
    unit: line.unit,
    colour,
    zeroMs,
    isStepped: true,
    xs: line.timesMs.map((timeMs) => timeMs - zeroMs),
    values: line.values,
    statistics: line.statistics,
    gaps: gaps
      .filter(({ sourceId }) => sourceId === line.sourceId)
      .map(({ fromMs, toMs }) => ({ fromMs: fromMs - zeroMs, toMs: toMs - zeroMs })),
  };
}

/** The elapsed time that all growths together take. */
export function wholeSpan(growths: readonly Placed[], nowMs: number): PlotSpan {
  const from = Math.min(...growths.map(({ growth, zeroMs }) => growth.startedMs - zeroMs));
  const to = Math.max(...growths.map(({ growth, zeroMs }) => (growth.endedMs ?? nowMs) - zeroMs));
  return from < to ? { from, to } : { from: 0, to: 1000 };
}
