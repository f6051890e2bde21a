// A line of the journal for each change of the settings: what was changed, by names alone since the journal goes into the
// file for support, and who made it, as the transport knows it.
import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../contract/table.ts';
import type { SettingsChange } from '../settings/save-settings.ts';
import type { SettingsInput } from '../settings/schema.ts';
import type { Journal } from './pipeline/journal.ts';

/** Names that are told; of a long list the rest is a number. */
const NAMED_MAX = 12;

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names of the fields that differ, groups by their fields: `service.url`. */
function namesOf(former: unknown, wanted: unknown, path: string): string[] {
  if (isDeepStrictEqual(former, wanted)) return [];
  // A group that was not there is one of which nothing was said.
  const [before, after] = [former ?? {}, wanted ?? {}];
  if (!isGroup(before) || !isGroup(after)) return [path];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => namesOf(before[name], after[name], path === '' ? name : `${path}.${name}`));
}

type Sources = NonNullable<SettingsInput['sources']>;

function sourceWords(former: Sources, wanted: Sources): string[] {
  const find = (list: Sources, id: string) => list.find((one) => one.id === id);
  const ids = new Set([...former, ...wanted].map(({ id }) => id));
  return [...ids].flatMap((id) => {
    const [before, after] = [find(former, id), find(wanted, id)];
    if (isDeepStrictEqual(before, after)) return [];
    return [`source ${id} (${before === undefined ? 'new' : after === undefined ? 'removed' : 'changed'})`];
  });
}

/** Name what differs between two versions of the settings; the former is null when there was no file. */
function differencesOf(former: SettingsInput | null, wanted: SettingsInput): string[] {
  const { sources: formerSources = [], ...before } = former ?? { version: 1 };
  const { sources = [], ...after } = wanted;
  return [...namesOf(before, after, ''), ...sourceWords(formerSources, sources)];
}

export interface WatchedChange {
  /** The change, as it is to be made. */
  readonly change: SettingsChange;
  /** It was made: tell of it. Nothing is told where nothing differs. */
  readonly tell: () => void;
}

export class SettingsAudit {
  readonly #journal: Pick<Journal, 'record'>;
  #told = 0;

  constructor(journal: Pick<Journal, 'record'>) {
    this.#journal = journal;
  }

  /**
   * Watch what a change changes.
   *
   * @param hasKey - whether a key comes with it.
   * @param caller - who makes it.
   */
  watch(change: SettingsChange, hasKey: boolean, caller: Caller | undefined): WatchedChange {
    let names: string[] = [];
    return {
      change: (current) => {
        const wanted = change(current);
        names = differencesOf(current, wanted);
        return wanted;
      },
      tell: () => this.tell([...names, ...(hasKey ? ['the key'] : [])], caller),
    };
  }

  /** Tell that these were changed. */
  tell(names: readonly string[], caller: Caller = 'the window'): void {
    if (names.length === 0) return;
    const rest = names.length > NAMED_MAX ? ` and ${names.length - NAMED_MAX} more` : '';
    const message = `Settings changed from ${caller}: ${names.slice(0, NAMED_MAX).join(', ')}${rest}.`;
    this.#told += 1;
    // Two changes of the same words are two changes, not a repeat.
    this.#journal.record({ level: 'info', code: 'settings.changed', message, hint: '' }, `change ${this.#told}`);
  }
}
