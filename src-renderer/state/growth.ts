// Growths: the one that runs, one by its id, the list of all, and what a person does with them.
import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Argument, Value } from '../../src-main/contract/table.ts';
import { agent } from '../bridge.ts';
import { ask } from './ask.ts';

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

/** Follow the list of growths, newest first; `fetchNextPage` brings older ones. */
export function useGrowthList(): UseInfiniteQueryResult<InfiniteData<GrowthPage>> {
  return useInfiniteQuery({
    queryKey: ['growth.list'],
    queryFn: ({ pageParam }) => ask(agent.growth.list({ before: pageParam, limit: LIST_PAGE })),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next ?? undefined,
    // Several pages are asked for again only while a growth on them moves.
    refetchInterval: ({ state: { data } }) =>
      data && data.pages.length > 1 && data.pages.every(({ growths }) => growths.every(isSettled))
        ? false
        : ENDED_INTERVAL_MS,
  });
}

/**
 * Read further pages of the list until they reach back to a time.
 *
 * @returns true while older growths of that time are missing.
 */
export function useGrowthsSince(list: ReturnType<typeof useGrowthList>, fromMs: number): boolean {
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = list;
  // One growth follows the other: all before this one have ended before it as well.
  const oldestMs = data?.pages.at(-1)?.growths.at(-1)?.startedMs ?? Number.NEGATIVE_INFINITY;
  const isCut = hasNextPage && oldestMs >= fromMs;
  useEffect(() => {
    if (isCut && !isFetching && !isError) void fetchNextPage();
  }, [isCut, isFetching, isError]);
  return isCut;
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
    onSettled: () => askGrowthsAgain(queries),
  });
}

/** Ask again for everything that is shown of growths. */
export const askGrowthsAgain = (queries: QueryClient): Promise<void> =>
  queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('growth.') });

/** What was refused can be sent again, so it may still move. */
const isDone = ({ isDelivered, pointsRefused, pointsResent }: GrowthStream) =>
  isDelivered && pointsRefused <= pointsResent;

/** Nothing of it moves any more. */
function isSettled(growth: Growth | null | undefined): boolean {
  if (!growth) return growth === null;
  return growth.endedMs !== null && growth.parts.every(({ streams }) => streams.every(isDone));
}
