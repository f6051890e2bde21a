// What a page shows, as one word of an address, so that it can be sent to somebody and opened again.

/** Write plain data as a word of letters, digits, hyphen and underscore. */
export function writeWord(value: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/**
 * Read such a word. Whatever stands there may be old or made by hand: the caller takes what fits.
 *
 * @returns undefined when it is none.
 */
export function readWord(word: string): unknown {
  try {
    const bytes = Uint8Array.from(atob(word.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
