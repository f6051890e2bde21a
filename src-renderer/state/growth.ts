// Growths: the one that runs, one by its id, the list of all, and what a person does with them.
import {
  type InfiniteData,
  keepPreviousData,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
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

/** Follow a growth by its id; null in the answer: there is none of this id. */
export function useGrowth(growthId: string): UseQueryResult<Growth | null> {
  return useQuery({
    queryKey: ['growth.read', growthId],
    queryFn: () => ask(agent.growth.read({ growthId })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (isSettled(state.data) ? ENDED_INTERVAL_MS : RUNNING_INTERVAL_MS),
  });
}

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
