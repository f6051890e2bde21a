// Log files that stopped and wait for a person: which, both of their sides, and the answer.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Argument, Value } from '../../src-main/contract/table.ts';
import { agent } from '../bridge.ts';
import { ask } from './ask.ts';

export type HeldFile = Value<'heldSource', 'list'>[number];
export type HeldSides = Value<'heldSource', 'look'>;

const LIST = ['heldSource.list'];

/** Follow the files that wait. */
export const useHeldFiles = () =>
  useQuery({ queryKey: LIST, queryFn: () => ask(agent.heldSource.list(null)), refetchInterval: 2_000 });

/** Both sides of one file, as it stands: asked again when it stops at another place, or was left out. */
export function useHeldSides({ sourceId, file, code, byte, isLeftOut }: HeldFile) {
  return useQuery({
    queryKey: ['heldSource.look', sourceId, file, code, byte, isLeftOut],
    queryFn: () => ask(agent.heldSource.look({ sourceId, file })),
  });
}

/** Answer what is to become of a file that waits; then the list of those is read again. */
export function useHeldAnswer() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (answer: Argument<'heldSource', 'answer'>) => ask(agent.heldSource.answer(answer)),
    onSuccess: () => queries.invalidateQueries({ queryKey: LIST }),
  });
}
