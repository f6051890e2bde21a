// The journal from the store, page by page.
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Argument, Value } from '../../src-main/contract/table.ts';
import { agent } from '../bridge.ts';
import { ask } from './ask.ts';

export type JournalFilter = Omit<Argument<'journal', 'list'>, 'beforeId' | 'limit'>;
export type JournalLine = Value<'journal', 'list'>['entries'][number];

/** Entries of a page. */
const PAGE = 100;
/** How often the newest are looked for, milliseconds. */
const LOOK_MS = 3_000;

/** Follow the entries that fit, newest first; older pages on demand. */
export function useJournal(filter: JournalFilter) {
  return useInfiniteQuery({
    queryKey: ['journal.list', filter],
    queryFn: ({ pageParam }) => ask(agent.journal.list({ ...filter, beforeId: pageParam, limit: PAGE })),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    // Once a person reads what is older, nothing moves under their eyes.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : LOOK_MS),
  });
}

/** The sources that events can belong to. */
export function useJournalSources() {
  return useQuery({ queryKey: ['journal.sources'], queryFn: () => ask(agent.journal.listSources(null)) });
}
