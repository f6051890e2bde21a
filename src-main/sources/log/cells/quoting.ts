// How the quotes of a line stand: each opens at the beginning of a cell and closes at its end, or the line is none of its own.
// A note of several lines in quotes is one cell; what stands on its lines looks like rows, and is text.
import { isKeyed, unpackKeyed } from './keyed-lines.ts';
import { isPattern } from './pattern-split.ts';

/** `whole`: no quote, or each closed. `open`: the line ends inside a cell in quotes. `stray`: a quote stands where none can. */
export type Quoting = 'whole' | 'open' | 'stray';

/**
 * Characters between which cells stand, one of which is before a quote that opens and behind one that closes.
 *
 * @param delimiter - the separator of a layout, or what stands for it.
 * @returns null where quotes mean nothing, or are judged by what reads the line: patterns, objects of JSON.
 */
export function edgesOf(delimiter: string): string | null {
  if (isPattern(delimiter)) return null;
  if (!isKeyed(delimiter)) return delimiter === 'whitespace' || delimiter === 'wide' ? ' \t' : delimiter;
  const keyed = unpackKeyed(delimiter);
  if (keyed.form === 'rows') return edgesOf(keyed.delimiter);
  return keyed.form === 'json' ? null : ' \t,;|=';
}

/**
 * Tell how the quotes of a line stand.
 *
 * @param edges - as `edgesOf` gives them.
 */
export function quotingOf(line: string, edges: string): Quoting {
  for (let at = 0; at <= line.length; ) {
    const begin = skipBlanks(line, at);
    if (line.charAt(begin) === '"') {
      const close = closingQuote(line, begin + 1);
      if (close === -1) return 'open';
      if (!isEdge(line, close + 1, edges)) return 'stray';
      at = nextEdge(line, close + 1, edges) + 1;
    } else {
      const stop = nextEdge(line, begin, edges);
      // 2" is a length.
      const quotes = line.slice(begin, stop).replaceAll(/\d"/g, '').split('"').length - 1;
      if (quotes % 2 === 1) return 'stray';
      at = stop + 1;
    }
  }
  return 'whole';
}

/** Tell whether a line that begins inside a cell in quotes ends it: its first quote that is not doubled does, at the end of a cell. */
export function closesQuote(line: string, edges: string): boolean {
  const close = closingQuote(line, 0);
  return close !== -1 && isEdge(line, close + 1, edges);
}

/** Place of the quote that ends a cell: two of them are one of its text. */
function closingQuote(line: string, from: number): number {
  for (let at = line.indexOf('"', from); at !== -1; at = line.indexOf('"', at + 2)) {
    if (line.charAt(at + 1) !== '"') return at;
  }
  return -1;
}

function skipBlanks(line: string, from: number): number {
  let at = from;
  while (line.charAt(at) === ' ') at += 1;
  return at;
}

function isEdge(line: string, at: number, edges: string): boolean {
  const behind = skipBlanks(line, at);
  return behind >= line.length || edges.includes(line.charAt(behind)) || (behind > at && edges.includes(' '));
}

function nextEdge(line: string, from: number, edges: string): number {
  let at = from;
  while (at < line.length && !edges.includes(line.charAt(at))) at += 1;
  return at;
}
