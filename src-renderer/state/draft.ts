// What is typed into a form survives a reload of its page. It lives in the storage of this tab, until it is sent or cancelled.
// A field for a key or a password is never kept.
import { useEffect, useState } from 'react';
import { readStored, store } from './browser-storage.ts';

const keyOf = (form: string) => `epistream.draft.${form}`;
const SECRET = /key|password|secret|token/i;

/**
 * Hold the fields of a form.
 *
 * @param form - name of the form; null: nothing is kept.
 * @param first - the fields before anything is typed; asked once.
 * @returns the fields, and the function that changes some of them.
 */
export function useDraft<T extends object>(
  form: string | null,
  first: () => T,
): readonly [values: T, change: (part: Partial<T>) => void] {
  const [empty] = useState(first);
  const [typed, setTyped] = useState(() => (form === null ? {} : readDraft(form, empty)));
  useEffect(() => {
    const kept = Object.entries(typed).filter(([name]) => !SECRET.test(name));
    if (form !== null && kept.length > 0) store(keyOf(form), JSON.stringify(Object.fromEntries(kept)), 'tab');
  }, [form, typed]);
  return [{ ...empty, ...typed }, (part) => setTyped((before) => ({ ...before, ...part }))];
}

/** Forget what was typed: it was sent or cancelled. */
export const forgetDraft = (form: string): void => store(keyOf(form), null, 'tab');

/** An older version of the page may have kept other fields. */
function readDraft<T extends object>(form: string, empty: T): Partial<T> {
  const kept: unknown = JSON.parse(readStored(keyOf(form), 'tab') ?? '{}');
  const fields = Object.entries(empty);
  const isField = ([name, value]: [string, unknown]) =>
    fields.some(([own, first]) => own === name && typeof first === typeof value);
  return Object.fromEntries(Object.entries(kept ?? {}).filter(isField)) as Partial<T>;
}
