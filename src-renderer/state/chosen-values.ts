// Which values a person wants to see first, and in which order. Like the theme it belongs to the screen: each browser keeps its
// own.
import { useSyncExternalStore } from 'react';
import { readStored, store } from './browser-storage.ts';

const KEY = 'epistream.values';

/** Most values chosen at once. */
export const VALUES_MAX = 12;

const listeners = new Set<() => void>();
let chosen: readonly string[] | null = read();

function read(): readonly string[] | null {
  try {
    const kept: unknown = JSON.parse(readStored(KEY) ?? 'null');
    return Array.isArray(kept) && kept.every((key) => typeof key === 'string') ? kept.slice(0, VALUES_MAX) : null;
  } catch {
    return null;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Choose the values, by the keys of their channels.
 *
 * @param keys - in their order; null: as nobody had chosen.
 */
export function chooseValues(keys: readonly string[] | null): void {
  chosen = keys;
  store(KEY, keys && JSON.stringify(keys));
  for (const listener of listeners) listener();
}

/** Follow the choice; null: nobody chose. */
export function useChosenValues(): readonly string[] | null {
  return useSyncExternalStore(subscribe, () => chosen);
}
