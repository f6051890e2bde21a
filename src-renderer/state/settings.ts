// The settings that are no source: read, test the way to the service, save.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Argument, Value } from '../../src-main/contract/table.ts';
import { agent } from '../bridge.ts';
import { ask } from './ask.ts';

export type SettingsView = Value<'settings', 'read'>;
export type ConnectionFinding = Value<'settings', 'test'>;
export type ConnectionQuestion = Argument<'settings', 'test'>;

const KEY = ['settings'];
const ALL = ['settings.all'];

/** The settings as they stand in the file now. */
export function useSettings() {
  return useQuery({ queryKey: KEY, queryFn: () => ask(agent.settings.read(null)) });
}

/** Try a way to the service; nothing is kept. */
export function useConnectionTest() {
  return useMutation({ mutationFn: (asked: ConnectionQuestion) => ask(agent.settings.test(asked)) });
}

/** Save and go over to them; then they are read again. */
export function useSaveSettings() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (form: Argument<'settings', 'save'>) => ask(agent.settings.save(form)),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ALL });
      await queries.invalidateQueries({ queryKey: KEY });
    },
  });
}

export type ListedSetting = Value<'settings', 'listAll'>[number];

/** Every setting of the file, as it stands there now. */
export function useAllSettings() {
  return useQuery({ queryKey: ALL, queryFn: () => ask(agent.settings.listAll(null)) });
}

/** Give one setting another value; then all of them are read again. */
export function useSetSetting() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (asked: Argument<'settings', 'set'>) => ask(agent.settings.set(asked)),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ALL });
      await queries.invalidateQueries({ queryKey: KEY });
    },
  });
}
