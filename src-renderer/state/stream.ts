// The streams of the queue: their list of any age, receipts, and what was refused of them.
import {
  type InfiniteData,
  keepPreviousData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import type { Argument, Value } from '../../src-main/contract/table.ts';
import { agent } from '../bridge.ts';
import { ask } from './ask.ts';
import { saveAs } from './save-as.ts';

export type StreamRow = Value<'stream', 'list'>[number];
export type Receipt = Value<'stream', 'receipt'>;
export type RefusedPart = Value<'stream', 'refused'>[number];
export type RefusedRow = NonNullable<Value<'stream', 'refusedRows'>>[number];
export type Resent = Value<'stream', 'sendAgain'>;
export type SendAsNew = Argument<'stream', 'sendAsNew'>;

const LIST_PAGE = 200;
const LIST_INTERVAL_MS = 5_000;
const RECEIPT_INTERVAL_MS = 5_000;
/** The browser has taken a file by then, also one for which a person chose the folder. */
const SAVE_MAX_MS = 3_600_000;

/** Follow the list of streams, newest first; `fetchNextPage` brings older ones. */
export function useStreamList(): UseInfiniteQueryResult<InfiniteData<StreamRow[]>> {
  return useInfiniteQuery({
    queryKey: ['stream.list'],
    queryFn: ({ pageParam }) => ask(agent.stream.list({ before: pageParam, limit: LIST_PAGE })),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length < LIST_PAGE ? undefined : page.at(-1)?.id),
    // What is old does not change any more: only the first page is asked for again by itself.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 1) > 1 ? false : LIST_INTERVAL_MS),
  });
}

/** Follow the receipt of a stream. */
export function useReceipt(streamId: number): UseQueryResult<Receipt> {
  return useQuery({
    queryKey: ['stream.receipt', streamId],
    queryFn: () => ask(agent.stream.receipt({ streamId })),
    refetchInterval: RECEIPT_INTERVAL_MS,
    retry: false,
  });
}

/** Save a receipt as JSON. */
export function saveReceipt(receipt: Receipt): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(receipt, null, 2)], { type: 'application/json' }));
  saveAs(url, `${receipt.stream.name}.receipt.json`);
  setTimeout(() => URL.revokeObjectURL(url), SAVE_MAX_MS);
}

/** What the service refused of a stream; asked again when the number of refused points changes. */
export function useRefused(streamId: number, points: number): UseQueryResult<RefusedPart[]> {
  return useQuery({
    queryKey: ['stream.refused', streamId, points],
    queryFn: () => ask(agent.stream.refused({ streamId })),
    placeholderData: keepPreviousData,
  });
}

/** The points of a refused chunk; null: they cannot be told apart. Asked for once it is wanted. */
export function useRefusedRows(
  streamId: number,
  chunkId: number,
  isWanted: boolean,
): UseQueryResult<RefusedRow[] | null> {
  return useQuery({
    queryKey: ['stream.refusedRows', streamId, chunkId],
    queryFn: () => ask(agent.stream.refusedRows({ streamId, chunkId })),
    enabled: isWanted,
    retry: false,
  });
}

/** Send refused chunks of a stream again as they are. One call takes only so many, so it is made until none is left. */
export async function sendAgain(streamId: number, chunkIds: number[] | null): Promise<Resent> {
  return repeat(() => ask(agent.stream.sendAgain({ streamId, chunkIds, channel: null })), chunkIds !== null);
}

/** Send refused chunks as a corrected stream. */
export async function sendAsNew(correction: SendAsNew): Promise<Resent> {
  return repeat(() => ask(agent.stream.sendAsNew(correction)), correction.chunkIds !== null);
}

async function repeat(send: () => Promise<Resent>, isOnce: boolean): Promise<Resent> {
  let all = await send();
  for (let last = all; !isOnce && last.left > 0 && last.chunks > 0; ) {
    last = await send();
    all = { ...last, chunks: all.chunks + last.chunks, points: all.points + last.points };
  }
  return all;
}
