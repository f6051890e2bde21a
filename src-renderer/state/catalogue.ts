// The catalogue of the service, as pages of entries and as what one entry holds. Nothing is asked twice within a minute,
// and what is left behind is given up.
//
// The service tells no total, so a list says "more below" until its end is reached, and ends at ROWS_MAX; what follows is a list
// of its own. An entry that comes in meanwhile moves the others down, and each is shown once.
import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { Answer, Argument, Value } from '../../src-main/contract/table.ts';
import { agent } from '../bridge.ts';
import { ask } from './ask.ts';
import { askUntil, makeTicket } from './give-up.ts';
import { saveAs } from './save-as.ts';

export type Entry = Value<'catalogue', 'list'>['entries'][number];
export type EntryDetail = NonNullable<Value<'catalogue', 'entry'>>;
export type EntrySeries = NonNullable<Value<'catalogue', 'series'>>;
export type Frame = Value<'catalogue', 'frames'>['frames'][number];
export type Xps = Value<'catalogue', 'xps'>;
export type EntryFilter = Omit<Argument<'catalogue', 'list'>, 'ticket' | 'limit' | 'offset'>;

/** Entries of one answer, and of one list: further ones are a list of their own, so that memory stays bounded. */
const PAGE = 1000;
export const ROWS_MAX = 10_000;
/** What was read counts as fresh for so long, milliseconds. */
const FRESH_MS = 60_000;
/** Points of a line; a wide screen has about half as many columns. */
const POINTS_MAX = 4000;
/** Pictures leave the memory of the page this long after they left the screen, milliseconds. */
const PICTURE_KEPT_MS = 20_000;

type EntryPage = Value<'catalogue', 'list'>;

/**
 * Follow a list of entries, newest first, page by page.
 *
 * @param skipped - how many entries are skipped before its first.
 * @returns the query; `select` has put the pages together, each entry once: a new one at the top moves the others down.
 */
export function useEntries(
  filter: EntryFilter,
  skipped: number,
): UseInfiniteQueryResult<{ entries: readonly Entry[]; isLast: boolean }> {
  return useInfiniteQuery({
    queryKey: ['catalogue.list', filter, skipped],
    queryFn: ({ pageParam, signal }) =>
      askUntil(signal, (ticket) =>
        agent.catalogue.list({ ...filter, ticket, limit: PAGE, offset: skipped + pageParam }),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ isLast }: EntryPage, _pages, lastParam: number) =>
      isLast || lastParam + PAGE >= ROWS_MAX ? undefined : lastParam + PAGE,
    select: joinPages,
    staleTime: FRESH_MS,
    refetchOnWindowFocus: false,
  });
}

function joinPages({ pages }: InfiniteData<EntryPage>): { entries: readonly Entry[]; isLast: boolean } {
  const byId = new Map<string, Entry>();
  for (const { entries } of pages)
    for (const entry of entries) if (!byId.has(entry.dataId)) byId.set(entry.dataId, entry);
  return { entries: [...byId.values()], isLast: pages.at(-1)?.isLast ?? false };
}

function askOfEntry<V>(verb: string, dataId: string, call: (ticket: string) => Promise<Answer<V>>) {
  return {
    queryKey: [`catalogue.${verb}`, dataId],
    queryFn: ({ signal }: { signal: AbortSignal }) => askUntil(signal, call),
    staleTime: FRESH_MS,
    refetchOnWindowFocus: false,
  };
}

/** Ask one thing of one entry. */
const useOfEntry = <V>(verb: string, dataId: string, call: (ticket: string) => Promise<Answer<V>>): UseQueryResult<V> =>
  useQuery(askOfEntry(verb, dataId, call));

/** Ask one thing of each of some entries. */
function useOfEntries<V>(
  verb: string,
  dataIds: readonly string[],
  call: (ticket: string, dataId: string) => Promise<Answer<V>>,
): UseQueryResult<V>[] {
  return useQueries({ queries: dataIds.map((dataId) => askOfEntry(verb, dataId, (ticket) => call(ticket, dataId))) });
}

/** The entry itself; null when the service knows none. */
export const useEntry = (dataId: string) =>
  useOfEntry('entry', dataId, (ticket) => agent.catalogue.entry({ ticket, dataId }));

/** The time series of entries, long lines thinned, times in Unix milliseconds; null when the service holds none. */
export const useEntrySeries = (dataIds: readonly string[]) =>
  useOfEntries('series', dataIds, (ticket, dataId) =>
    agent.catalogue.series({ ticket, dataId, maxPoints: POINTS_MAX }),
  );

/** What was set for a RHEED session: frames per second, turns per minute, and the period in frames per turn. */
export const useRheedSettings = (dataId: string) =>
  useOfEntry('rheedSettings', dataId, (ticket) => agent.catalogue.rheedSettings({ ticket, dataId }));

/** What the service counted of a RHEED entry, in frames; null when it tells nothing of this entry. */
export const useRheedMetadata = (dataId: string) =>
  useOfEntry('rheedMetadata', dataId, (ticket) => agent.catalogue.rheedMetadata({ ticket, dataId }));

/** The frames of a video, the first of them only when there are many; sizes in pixels. */
export const useFrames = (dataId: string) =>
  useOfEntry('frames', dataId, (ticket) => agent.catalogue.frames({ ticket, dataId }));

/** The spectra of XPS entries over binding energy in eV, with their peaks and their composition in fractions. */
export const useXps = (dataIds: readonly string[]) =>
  useOfEntries('xps', dataIds, (ticket, dataId) => agent.catalogue.xps({ ticket, dataId }));

/** The depth profiles of SIMS entries; each names the units of its depth and its values. */
export const useSims = (dataIds: readonly string[]) =>
  useOfEntries('sims', dataIds, (ticket, dataId) => agent.catalogue.sims({ ticket, dataId }));

/** Pictures fetched at once: a video of many frames must not keep other calls waiting. */
const PICTURES_AT_ONCE = 3;
let fetching = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  while (fetching >= PICTURES_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  fetching += 1;
  try {
    signal.throwIfAborted();
    return await work();
  } finally {
    fetching -= 1;
    waiting.shift()?.();
  }
}

/** The raw file of an entry, or a frame, as a picture; asked for once `isWanted`. */
export function usePicture(dataId: string, isWanted: boolean): UseQueryResult<Value<'catalogue', 'picture'>> {
  return useQuery({
    queryKey: ['catalogue.picture', dataId],
    queryFn: ({ signal }) =>
      inTurn(signal, () => askUntil(signal, (ticket) => agent.catalogue.picture({ ticket, dataId }))),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: PICTURE_KEPT_MS,
    refetchOnWindowFocus: false,
  });
}

/** Let the browser save the raw file, once the service gives it. */
export function useSaveRawFile(wanted: Argument<'catalogue', 'rawFile'>) {
  return useMutation({
    mutationFn: () => ask(agent.catalogue.rawFile(wanted)),
    onSuccess: ({ path, fileName }) => saveAs(path, fileName),
  });
}

/** Make a link that opens the raw file without the key. */
export function useRawLink(dataId: string) {
  return useMutation({ mutationFn: () => ask(agent.catalogue.rawLink({ ticket: makeTicket(), dataId })) });
}

export interface Untagging {
  readonly dataIds: readonly string[];
  readonly tagIds: readonly string[];
  /** Told after each part of the work: how many entries are done. */
  readonly onProgress: (done: number) => void;
  readonly signal: AbortSignal;
}

export interface UntagReport {
  /** Entries that were asked for; fewer than given when it was cancelled. */
  readonly asked: number;
  readonly failed: readonly { dataId: string; message: string; hint: string }[];
}

/** Entries of one request; between two requests the work can be cancelled. */
const UNTAG_AT_ONCE = 50;

/** Take tags off entries, part by part; the lists are read again afterwards. */
export function useUntag() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ dataIds, tagIds, onProgress, signal }: Untagging): Promise<UntagReport> => {
      const failed: UntagReport['failed'][number][] = [];
      let asked = 0;
      while (asked < dataIds.length && !signal.aborted) {
        const part = dataIds.slice(asked, asked + UNTAG_AT_ONCE);
        const answer = await ask(agent.catalogue.untag({ ticket: makeTicket(), dataIds: part, tagIds: [...tagIds] }));
        failed.push(...answer.failed);
        asked += part.length;
        onProgress(asked);
      }
      return { asked, failed };
    },
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: ['catalogue.list'] });
      await queries.invalidateQueries({ queryKey: ['catalogue.entry'] });
    },
  });
}
