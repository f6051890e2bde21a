// Rows that name their values themselves, each before its values: `CH1, ,1,1.8e-06,CH2, ,1,2.8e-06`. The words name the columns
// behind them, and a line in which another word stands there is refused.

import type { ColumnKind, Layout } from '../parse/layout.ts';
import { fitName } from './column-names.ts';

type Rows = readonly (readonly string[])[];

/** Rows from which a word is taken for one that never changes. */
const ROWS_MIN = 3;
const NAME = /^[\p{L}_]{1,16}[-_.]?\d{1,3}$/u;
/** A word with a colon names what follows, whatever the others are called. */
const LABEL = /^[\p{L}_][\p{L}\p{N}_./-]{0,30}:$/u;

/**
 * Name the columns of a file without a header by words that stand before them.
 *
 * @param data - rows.
 * @returns layout and kinds; the same where there are not at least two such words, alike but for their number, each the same in
 *   all rows.
 */
export function takeNamedCells(
  layout: Layout,
  kinds: readonly ColumnKind[],
  data: Rows,
): { layout: Layout; kinds: ColumnKind[] } {
  const same = { layout, kinds: [...kinds] };
  if (layout.headerText !== '' || data.length < ROWS_MIN || layout.columns.some(({ header }) => header !== ''))
    return same;
  const hasLabels = kinds.some((kind, column) => kind === 'text' && LABEL.test(data[0]?.[column] ?? ''));
  const pattern = hasLabels ? LABEL : NAME;
  const words = kinds.flatMap((kind, column) => {
    const word = data[0]?.[column] ?? '';
    const isName = kind === 'text' && pattern.test(word) && data.every((row) => row[column] === word);
    return isName ? [{ column, word }] : [];
  });
  const stems = new Set(words.map(({ word }) => (hasLabels ? '' : word.replace(/\d+$/, ''))));
  if (
    words.length < (hasLabels ? 1 : 2) ||
    stems.size > 1 ||
    new Set(words.map(({ word }) => word)).size < words.length
  )
    return same;
  const columns = [...layout.columns];
  const own = [...kinds];
  const statuses = [...(layout.statuses ?? [])];
  for (const [at, { column, word }] of words.entries()) {
    const end = words[at + 1]?.column ?? kinds.length;
    const named = kinds.flatMap((kind, index) => (kind === 'number' && index > column && index < end ? [index] : []));
    const [of] = named;
    if (of === undefined) continue;
    statuses.push({ column, of, good: [word] });
    own[column] = 'status';
    for (const index of named) {
      const called = word.replace(/:$/, '');
      const name = fitName(named.length === 1 ? called : `${called} column ${index + 1}`);
      columns[index] = { ...(columns[index] as Layout['columns'][number]), name };
    }
  }
  return { layout: { ...layout, columns, statuses }, kinds: own };
}
