// Rows that have the stamp of the row before: the tool writes its times more coarsely than its rows, whole seconds mostly. Their
// order is all that is known of the time between them. It is kept, and no times are made up.
import type { ParsedBlock } from './parsed-block.ts';

/**
 * Count the rows of a block with the stamp of the row before. Lines that fill columns of their own are one row in parts: they
 * may share theirs.
 *
 * @param formerMs - instant of the last row before the block; NaN: none.
 */
export function countSharedStamps(
  { timesMs, values, columns }: Pick<ParsedBlock, 'timesMs' | 'values' | 'columns'>,
  formerMs: number,
): number {
  const width = columns.length;
  const isFilled = (row: number, out: number) => !Number.isNaN(values[row * width + out]);
  // Of the row before the block it is not known what it fills.
  const isAgain = (row: number) =>
    row === 0
      ? columns.every((_, out) => isFilled(0, out))
      : columns.some((_, out) => isFilled(row, out) && isFilled(row - 1, out));
  let shared = 0;
  for (let row = 0; row < timesMs.length; row++) {
    const isSame = timesMs[row] === (row === 0 ? formerMs : timesMs[row - 1]);
    if (isSame && isAgain(row)) shared += 1;
  }
  return shared;
}
