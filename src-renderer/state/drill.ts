// The drill, followed while it runs.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Value } from '../../src-main/contract/table.ts';
import { agent } from '../bridge.ts';
import { ask } from './ask.ts';

export type DrillView = NonNullable<Value<'support', 'readDrill'>>;

const KEY = ['support.drill'];
const LOOK_MS = 500;

const isUnderWay = (drill: DrillView | null | undefined) =>
  drill !== null && drill !== undefined && drill.state !== 'passed' && drill.state !== 'failed';

/** Follow the drill; begin one, and let the service come back before its time. */
export function useDrill() {
  const queries = useQueryClient();
  const read = useQuery({
    queryKey: KEY,
    queryFn: () => ask(agent.support.readDrill(null)),
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? LOOK_MS : false),
  });
  const show = (drill: DrillView | null) => queries.setQueryData(KEY, drill);
  const start = useMutation({
    mutationFn: (seconds: number) => ask(agent.support.startDrill({ seconds })),
    onSuccess: show,
  });
  const end = useMutation({ mutationFn: () => ask(agent.support.endDrill(null)), onSuccess: show });
  return { read, drill: read.data ?? null, isUnderWay: isUnderWay(read.data), start, end };
}
