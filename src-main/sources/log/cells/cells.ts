// A line of text to cells, whatever cuts it.
import { isKeyed, splitKeyed } from './keyed-lines.ts';
import { isPattern, splitByPattern } from './pattern-split.ts';
import { splitPlain } from './split-plain.ts';

/**
 * Split one line. Takes the line without its end, and the separator as `splitPlain` takes it, or what stands for it: a
 * pattern, names.
 *
 * @returns the cells, blanks trimmed; none when the line does not fit the pattern, or names nothing.
 */
export function splitCells(line: string, delimiter: string): string[] {
  if (isPattern(delimiter)) return splitByPattern(line, delimiter);
  if (isKeyed(delimiter)) return splitKeyed(line, delimiter);
  return splitPlain(line, delimiter);
}
