// The data behind every plot of readings: which channels there are, and lines, gaps and marks of channels over a view. The
// live plot, Plots, the timeline of a growth and growths laid over each other all ask here.
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Value } from '../../src-main/contract/table.ts';
import { agent } from '../bridge.ts';
import { ask } from './ask.ts';
import { agentNowMs, readContact } from './contact.ts';

export type PlotChannel = Value<'plot', 'listChannels'>[number];
export type PlotLine = Value<'plot', 'read'>[number];
export type PlotMark = Value<'plot', 'readMarks'>['marks'][number];
export type PlotGap = Value<'plot', 'readGaps'>[number];
export type OlderEntry = Value<'plot', 'listOlder'>[number];
type RefusedCell = Value<'plot', 'readRefused'>[number];

/** A stretch of time, Unix milliseconds. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The newest time of this length, live. */
export interface Live {
  readonly lastMs: number;
}
export type View = Live | Span;

/** A plot to be read. */
export interface Question {
  /** Names what is plotted: the last reading of the same plot is shown until the new one is there. */
  readonly of: string;
  readonly channels: readonly PlotChannel[];
  readonly view: View;
  /** Sources whose gaps and older points are read; absent: those of the channels. */
  readonly sourceIds?: readonly string[];
  /** Most points of a line; absent: as many as the view has use for. */
  readonly maxPoints?: number;
  /** Read lines alone. */
  readonly isBare?: boolean;
}

/** The data of a plot, and the span that they were read for. */
export interface Reading extends Span {
  readonly lines: readonly PlotLine[];
  readonly gaps: readonly PlotGap[];
  readonly cells: readonly RefusedCell[];
  readonly marks: readonly PlotMark[];
  /** There are more marks in the span than were read. */
  readonly hasMoreMarks: boolean;
}

export interface Plot {
  readonly reading: UseQueryResult<Reading>;
  /** Streams whose points of the view are kept at the service only, or not all here. */
  readonly older: UseQueryResult<OlderEntry[]>;
}

/** Channels, and sources, of one call; the contract's own bound. */
const CALL_MAX = 20;
const CHANNELS_INTERVAL_MS = 3_000;
/** Until there is a first channel the list is asked for more often, so that the plot is not late. */
const NO_CHANNELS_INTERVAL_MS = 500;
/** Points of a line while the plot moves on, and while it stands still. */
export const LIVE_POINTS_MAX = 2_000;
const STILL_POINTS_MAX = 10_000;
/** A moving plot is read again when it has moved by a few pixels, but not more often than this, milliseconds. */
const LIVE_INTERVAL_MIN_MS = 1_000;
const LIVE_INTERVALS = 600;
const MARKS_MAX = 1_000;
const FRESH_MS = 30_000;
const OLDER_FRESH_MS = 60_000;
/** The newest minutes of a value beside it, and of how many points. */
const SPARK: Live = { lastMs: 120_000 };
const SPARK_POINTS_MAX = 60;
/** A span whose end follows the present is read again this often at most, milliseconds; a long one less often. */
const STEADY_MIN_MS = 2_000;
const STEADY_PART = 500;

/** Tell whether a view moves on with the time. */
export const isLive = (view: View): view is Live => 'lastMs' in view;

/**
 * Find the span of a view at this moment.
 *
 * @param sourceIds - the sources that are plotted. A live view ends now, or at their newest reading where all that they gave
 *   is older than the view is long: an old log that is being read.
 */
export function spanOf(view: View, sourceIds: readonly string[]): Span {
  if (!isLive(view)) return view;
  const contact = readContact();
  const nowMs = agentNowMs(contact);
  const stamps = (contact.snapshot?.sources ?? [])
    .filter(({ id }) => sourceIds.includes(id))
    .flatMap(({ lastReadingMs }) => lastReadingMs ?? []);
  const newestMs = stamps.length > 0 ? Math.max(...stamps) : nowMs;
  const toMs = newestMs < nowMs - view.lastMs ? newestMs : nowMs;
  return { fromMs: toMs - view.lastMs, toMs };
}

/** Tell whether the span of a live view ends long before now. */
export const isPast = (view: View, { toMs }: Span): boolean =>
  isLive(view) && toMs < agentNowMs(readContact()) - view.lastMs;

/**
 * Cut the present down to steps, so that a plot that follows it is read again a few hundred times over its length at most.
 *
 * @param fromMs - where the span begins.
 * @param nowMs - the present.
 * @returns its end.
 */
export function steadyEnd(fromMs: number, nowMs: number): number {
  const stepMs = Math.max(STEADY_MIN_MS, (nowMs - fromMs) / STEADY_PART);
  const step = 2 ** Math.ceil(Math.log2(stepMs / STEADY_MIN_MS)) * STEADY_MIN_MS;
  return Math.max(fromMs + STEADY_MIN_MS, Math.floor(nowMs / step) * step);
}

/** Follow the list of channels. */
export function usePlotChannels(): UseQueryResult<PlotChannel[]> {
  return useQuery({
    queryKey: ['plot.listChannels'],
    queryFn: () => ask(agent.plot.listChannels(null)),
    refetchInterval: ({ state }) => (state.data?.length ? CHANNELS_INTERVAL_MS : NO_CHANNELS_INTERVAL_MS),
  });
}

/** Follow several plots, one for each question. */
export function usePlots(questions: readonly Question[]): Plot[] {
  const readings = useQueries({ queries: useLast(questions.map(askReading)) });
  const older = useQueries({ queries: useLast(questions.map(askOlder)) });
  return readings.map((reading, at) => ({ reading, older: older[at] as UseQueryResult<OlderEntry[]> }));
}

/** Follow one plot. */
export const usePlot = (question: Question): Plot => usePlots([question])[0] as Plot;

/** Follow the newest two minutes of some channels, of more than twenty the first. */
export const useNewest = (channels: readonly PlotChannel[]): UseQueryResult<Reading> =>
  usePlot({
    of: 'newest',
    channels: channels.slice(0, CALL_MAX),
    view: SPARK,
    maxPoints: SPARK_POINTS_MAX,
    isBare: true,
  }).reading;

/** The sources of channels, each once. */
export const sourcesOf = (channels: readonly PlotChannel[]): string[] => [
  ...new Set(channels.map(({ sourceId }) => sourceId)),
];

function askReading(question: Question) {
  const { of, channels, view, isBare = false } = question;
  const { sourceIds = sourcesOf(channels), maxPoints = isLive(view) ? LIVE_POINTS_MAX : STILL_POINTS_MAX } = question;
  const named = channels.map(({ sourceId, channel }) => ({ sourceId, channel }));
  return {
    queryKey: ['plot.reading', of, view, named, sourceIds],
    queryFn: async (): Promise<Reading> => {
      const span = spanOf(view, sourceIds);
      const read = inParts(named, (part) => ask(agent.plot.read({ channels: part, ...span, maxPoints })));
      if (isBare) return { ...span, lines: await read, gaps: [], cells: [], marks: [], hasMoreMarks: false };
      const [lines, gaps, cells, { marks, next }] = await Promise.all([
        read,
        inParts(sourceIds, (part) => ask(agent.plot.readGaps({ sourceIds: part, ...span }))),
        inParts(sourceIds, (part) => ask(agent.plot.readRefused({ sourceIds: part, ...span }))),
        ask(agent.plot.readMarks({ sourceId: null, ...span, after: null, limit: MARKS_MAX })),
      ]);
      return { ...span, lines, gaps, cells, marks, hasMoreMarks: next !== null };
    },
    enabled: named.length > 0 || question.sourceIds !== undefined,
    refetchInterval: isLive(view)
      ? Math.max(LIVE_INTERVAL_MIN_MS, view.lastMs / Math.min(maxPoints, LIVE_INTERVALS))
      : (false as const),
    // To compare some hundred thousand points with the last ones costs more than to draw them.
    structuralSharing: false,
    // A span that stands still is not read again by itself, and not kept long after it was left.
    staleTime: isLive(view) ? 0 : FRESH_MS,
    gcTime: FRESH_MS,
  };
}

function askOlder({ of, channels, view, sourceIds = sourcesOf(channels), isBare = false }: Question) {
  return {
    queryKey: ['plot.older', of, view, sourceIds],
    queryFn: () => {
      const span = spanOf(view, sourceIds);
      return inParts(sourceIds, (part) => ask(agent.plot.listOlder({ sourceIds: part, ...span })));
    },
    enabled: sourceIds.length > 0 && !isBare,
    staleTime: OLDER_FRESH_MS,
    gcTime: FRESH_MS,
  };
}

/**
 * Show the last answer about the same plot until the new one is there; another plot says nothing of this one. A query of
 * another span is another query to `useQueries`, which forgets the one before.
 */
function useLast<Q extends { queryKey: readonly unknown[]; queryFn: () => Promise<unknown> }>(queries: readonly Q[]) {
  type Answer = Awaited<ReturnType<Q['queryFn']>>;
  const last = useRef(new Map<unknown, Answer>()).current;
  return queries.map((query) => ({
    ...query,
    queryFn: async (): Promise<Answer> => {
      const answer = (await query.queryFn()) as Answer;
      last.set(query.queryKey[1], answer);
      return answer;
    },
    placeholderData: () => last.get(query.queryKey[1]),
  }));
}

/** Ask for a long list in parts, and put the answers together. */
async function inParts<T, V>(all: readonly T[], read: (part: T[]) => Promise<V[]>): Promise<V[]> {
  const parts = Array.from({ length: Math.ceil(all.length / CALL_MAX) }, (_, at) =>
    read(all.slice(at * CALL_MAX, (at + 1) * CALL_MAX)),
  );
  return (await Promise.all(parts)).flat();
}
