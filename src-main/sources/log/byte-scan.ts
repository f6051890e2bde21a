// Small questions about bytes, for the row parser.

/** Place of a byte in a range, or its end. */
export function findByte(bytes: Uint8Array, from: number, end: number, wanted: number): number {
  let at = from;
  while (at < end && bytes[at] !== wanted) at += 1;
  return at;
}

/** True when what is left of a line is more than empty cells. */
export function hasText(bytes: Uint8Array, from: number, end: number, separator: number): boolean {
  for (let at = from; at < end; at++) if (bytes[at] !== separator && bytes[at] !== 32) return true;
  return false;
}

/** Lines in a block, the last with or without its end. */
export function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines += 1;
  return bytes.at(-1) === 10 ? lines : lines + 1;
}

/** True for a line that is blank, or begins with the mark of comments (empty: there is none). */
export function isNoData(bytes: Uint8Array, start: number, end: number, comment: Uint8Array): boolean {
  let at = start;
  while (at < end && (bytes[at] === 32 || bytes[at] === 9)) at += 1;
  if (at === end) return true;
  if (comment.length === 0 || end - start < comment.length) return false;
  for (let i = 0; i < comment.length; i++) if (bytes[start + i] !== comment[i]) return false;
  return true;
}
