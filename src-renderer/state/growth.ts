// Growths: the one that runs, one by its id, the list of all, and what a person does with them.
import {
  type InfiniteData,
  keepPreviousData,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { Argument, Value } from '../../src-main/contract/table.ts';
import { agent } from '../bridge.ts';
import { ask } from './ask.ts';
import { isLive, spanOf, type View } from './plot.ts';

export type Growth = NonNullable<Value<'growth', 'read'>>;
export type GrowthPart = Growth['parts'][number];
export type GrowthStream = GrowthPart['streams'][number];
export type GrowthSession = GrowthPart['rheed'][number];
export type GrowthPage = Value<'growth', 'list'>;
export type GrowthStart = Argument<'growth', 'start'>;
export type GrowthChange = Argument<'growth', 'change'>;
export type GrowthAnswer = Argument<'growth', 'answer'>;
export type Changed = Value<'growth', 'change'>;

const LIST_PAGE = 20;
/** Growths of one call, the contract's own bound, and calls for a span that lies long ago. */
const GROWTHS_MAX = 50;
const GROWTH_PAGES_MAX = 20;
const GROWTHS_INTERVAL_MS = 10_000;
/** A growth that runs, or whose streams are still being delivered, is asked for again; one that is over only now and then. */
const RUNNING_INTERVAL_MS = 2_000;
const ENDED_INTERVAL_MS = 10_000;

const askGrowth = (growthId: string) => ({
  queryKey: ['growth.read', growthId],
  queryFn: () => ask(agent.growth.read({ growthId })),
  refetchInterval: ({ state }: { state: { data: Growth | null | undefined } }) =>
    isSettled(state.data) ? ENDED_INTERVAL_MS : RUNNING_INTERVAL_MS,
});

/** Follow a growth by its id; null in the answer: there is none of this id. */
export const useGrowth = (growthId: string): UseQueryResult<Growth | null> =>
  useQuery({ ...askGrowth(growthId), placeholderData: keepPreviousData });

/** Follow several growths by their ids. */
export const useGrowths = (growthIds: readonly string[]): UseQueryResult<Growth | null>[] =>
  useQueries({ queries: growthIds.map(askGrowth) });

/** The sources of a growth, each once. */
export const sourcesOfGrowth = ({ parts }: Growth): string[] => [
  ...new Set(parts.flatMap(({ streams }) => streams.map(({ sourceId }) => sourceId))),
];

/**
 * Follow the list of growths, newest first; `fetchNextPage` brings older ones.
 *
 * @param runningId - the id of the growth that runs (null: none): when it changes the list is asked for again.
 */
export function useGrowthList(runningId: string | null): UseInfiniteQueryResult<InfiniteData<GrowthPage>> {
  return useInfiniteQuery({
    queryKey: ['growth.list', runningId],
    queryFn: ({ pageParam }) => ask(agent.growth.list({ before: pageParam, limit: LIST_PAGE })),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    // The first page alone moves; older ones are asked for once.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 1) > 1 ? false : ENDED_INTERVAL_MS),
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
 * @param sourceIds - the sources that are plotted, which decide where a live view ends.
 * @param runningId - the id of the growth that runs (null: none): when it changes the list is read again.
 */
export function useGrowthsIn(
  view: View,
  sourceIds: readonly string[],
  runningId: string | null,
): UseQueryResult<GrowthsIn> {
  return useQuery({
    queryKey: ['growth.in', view, sourceIds, runningId],
    queryFn: async (): Promise<GrowthsIn> => {
      const { fromMs } = spanOf(view, sourceIds);
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

/** Begin a growth at this moment. */
export function useStartGrowth(): UseMutationResult<Growth, Error, GrowthStart> {
  return useGrowthCall((start: GrowthStart) => ask(agent.growth.start(start)));
}

/** End the growth that runs. */
export function useEndGrowth(): UseMutationResult<Growth, Error, void> {
  return useGrowthCall(() => ask(agent.growth.end(null)));
}

/** Choose name, sample or project late. */
export function useChangeGrowth(): UseMutationResult<Changed, Error, GrowthChange> {
  return useGrowthCall((change: GrowthChange) => ask(agent.growth.change(change)));
}

/** Answer what is asked after a restart. */
export function useAnswerRestart(): UseMutationResult<Growth, Error, GrowthAnswer> {
  return useGrowthCall((answer: GrowthAnswer) => ask(agent.growth.answer(answer)));
}

/**
 * Keep a remark at this moment, with or without a growth.
 *
 * @returns its time, once it is on disk.
 */
export function useNote(): UseMutationResult<{ timeMs: number }, Error, string> {
  return useGrowthCall((text: string) => ask(agent.growth.note({ text })));
}

/** A call after which everything that is shown of growths is asked for again. */
function useGrowthCall<A, R>(call: (argument: A) => Promise<R>): UseMutationResult<R, Error, A> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSettled: () => queries.invalidateQueries({ predicate: ({ queryKey }) => isOfGrowths(queryKey[0]) }),
  });
}

const isOfGrowths = (name: unknown) => typeof name === 'string' && name.startsWith('growth.');

/** What was refused can be sent again, so it may still move. */
const isDone = ({ isDelivered, pointsRefused, pointsResent }: GrowthStream) =>
  isDelivered && pointsRefused <= pointsResent;

/** Nothing of it moves any more. */
function isSettled(growth: Growth | null | undefined): boolean {
  if (!growth) return growth === null;
  return growth.endedMs !== null && growth.parts.every(({ streams }) => streams.every(isDone));
}
