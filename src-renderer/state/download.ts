// Raw files on their way into a folder of the agent's PC.
import { type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Argument, Value } from '../../src-main/contract/table.ts';
import { agent } from '../bridge.ts';
import { ask } from './ask.ts';

export type Download = Value<'download', 'list'>['downloads'][number];

const KEY = ['download.list'];
const RUNNING_INTERVAL_MS = 300;

/** Follow the downloads; often while one runs. */
export function useDownloads(): UseQueryResult<Value<'download', 'list'>> {
  return useQuery({
    queryKey: KEY,
    queryFn: () => ask(agent.download.list(null)),
    refetchInterval: ({ state }) =>
      state.data?.downloads.some((download) => download.state === 'running') ? RUNNING_INTERVAL_MS : false,
  });
}

/** Begin to save a raw file. */
export function useStartDownload() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (wanted: Argument<'download', 'start'>) => ask(agent.download.start(wanted)),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

/** Give a download up. */
export function useCancelDownload() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => ask(agent.download.cancel({ id })),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
