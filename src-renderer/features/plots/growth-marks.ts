// The course of growths as marks on a plot: start, end, and restarts of the agent in between.
import type { Growth } from '../../state/growth.ts';
import type { PlotMark, Span } from '../../state/plot.ts';
import { GROWTHS } from '../../ui/plot/mark-sources.ts';
import { words } from './words.ts';

type Course = Pick<Growth, 'name' | 'startedMs' | 'endedMs' | 'restarts'>;

/**
 * Make the marks of growths within a span.
 *
 * @returns rising; their ids are negative, so that none is that of a line of an event log.
 */
export function growthMarks(growths: readonly Course[], { fromMs, toMs }: Span): PlotMark[] {
  return growths
    .flatMap(({ name, startedMs, endedMs, restarts }) => [
      { timeMs: startedMs, text: words.growthStarted(name) },
      ...restarts.map(({ atMs }) => ({ timeMs: atMs, text: words.restarted })),
      ...(endedMs === null ? [] : [{ timeMs: endedMs, text: words.growthEnded(name) }]),
    ])
    .filter(({ timeMs }) => timeMs >= fromMs && timeMs <= toMs)
    .toSorted((one, other) => one.timeMs - other.timeMs)
    .map((mark, at) => ({ ...mark, id: -1 - at, sourceId: GROWTHS, place: '', line: null }));
}
