// What is drawn of a growth over a span of its time: states, values, gaps and marks, from the points that are kept here.
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { agent } from '../bridge.ts';
import { ask } from './ask.ts';
import type { OlderEntry, PlotChannel, PlotGap, PlotLine, PlotMark, Span } from './plot.ts';

export interface GrowthMarks {
  readonly marks: readonly PlotMark[];
  /** There are more than are told. */
  readonly isCut: boolean;
}

/** Channels, and sources, of one call; the contract's own bound. */
const CALL_MAX = 20;
/** Channels without a unit that are looked at for states: more is no timeline any more. */
const STATES_MAX = 60;
const POINTS_MAX = 2_000;
const MARKS_MAX = 1_000;
/** A span that moves is read again this often at most, milliseconds; a long one less often. */
const INTERVAL_MIN_MS = 2_000;
const INTERVAL_PART = 500;

/** Ask for all channels once; a running growth may bring new ones. */
export function useGrowthChannels(isRunning: boolean): UseQueryResult<PlotChannel[]> {
  return useQuery({
    queryKey: ['plot.listChannels'],
    queryFn: () => ask(agent.plot.listChannels(null)),
    refetchInterval: isRunning ? INTERVAL_MIN_MS : false,
  });
}

/** Lines of some channels over a span; those of states and those of values are asked for alike. */
export function useGrowthLines(channels: readonly PlotChannel[], span: Span): UseQueryResult<PlotLine[]> {
  const wanted = channels.slice(0, STATES_MAX).map(({ sourceId, channel }) => ({ sourceId, channel }));
  return useSpan('plot.read', wanted, span, async () => {
    const asked = inParts(wanted).map((part) =>
      ask(agent.plot.read({ channels: part, ...span, maxPoints: POINTS_MAX })),
    );
    return (await Promise.all(asked)).flat();
  });
}

/** Gaps of some sources that reach into a span. */
export function useGrowthGaps(sourceIds: readonly string[], span: Span): UseQueryResult<PlotGap[]> {
  return useSpan('plot.readGaps', sourceIds, span, async () => {
    const asked = inParts(sourceIds).map((part) => ask(agent.plot.readGaps({ sourceIds: part, ...span })));
    return (await Promise.all(asked)).flat();
  });
}

/** Notes and lines of event logs of a span, the first thousand. */
export function useGrowthMarks(span: Span): UseQueryResult<GrowthMarks> {
  return useSpan('growth.marks', [], span, async () => {
    const question = { sourceId: null, ...span, after: null, limit: MARKS_MAX };
    const { marks, next } = await ask(agent.plot.readMarks(question));
    return { marks, isCut: next !== null };
  });
}

/** Streams of a span whose points are kept at the service only, or not all here. */
export function useOlderStreams(sourceIds: readonly string[], span: Span): UseQueryResult<OlderEntry[]> {
  return useSpan('plot.listOlder', sourceIds, span, async () => {
    const asked = inParts(sourceIds).map((part) => ask(agent.plot.listOlder({ sourceIds: part, ...span })));
    return (await Promise.all(asked)).flat();
  });
}

/**
 * The key holds the span, so a span whose end moves is a new question; the former answer about the same things stays until it
 * is there. One about other things says nothing of these.
 */
function useSpan<V>(name: string, of: readonly unknown[], span: Span, read: () => Promise<V>): UseQueryResult<V> {
  const about = JSON.stringify(of);
  return useQuery<V>({
    queryKey: [name, about, span.fromMs, span.toMs],
    queryFn: read,
    placeholderData: (former, question) => (question?.queryKey[1] === about ? former : undefined),
    gcTime: 10_000,
  });
}

/**
 * Cut the present down to steps, so that a plot that follows it is read again a few hundred times over its length at most.
 *
 * @param fromMs - where the span begins.
 * @param nowMs - the present.
 * @returns its end.
 */
export function steadyEnd(fromMs: number, nowMs: number): number {
  const stepMs = Math.max(INTERVAL_MIN_MS, (nowMs - fromMs) / INTERVAL_PART);
  const step = 2 ** Math.ceil(Math.log2(stepMs / INTERVAL_MIN_MS)) * INTERVAL_MIN_MS;
  return Math.max(fromMs + INTERVAL_MIN_MS, Math.floor(nowMs / step) * step);
}

function inParts<T>(all: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < all.length; at += CALL_MAX) parts.push(all.slice(at, at + CALL_MAX));
  return parts;
}
