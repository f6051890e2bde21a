// Exports: files that the agent writes into folders of its PC.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Argument } from '../../src-main/contract/table.ts';
import { agent } from '../bridge.ts';
import { ask, wordsOf } from './ask.ts';
import { faultOf } from './query-fault.ts';

const KEY = ['exports.list'];
const RUNNING_INTERVAL_MS = 300;

type Start = Argument<'exports', 'start'>;

/** What may be exported from here: the exports of one thing, and ways to begin and to stop one. */
export function useExports(of: Start['of']) {
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: KEY });
  const list = useQuery({
    queryKey: KEY,
    queryFn: () => ask(agent.exports.list(null)),
    refetchInterval: ({ state }) =>
      state.data?.exports.some((one) => one.state === 'running') ? RUNNING_INTERVAL_MS : false,
  });
  const start = useMutation({
    mutationFn: (wanted: Omit<Start, 'of'>) => ask(agent.exports.start({ ...wanted, of })),
    onSettled,
  });
  const cancel = useMutation({ mutationFn: (id: number) => ask(agent.exports.cancel({ id })), onSettled });
  return {
    views: (list.data?.exports ?? []).filter((one) => JSON.stringify(one.of) === JSON.stringify(of)),
    folder: list.data?.folder ?? 'the download folder',
    isStarting: start.isPending,
    refusal: start.error && wordsOf(start.error),
    fault: faultOf(list),
    start: start.mutate,
    cancel: cancel.mutate,
  };
}
