// Choices of one browser. Private windows may keep nothing: a choice then lasts as long as the page.

/** Read a choice; null: none is kept. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keep a choice, where this browser keeps anything; null: forget it. */
export function store(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // See above.
  }
}
