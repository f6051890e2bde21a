// Setting up sources: what the settings say, looks at what a source would read, saving.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Argument, Value } from '../../src-main/contract/table.ts';
import { agent } from '../bridge.ts';
import { ask } from './ask.ts';

export type SourceEntry = Argument<'source', 'save'>['entry'];
export type LogView = Value<'source', 'previewLog'>;
export type LookView = Value<'source', 'readLook'>;
export type InstrumentView = Value<'source', 'describeInstrument'>;
export type OptionValue = InstrumentView['options'][number]['default'];

const LIST = ['source.list'];
const LOOK_MS = 400;

/** The entries of the settings, as they stand there. */
export const useSourceEntries = () => useQuery({ queryKey: LIST, queryFn: () => ask(agent.source.list(null)) });

/** The instruments that are known by name, asked once. */
export const useInstruments = () =>
  useQuery({
    queryKey: ['source.instruments'],
    queryFn: () => ask(agent.source.listInstruments(null)),
    staleTime: Infinity,
  });

/** The names of the log dialects that are known, asked once. */
export const useDialects = () =>
  useQuery({ queryKey: ['source.dialects'], queryFn: () => ask(agent.source.listDialects(null)), staleTime: Infinity });

/** The ports of this PC; adapters come and go. */
export const usePorts = () =>
  useQuery({ queryKey: ['source.ports'], queryFn: () => ask(agent.source.listPorts(null)), refetchInterval: 5_000 });

/** What an instrument is asked, with these options; nothing while none is chosen. */
export function useInstrument(asked: Argument<'source', 'describeInstrument'>) {
  return useQuery({
    queryKey: ['source.describe', asked],
    queryFn: () => ask(agent.source.describeInstrument(asked)),
    enabled: asked.instrument !== '',
    placeholderData: (before) => (before?.name === asked.instrument ? before : undefined),
  });
}

/** Look at what would be read of a log folder; nothing is stored. */
export const useLogPreview = () =>
  useMutation({ mutationFn: (asked: Argument<'source', 'previewLog'>) => ask(agent.source.previewLog(asked)) });

/**
 * Preview what another zone of the tool makes of each log without a zone of its own.
 *
 * @returns `isSeen`: nothing depends on the change from one zone to the other, or it was previewed.
 */
export function useZonePreviews(oldZone: string, zone: string) {
  const entries = useSourceEntries();
  const logs = (entries.data ?? []).filter((entry) => entry.kind === 'log' && entry.time_zone === undefined);
  const look = useMutation({
    mutationFn: (asked: { readonly oldZone: string; readonly zone: string }) =>
      Promise.all(
        logs.map(async ({ id, path, match = '**/*', dialect = 'auto' }) => ({
          id,
          view: await ask(
            agent.source.previewLog({
              ...({ folder: path, match, dialect } as Pick<
                Argument<'source', 'previewLog'>,
                'folder' | 'match' | 'dialect'
              >),
              ...{ timeZone: asked.zone, oldZone: asked.oldZone, timeFormat: '' },
            }),
          ),
        })),
      ),
  });
  const isLooked = look.isSuccess && look.variables.zone === zone && look.variables.oldZone === oldZone;
  return { look, isSeen: zone === oldZone || isLooked || (entries.isSuccess && logs.length === 0) };
}

/** Look for some seconds at what a frame counter shows; nothing is stored. */
export const useCounterPreview = () =>
  useMutation({ mutationFn: (entry: SourceEntry) => ask(agent.rheed.preview({ entry })) });

/** Ask which files of a folder are frames, and where the number stands in their names. */
export const useProposedNames = () =>
  useMutation({ mutationFn: (asked: Argument<'rheed', 'proposeNames'>) => ask(agent.rheed.proposeNames(asked)) });

/** Save an entry; then the list is read again. */
export function useSaveSource() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (asked: Argument<'source', 'save'>) => ask(agent.source.save(asked)),
    onSuccess: () => queries.invalidateQueries({ queryKey: LIST }),
  });
}

/** Take a source out of the settings by its id; then the list is read again. */
export function useRemoveSource() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => ask(agent.source.remove({ id })),
    onSuccess: () => queries.invalidateQueries({ queryKey: LIST }),
  });
}

/** What a look is begun for: a source as its entry says, or a port of which nothing is known. */
export type LookAt = { readonly entry: SourceEntry } | { readonly port: string };

/** A look at a line: begun, followed, ended; what it found stays. It ends with the part of the page that shows it. */
export function useLook() {
  const [lookId, setLookId] = useState<string | null>(null);
  const [isStopped, setStopped] = useState(false);
  const start = useMutation({
    mutationFn: (at: LookAt) => ask('entry' in at ? agent.source.startLook(at) : agent.source.startProbe(at)),
    onMutate: () => setStopped(false),
    onSuccess: (began) => setLookId(began.lookId),
  });
  const read = useQuery({
    queryKey: ['source.look', lookId],
    queryFn: () => ask(agent.source.readLook({ lookId: lookId ?? '' })),
    enabled: lookId !== null && !isStopped,
    gcTime: 0,
    // What it found stays when it is over; the agent has forgotten it by then.
    staleTime: ({ state }) => (isOver(state.data) ? Number.POSITIVE_INFINITY : 0),
    refetchInterval: ({ state }) => (state.error || isOver(state.data) ? false : LOOK_MS),
  });
  useEffect(() => {
    if (lookId === null) return;
    return () => void agent.source.endLook({ lookId });
  }, [lookId]);
  const end = () => {
    if (lookId !== null) void agent.source.endLook({ lookId });
    setStopped(true);
  };
  const isUnderWay = !isStopped && (start.isPending || (lookId !== null && !read.error && !isOver(read.data)));
  /** What it was begun for, as long as something of it is shown. */
  const of = lookId === null ? undefined : start.variables;
  return {
    look: lookId === null ? null : (read.data ?? null),
    of,
    isUnderWay,
    isStopped,
    error: start.error ?? read.error,
    start,
    end,
  };
}

const isOver = (look: LookView | undefined) => look?.state === 'ended' || look?.state === 'failed';
