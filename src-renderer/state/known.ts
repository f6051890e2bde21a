// Samples and projects that are known here. The interface lists neither: they come from catalogue entries and from what
// was made on this PC, so the list may be incomplete, and an id can always be typed.
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Value } from '../../src-main/contract/table.ts';
import { agent } from '../bridge.ts';
import { ask } from './ask.ts';

export type Known = Value<'library', 'known'>;

/** The catalogue is looked through for it, so it is not asked for again with every look at a form. */
const FRESH_MS = 60_000;

/** Ask for the known samples and projects; given up when nobody looks any more. */
export function useKnown(): UseQueryResult<Known> {
  return useQuery({
    queryKey: ['library.known'],
    queryFn: ({ signal }) => {
      const ticket = crypto.randomUUID();
      signal.addEventListener('abort', () => void agent.catalogue.giveUp({ ticket }));
      return ask(agent.library.known({ ticket }));
    },
    staleTime: FRESH_MS,
  });
}
