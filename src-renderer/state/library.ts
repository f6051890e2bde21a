// What growths refer to: instruments, target materials, projects and their samples.
import { type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Answer, Argument, Noun, Value, Verb } from '../../src-main/contract/table.ts';
import { agent } from '../bridge.ts';
import { ask } from './ask.ts';
import { askUntil } from './give-up.ts';

export type Known = Value<'library', 'known'>;
export type Project = Known['projects'][number];
export type Sample = Known['samples'][number];
export type Target = Value<'library', 'targets'>['targets'][number];
export type Layer = Target['layers'][number];

const FRESH_MS = 60_000;
const KNOWN = ['library.known'];
const TARGETS = ['library.targets'];

/** What is known of instruments, projects and samples. */
export function useKnown(): UseQueryResult<Known> {
  return useQuery({
    queryKey: KNOWN,
    queryFn: ({ signal }) => askUntil(signal, (ticket) => agent.library.known({ ticket })),
    staleTime: FRESH_MS,
    refetchOnWindowFocus: false,
  });
}

/** The target materials with their layers. */
export function useTargets(): UseQueryResult<Value<'library', 'targets'>> {
  return useQuery({
    queryKey: TARGETS,
    queryFn: ({ signal }) => askUntil(signal, (ticket) => agent.library.targets({ ticket })),
    staleTime: FRESH_MS,
    refetchOnWindowFocus: false,
  });
}

/** Change something by a call; what it may have changed is read again, also after a fault that leaves it open. */
function useChange<A, V>(key: string[], call: (argument: A) => Promise<Answer<V>>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (argument: A) => ask(call(argument)),
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  });
}

type Of<N extends Noun, V extends Verb<N>> = Argument<N, V>;

/** Change a layer of a target material; then the targets are read again. */
export const useChangeLayer = () =>
  useChange(TARGETS, (change: Of<'library', 'changeLayer'>) => agent.library.changeLayer(change));

/** Make an instrument at the service; the answer says its number and whether this PC noted it down. */
export const useCreateInstrument = () =>
  useChange(KNOWN, (made: Of<'library', 'createInstrument'>) => agent.library.createInstrument(made));

/** Make a project at the service; the answer says its id and whether this PC noted it down. */
export const useCreateProject = () =>
  useChange(KNOWN, (made: Of<'library', 'createProject'>) => agent.library.createProject(made));

/** Add samples to a project, or replace those it has. */
export const useSetSamples = () =>
  useChange(KNOWN, (samples: Of<'library', 'setSamples'>) => agent.library.setSamples(samples));
