/** Read a part of an address, such as an id. One that was typed by hand may hold a % that means nothing: it stays. */
export function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
