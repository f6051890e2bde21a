import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { agent } from '../bridge.ts';
import { ask } from './ask.ts';

/** Folders of the PC on which Epistream runs whose paths begin as typed; null: nobody asks. */
export function useFolders(typed: string | null): readonly string[] {
  const folders = useQuery({
    queryKey: ['source.folders', typed],
    queryFn: () => ask(agent.source.listFolders({ typed: typed ?? '' })),
    enabled: typed !== null,
    placeholderData: keepPreviousData,
  });
  return folders.data ?? [];
}
