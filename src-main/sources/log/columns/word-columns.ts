// Which columns of a file hold words of bits, by what the dialect says of them.
import type { Dialect } from '../../../model/dialect.ts';
import type { ColumnKind, Layout, LayoutColumn } from '../parse/layout.ts';
import { fitName } from './column-names.ts';

/**
 * Set the word columns of a layout.
 *
 * @param kinds - its kinds as recognised (channels named already).
 * @param dialect - the dialect. A column is found by its number, header or channel; what the file does not have is skipped,
 *   since a dialect serves many files.
 * @returns layout and kinds with `mask` columns, and a `bit` column behind the others for each named bit.
 */
export function takeWordColumns(
  layout: Layout,
  kinds: readonly ColumnKind[],
  { masks }: Pick<Dialect, 'masks'>,
): { layout: Layout; kinds: ColumnKind[] } {
  const own = [...kinds];
  const columns = [...layout.columns];
  const indexOf = (wanted: string | number) => {
    const found = layout.columns.findIndex(
      ({ header, name }, index) => index + 1 === wanted || header === wanted || name === wanted,
    );
    return own[found] === 'time' || own[found] === 'ignored' ? -1 : found;
  };
  const taken: Layout['masks'] = [];
  for (const { column: wanted, written, bits } of masks) {
    const column = indexOf(wanted);
    if (column === -1) continue;
    own[column] = 'mask';
    const placed = Object.entries(bits).map(([key, name]) => {
      const bit = Number(key);
      if (name === null) return { bit, out: null };
      own.push('bit');
      columns.push(bitColumn(name, column, bit, columns));
      return { bit, out: columns.length - 1 };
    });
    taken.push({ column, written, bits: placed });
  }
  return { layout: { ...layout, columns, masks: taken }, kinds: own };
}

function bitColumn(wanted: string, column: number, bit: number, columns: readonly LayoutColumn[]): LayoutColumn {
  const taken = new Set(columns.map(({ name }) => name));
  let name = fitName(wanted);
  for (let n = 2; taken.has(name); n++) name = fitName(`${wanted} (${n})`);
  return { header: '', unit: '', name, bitOf: { column, bit } };
}
