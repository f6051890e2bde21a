// A line of a log as messages quote it.

const SHOWN_MAX = 100;

/**
 * Quote a line.
 *
 * @param text - its text; undefined: there is none.
 * @returns it in quotation marks, cut at 100 characters.
 */
export function shownLine(text: string | undefined): string {
  return `"${(text ?? '').trim().slice(0, SHOWN_MAX)}"`;
}
