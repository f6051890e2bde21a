// The lines of growths laid over each other: each on elapsed time from its own zero, or all at their true time. Pure.
import { formatMoment } from '../../format/time.ts';
import type { Growth } from '../../state/growth.ts';
import type { LimitEntry } from '../../state/limits.ts';
import type { PlotGap, PlotLine } from '../../state/plot.ts';
import { channelKey } from '../../ui/plot/line-key.ts';
import type { PlotSpan, PlottedLine } from '../../ui/plot/plotted-line.ts';
import { toPlotted } from '../../ui/plot/to-plotted.ts';
import { words } from './words.ts';

/** The common zero: the start of each growth, a note that each has, or none: the clock. */
export type Alignment =
  | { readonly at: 'start' }
  | { readonly at: 'clock' }
  | { readonly at: 'note'; readonly text: string };

/** A growth with its points and the Unix time of its zero, milliseconds. */
export interface PlacedGrowth {
  readonly growth: Growth;
  readonly title: string;
  readonly zeroMs: number;
  /** It has no such note: its start is its zero. */
  readonly isUnaligned: boolean;
  readonly lines: readonly PlotLine[];
  readonly gaps: readonly PlotGap[];
}

/** The moments at which these growths can be aligned: notes must have the same words in all. */
export function alignmentsOf(growths: readonly Growth[]): Alignment[] {
  const texts = growths.map(({ notes }) => new Set(notes.map(({ text }) => text)));
  const shared = [...(texts[0] ?? [])].filter((text) => texts.every((own) => own.has(text)));
  return [{ at: 'start' }, { at: 'clock' }, ...shared.map((text): Alignment => ({ at: 'note', text }))];
}

/**
 * Give growths their titles and zeros.
 *
 * @param read - the points of each; absent: they are not there yet.
 */
export function placeGrowths(
  growths: readonly Growth[],
  read: readonly (Pick<PlacedGrowth, 'lines' | 'gaps'> | undefined)[],
  alignment: Alignment,
): PlacedGrowth[] {
  const names = growths.map(({ name }) => name || words.unnamed);
  return growths.map((growth, at) => {
    const { lines = [], gaps = [] } = read[at] ?? {};
    const name = names[at] ?? '';
    const isAlone = names.indexOf(name) === names.lastIndexOf(name);
    const zeroMs = zeroOf(growth, alignment);
    return {
      growth,
      title: isAlone ? name : `${name} (${formatMoment(growth.startedMs, 0)})`,
      zeroMs: zeroMs ?? growth.startedMs,
      isUnaligned: zeroMs === null,
      lines,
      gaps,
    };
  });
}

function zeroOf({ startedMs, notes }: Growth, alignment: Alignment): number | null {
  if (alignment.at === 'note') return notes.find(({ text }) => text === alignment.text)?.timeMs ?? null;
  return alignment.at === 'start' ? startedMs : 0;
}

/** The lines of growths over each other, each named by its growth; the limits of a channel are drawn once. */
export function linesOf(growths: readonly PlacedGrowth[], limits: readonly LimitEntry[] = []): PlottedLine[] {
  const limited = new Set<string>();
  return growths
    .flatMap((placed) => placed.lines.filter(({ timesMs }) => timesMs.length > 0).map((line) => ({ placed, line })))
    .map(({ placed: { growth, gaps, zeroMs, title }, line }, colour) => {
      const plotted = toPlotted(line, colour, gaps, limited.has(channelKey(line)) ? [] : limits);
      limited.add(channelKey(line));
      return {
        ...plotted,
        key: `${growth.id} ${plotted.key}`,
        name: `${title}: ${line.channel}`,
        isStepped: true,
        xs: plotted.xs.map((timeMs) => timeMs - zeroMs),
        gaps: (plotted.gaps ?? []).map(({ fromMs, toMs }) => ({ fromMs: fromMs - zeroMs, toMs: toMs - zeroMs })),
        // At the clock every place is its true time.
        ...(zeroMs === 0 ? {} : { zeroMs }),
      };
    });
}

/** The part of the axis that all growths together take. */
export function wholeSpan(growths: readonly Pick<PlacedGrowth, 'growth' | 'zeroMs'>[], nowMs: number): PlotSpan {
  const from = Math.min(...growths.map(({ growth, zeroMs }) => growth.startedMs - zeroMs));
  const to = Math.max(...growths.map(({ growth, zeroMs }) => (growth.endedMs ?? nowMs) - zeroMs));
  return from < to ? { from, to } : { from: 0, to: 1000 };
}
