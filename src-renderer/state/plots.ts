// The data behind the page of plots: lines of any span from the queue, what stands beside them, and older points from the
// service.
import { keepPreviousData, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Value } from '../../src-main/contract/table.ts';
import { agent } from '../bridge.ts';
import { ask } from './ask.ts';
import { agentNowMs, readContact } from './contact.ts';
import type { Growth, GrowthPage } from './growth.ts';
import type { OlderEntry, PlotChannel, PlotGap, PlotLine, PlotMark, Span } from './plot.ts';

type RefusedCell = Value<'plot', 'readRefused'>[number];

/** What a plot shows: the newest of so many milliseconds, live; or a span that stands still. */
export interface Live {
  readonly lastMs: number;
}
export type View = Live | Span;

/** What was read for a view, and the span that it was read for. */
export interface Reading extends Span {
  readonly lines: readonly PlotLine[];
  readonly gaps: readonly PlotGap[];
  readonly cells: readonly RefusedCell[];
  readonly marks: readonly PlotMark[];
  /** There are more marks in the span than were read. */
  readonly hasMoreMarks: boolean;
}

/** Points of a line while the plot moves on, and while it stands still. */
const LIVE_POINTS_MAX = 2_000;
const STILL_POINTS_MAX = 10_000;
/** A moving plot is read again when it has moved by a few pixels, but not more often than this, milliseconds. */
const LIVE_INTERVAL_MIN_MS = 1_000;
const LIVE_INTERVALS = 600;
const MARKS_MAX = 500;
const SOURCES_MAX = 20;
/** Growths of one call, the contract's own bound, and calls for a span that lies long ago. */
const GROWTHS_MAX = 50;
const GROWTH_PAGES_MAX = 20;
const GROWTHS_INTERVAL_MS = 10_000;

/** Tell whether a view moves on with the time. */
export const isLive = (view: View): view is Live => 'lastMs' in view;

/** The span of a view at this moment. */
export function spanOf(view: View): Span {
  if (!isLive(view)) return view;
  const toMs = agentNowMs(readContact());
  return { fromMs: toMs - view.lastMs, toMs };
}

const named = (channels: readonly PlotChannel[]) => channels.map(({ sourceId, channel }) => ({ sourceId, channel }));
const sourcesOf = (channels: readonly PlotChannel[]) =>
  [...new Set(channels.map(({ sourceId }) => sourceId))].slice(0, SOURCES_MAX);

/** Follow what there is of a view; the former reading stays until the new one is there. */
export function useReading(channels: readonly PlotChannel[], view: View): UseQueryResult<Reading> {
  const wanted = named(channels);
  return useQuery({
    queryKey: ['plots.reading', wanted, view],
    queryFn: async (): Promise<Reading> => {
      const span = spanOf(view);
      const maxPoints = isLive(view) ? LIVE_POINTS_MAX : STILL_POINTS_MAX;
      const about = { sourceIds: sourcesOf(channels), ...span };
      const [lines, gaps, cells, { marks, next }] = await Promise.all([
        ask(agent.plot.read({ channels: wanted, ...span, maxPoints })),
        ask(agent.plot.readGaps(about)),
        ask(agent.plot.readRefused(about)),
        ask(agent.plot.readMarks({ sourceId: null, ...span, after: null, limit: MARKS_MAX })),
      ]);
      return { ...span, lines, gaps, cells, marks, hasMoreMarks: next !== null };
    },
    enabled: wanted.length > 0,
    refetchInterval: isLive(view) ? Math.max(LIVE_INTERVAL_MIN_MS, view.lastMs / LIVE_INTERVALS) : false,
    placeholderData: keepPreviousData,
    // To compare some hundred thousand points with the former ones costs more than to draw them.
    structuralSharing: false,
    // A span that stands still is not read again by itself, and not kept long after it was left.
    staleTime: isLive(view) ? 0 : 30_000,
    gcTime: 30_000,
  });
}

/** Growths that touch a view, and those of the same pages of the list. */
export interface GrowthsIn {
  readonly growths: readonly Growth[];
  /** There are older ones in the view than were read. */
  readonly isCut: boolean;
}

/**
 * Follow the growths of a view.
 *
 * @param runningId - the id of the growth that runs (null: none): when it changes the list is read again.
 */
export function useGrowthsIn(view: View, runningId: string | null): UseQueryResult<GrowthsIn> {
  return useQuery({
    queryKey: ['growth.in', view, runningId],
    queryFn: async (): Promise<GrowthsIn> => {
      const { fromMs } = spanOf(view);
      const growths: Growth[] = [];
      let before: number | null = null;
      for (let page = 0; page < GROWTH_PAGES_MAX; page += 1) {
        const read: GrowthPage = await ask(agent.growth.list({ before, limit: GROWTHS_MAX }));
        growths.push(...read.growths);
        before = read.next;
        // One growth follows the other: what began before this one has ended before it as well.
        if (before === null || growths.some(({ startedMs }) => startedMs < fromMs)) return { growths, isCut: false };
      }
      return { growths, isCut: true };
    },
    refetchInterval: isLive(view) ? GROWTHS_INTERVAL_MS : false,
    placeholderData: keepPreviousData,
    staleTime: isLive(view) ? 0 : 30_000,
    gcTime: 30_000,
  });
}

/** Which points of a view are kept at the service only. */
export function useOlderEntries(channels: readonly PlotChannel[], view: View): UseQueryResult<OlderEntry[]> {
  const sourceIds = sourcesOf(channels);
  return useQuery({
    queryKey: ['plots.older', sourceIds, view],
    queryFn: () => ask(agent.plot.listOlder({ sourceIds, ...spanOf(view) })),
    enabled: sourceIds.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

/** How the reading from the service stands. */
export interface OlderReading {
  readonly lines: readonly PlotLine[];
  /** Entries read so far, of those there are. */
  readonly done: number;
  readonly isReading: boolean;
  readonly failed: unknown;
}

const nothingRead: OlderReading = { lines: [], done: 0, isReading: false, failed: null };

/**
 * Read older points back from the service, entry after entry, while it is wanted; what was read of an entry is kept, so that
 * only what is new is asked for. To want it no more ends it behind the entry that is under way.
 */
export function useOlderLines(
  entries: readonly OlderEntry[],
  channels: readonly PlotChannel[],
  isWanted: boolean,
): OlderReading {
  const client = useQueryClient();
  const [reading, setReading] = useState<OlderReading>(nothingRead);
  const shape = JSON.stringify([entries, named(channels), isWanted]);
  const latest = useRef(shape);
  latest.current = shape;
  useEffect(() => {
    if (!isWanted || entries.length === 0) {
      setReading(nothingRead);
      return;
    }
    const isOver = () => latest.current !== shape;
    const run = async () => {
      const lines: PlotLine[] = [];
      for (const [at, { streamId: _, name: __, ...entry }] of entries.entries()) {
        if (isOver()) return;
        setReading({ lines: [...lines], done: at, isReading: true, failed: null });
        const own = channels.filter(({ sourceId }) => sourceId === entry.sourceId).map(({ channel }) => channel);
        const read = await client.fetchQuery({
          queryKey: ['plots.readOlder', entry, own],
          queryFn: () => ask(agent.plot.readOlder({ entry, channels: own, maxPoints: LIVE_POINTS_MAX })),
          staleTime: Number.POSITIVE_INFINITY,
        });
        lines.push(...(read ?? []));
      }
      if (!isOver()) setReading({ lines, done: entries.length, isReading: false, failed: null });
    };
    run().catch((failed: unknown) => {
      if (!isOver()) setReading((before) => ({ ...before, isReading: false, failed }));
    });
    // `shape` stands for the three of them.
  }, [shape]);
  return reading;
}
