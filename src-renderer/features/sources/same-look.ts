import type { SourceEntry } from '../../state/sources.ts';

/** An entry that can be looked at before its source has a name. */
export const forLook = (entry: SourceEntry): SourceEntry => ({ ...entry, id: entry.id || 'look' });

/** Tell whether a look was of an entry as it is now; its name does not matter. Undefined: there was no look. */
export function isSameLook(lookedAt: SourceEntry | undefined, entry: SourceEntry): boolean {
  return lookedAt !== undefined && JSON.stringify({ ...lookedAt, id: '' }) === JSON.stringify({ ...entry, id: '' });
}
