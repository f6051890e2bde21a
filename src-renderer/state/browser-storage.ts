// Choices of one browser, or of one tab of it. Private windows may keep nothing: a choice then lasts as long as the page.

const storages = { browser: () => localStorage, tab: () => sessionStorage };

/** Read a choice; null: none is kept. */
export function readStored(key: string, of: keyof typeof storages = 'browser'): string | null {
  try {
    return storages[of]().getItem(key);
  } catch {
    return null;
  }
}

/** Keep a choice, where this browser keeps anything; null: forget it. */
export function store(key: string, text: string | null, of: keyof typeof storages = 'browser'): void {
  try {
    if (text === null) storages[of]().removeItem(key);
    else storages[of]().setItem(key, text);
  } catch {
    // See above.
  }
}
