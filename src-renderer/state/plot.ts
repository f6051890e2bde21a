// The data behind the live plot: which channels there are, and their newest minutes, asked for once a second.
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { SourceView } from '../../src-main/contract/snapshot.ts';
import type { Value } from '../../src-main/contract/table.ts';
import { agent } from '../bridge.ts';
import { ask } from './ask.ts';
import { agentNowMs, readContact } from './contact.ts';

export type PlotChannel = Value<'plot', 'listChannels'>[number];
export type PlotLine = Value<'plot', 'read'>[number];
export type PlotMark = Value<'plot', 'readMarks'>['marks'][number];
export type PlotGap = Value<'plot', 'readGaps'>[number];
export type OlderEntry = Value<'plot', 'listOlder'>[number];

/** A stretch of time, Unix milliseconds. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The lines and the span that they were asked for, Unix milliseconds. */
export interface PlotData extends Span {
  readonly lines: readonly PlotLine[];
  /** True when the data ends long ago (an old log being read), so that the plot ends there instead of now. */
  readonly isPast: boolean;
}

/** Most channels in one plot; the contract's own bound. */
export const CHANNELS_MAX = 20;
const CHANNELS_INTERVAL_MS = 3_000;
/** Until there is a first channel the list is asked for more often, so that the plot is not late. */
const NO_CHANNELS_INTERVAL_MS = 500;
const LINES_INTERVAL_MS = 1_000;
/** Upper bound of points a line: about one per pixel of a wide screen. */
const POINTS_MAX = 1_500;

/** Follow the list of channels. */
export function usePlotChannels(): UseQueryResult<PlotChannel[]> {
  return useQuery({
    queryKey: ['plot.listChannels'],
    queryFn: () => ask(agent.plot.listChannels(null)),
    refetchInterval: ({ state }) => (state.data?.length ? CHANNELS_INTERVAL_MS : NO_CHANNELS_INTERVAL_MS),
  });
}

/**
 * Follow the newest minutes of some channels. Takes at most 20 channels, the width of the window in milliseconds, and
 * whether to follow at all.
 *
 * @returns the query; the former lines stay until the new ones are there.
 */
export function usePlotData(channels: readonly PlotChannel[], windowMs: number): UseQueryResult<PlotData> {
  const wanted = channels.map(({ sourceId, channel }) => ({ sourceId, channel }));
  return useQuery({
    queryKey: ['plot.read', wanted, windowMs],
    queryFn: async () => {
      const { toMs, isPast } = findEnd(new Set(wanted.map(({ sourceId }) => sourceId)), windowMs);
      const fromMs = toMs - windowMs;
      const lines = await ask(agent.plot.read({ channels: wanted, fromMs, toMs, maxPoints: POINTS_MAX }));
      return { lines, fromMs, toMs, isPast };
    },
    enabled: wanted.length > 0,
    refetchInterval: LINES_INTERVAL_MS,
    placeholderData: keepPreviousData,
    structuralSharing: false,
  });
}

/** The newest minutes of a value, milliseconds, how often they are read, and of how many points. */
const SPARK_SPAN_MS = 120_000;
const SPARK_INTERVAL_MS = 2_000;
const SPARK_POINTS_MAX = 60;

/**
 * Follow the newest minutes of some channels.
 *
 * @param channels - of more than twenty the first.
 * @returns the query; its lines are thinned.
 */
export function useNewest(channels: readonly PlotChannel[]): UseQueryResult<PlotLine[]> {
  const wanted = channels.slice(0, CHANNELS_MAX).map(({ sourceId, channel }) => ({ sourceId, channel }));
  return useQuery({
    queryKey: ['plot.sparks', wanted],
    queryFn: () => {
      const { toMs } = findEnd(new Set(wanted.map(({ sourceId }) => sourceId)), SPARK_SPAN_MS);
      const span = { fromMs: toMs - SPARK_SPAN_MS, toMs };
      return ask(agent.plot.read({ channels: wanted, ...span, maxPoints: SPARK_POINTS_MAX }));
    },
    enabled: wanted.length > 0,
    refetchInterval: SPARK_INTERVAL_MS,
    placeholderData: keepPreviousData,
  });
}

/** The plot ends now; or, when all that its sources gave is older than the window, at their newest reading. */
function findEnd(sourceIds: ReadonlySet<string>, windowMs: number): { toMs: number; isPast: boolean } {
  const contact = readContact();
  const nowMs = agentNowMs(contact);
  const stamps = (contact.snapshot?.sources ?? [])
    .filter(({ id }: SourceView) => sourceIds.has(id))
    .map(({ lastReadingMs }) => lastReadingMs)
    .filter((stamp) => stamp !== null);
  const newestMs = stamps.length > 0 ? Math.max(...stamps) : nowMs;
  return newestMs < nowMs - windowMs ? { toMs: newestMs, isPast: true } : { toMs: nowMs, isPast: false };
}
