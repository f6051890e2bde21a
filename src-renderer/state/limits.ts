// Limits of channels: read, save, take away, acknowledge.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Argument } from '../../src-main/contract/table.ts';
import { agent } from '../bridge.ts';
import { ask } from './ask.ts';

export type LimitEntry = Argument<'limit', 'save'>;
type Where = Argument<'limit', 'remove'>;

const KEY = ['limit.list'];

/** The limits that stand in the settings. */
export const useLimits = () => useQuery({ queryKey: KEY, queryFn: () => ask(agent.limit.list(null)) });

/** The limits to draw on plots: before the first settings and in a trial there are none. */
export const usePlottedLimits = () =>
  useQuery({
    queryKey: [...KEY, 'plotted'],
    queryFn: async () => {
      const answer = await agent.limit.list(null);
      return !answer.ok && answer.error.code === 'settings.none' ? [] : ask(Promise.resolve(answer));
    },
  });

/** Save the limits of a channel, or take them away; then the list is read again. */
export function useChangeLimit() {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: KEY });
  return {
    save: useMutation({ mutationFn: (entry: LimitEntry) => ask(agent.limit.save(entry)), onSuccess }),
    remove: useMutation({ mutationFn: (which: Where) => ask(agent.limit.remove(which)), onSuccess }),
  };
}

/** Say that a person has seen an alarm. */
export const useAcknowledge = () => useMutation({ mutationFn: (which: Where) => ask(agent.limit.acknowledge(which)) });
