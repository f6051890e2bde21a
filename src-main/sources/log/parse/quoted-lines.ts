// The lines of a note in quotes that goes over several: none of them is a row, whatever it looks like. The line that opens the
// quote, the one that closes it and all between are refused. Nothing may close it, where a line was cut off: that is told by a
// line that stands well by itself, or by more lines than a note has; then the line that opened it is refused alone.
import { splitCells } from '../cells/cells.ts';
import { isKeyed, unpackKeyed } from '../cells/keyed-lines.ts';
import { closesQuote, edgesOf, type Quoting, quotingOf } from '../cells/quoting.ts';

/** Lines of a note, the one that opens its quote included. */
const QUOTED_LINES_MAX = 20;

/** Lines that a quote has taken. */
interface QuotedLines {
  /** Lines from the given one on that are none of their own. */
  readonly count: number;
  /** The lines at hand end before the quote does. */
  readonly isOpen: boolean;
}

export class QuotedNotes {
  readonly #delimiter: string;
  readonly #edges: string | null;
  readonly #isPairs: boolean;
  readonly #least: number;
  readonly #width: number;

  /**
   * @param delimiter - the separator of the layout.
   * @param least - cells that a whole line has at least.
   * @param width - cells that it has at most.
   */
  constructor(delimiter: string, least: number, width: number) {
    this.#delimiter = delimiter;
    this.#edges = edgesOf(delimiter);
    this.#isPairs = isKeyed(delimiter) && unpackKeyed(delimiter).form !== 'rows';
    this.#least = least;
    this.#width = width;
  }

  /** How the quotes of a line stand. */
  judge(line: string): Quoting {
    const quoting = this.#edges === null ? 'whole' : quotingOf(line, this.#edges);
    // Pairs may write a quote within quotes in other ways, and are found by their names alone.
    return quoting === 'stray' && this.#isPairs ? 'whole' : quoting;
  }

  /**
   * Find the lines that belong to a quote opened before them.
   *
   * @param lineAt - gives the text of a line, counted from the first behind; null behind the last.
   * @param taken - lines of the quote so far, the one that opened it included.
   */
  follow(lineAt: (index: number) => string | null, taken: number): QuotedLines {
    const none = { count: 0, isOpen: false };
    const edges = this.#edges;
    if (edges === null) return none;
    for (let index = 0; index + taken < QUOTED_LINES_MAX; index++) {
      const line = lineAt(index);
      if (line === null) return { count: index, isOpen: true };
      if (!line.includes('"')) continue;
      // It may close the quote or open another: what stands before it is of neither.
      const own = quotingOf(line, edges);
      if (own === 'open') return { count: index, isOpen: false };
      if (closesQuote(line, edges)) return { count: index + 1, isOpen: false };
      if (own === 'whole' && this.#isRow(line)) return none;
    }
    return none;
  }

  #isRow(line: string): boolean {
    const cells = splitCells(line, this.#delimiter).length;
    return cells >= this.#least && cells <= this.#width;
  }
}
