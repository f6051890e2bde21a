// Growths beside each other: each with the points of the wanted channels and of its shutters over its own time.
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { agent } from '../bridge.ts';
import { ask } from './ask.ts';
import type { Growth } from './growth.ts';
import type { PlotChannel, PlotGap, PlotLine } from './plot.ts';

export interface ComparedGrowth {
  readonly growth: Growth;
  /** Channels of its sources. */
  readonly channels: readonly PlotChannel[];
  /** Of the wanted channels, and of those without a unit, which may be shutters. */
  readonly lines: readonly PlotLine[];
  readonly gaps: readonly PlotGap[];
  /** Some of its points are kept at the service only. */
  readonly isPartly: boolean;
}

export interface Comparison {
  readonly growths: readonly ComparedGrowth[];
  readonly isPending: boolean;
  /** One for each growth. */
  readonly queries: readonly UseQueryResult<ComparedGrowth | null>[];
}

/** Channels, and sources, of one call; the contract's own bound. */
const CALL_MAX = 20;
const STATES_MAX = 40;
const POINTS_MAX = 2_000;
const FRESH_MS = 30_000;

/** Read growths. Takes their ids and the keys of the wanted channels, which the caller makes of source and channel. */
export function useComparison(
  ids: readonly string[],
  keys: readonly string[],
  keyOf: (channel: PlotChannel) => string,
): Comparison {
  const results = useQueries({
    queries: ids.map((growthId) => ({
      queryKey: ['compare', growthId, keys],
      queryFn: () => readGrowth(growthId, keys, keyOf),
      staleTime: FRESH_MS,
      placeholderData: (before: ComparedGrowth | null | undefined) => before,
    })),
  });
  return {
    growths: results.flatMap(({ data }) => (data ? [data] : [])),
    isPending: results.some(({ isPending }) => isPending),
    queries: results,
  };
}

async function readGrowth(
  growthId: string,
  keys: readonly string[],
  keyOf: (channel: PlotChannel) => string,
): Promise<ComparedGrowth | null> {
  const growth = await ask(agent.growth.read({ growthId }));
  if (growth === null) return null;
  const span = { fromMs: growth.startedMs, toMs: growth.endedMs ?? Date.now() };
  const sourceIds = [...new Set(growth.parts.flatMap(({ streams }) => streams.map(({ sourceId }) => sourceId)))];
  const channels = (await ask(agent.plot.listChannels(null))).filter(({ sourceId }) => sourceIds.includes(sourceId));
  const wanted = channels.filter((channel) => keys.includes(keyOf(channel)));
  const states = channels.filter((channel) => channel.unit === '' && !wanted.includes(channel)).slice(0, STATES_MAX);
  const named = [...wanted, ...states].map(({ sourceId, channel }) => ({ sourceId, channel }));
  const some = sourceIds.slice(0, CALL_MAX);
  const [lines, gaps, older] = await Promise.all([
    Promise.all(inParts(named).map((part) => ask(agent.plot.read({ channels: part, ...span, maxPoints: POINTS_MAX })))),
    ask(agent.plot.readGaps({ sourceIds: some, ...span })),
    ask(agent.plot.listOlder({ sourceIds: some, ...span })),
  ]);
  return { growth, channels, lines: lines.flat(), gaps, isPartly: older.length > 0 };
}

function inParts<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / CALL_MAX) }, (_, at) =>
    all.slice(at * CALL_MAX, (at + 1) * CALL_MAX),
  );
}
