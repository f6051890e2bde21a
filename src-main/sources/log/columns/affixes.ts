// Columns whose cells are numbers with the same text around them: `T=600.25`, `2.5E-8 mbar`. The text belongs to the layout, so
// that a cell with another unit is refused and not read as if it had this one.
import { TOKEN } from '../cells/cell-shape.ts';
import { isUnit } from '../cells/unit-grammar.ts';
import type { ColumnKind, Layout, LayoutColumn } from '../parse/layout.ts';
import { parseDecimalText } from '../time/decimal.ts';

interface Affix {
  readonly before: string;
  readonly after: string;
}

const NUMBER = /^[+-]?(?:\d+[.,]?\d*|[.,]\d+)(?:e[+-]?\d+)?/i;

/** What stands around the number of a cell; null when it is none, or the text is no name and no unit. */
function affixOf(cell: string, decimal: '.' | ','): Affix | null {
  const before = /^[^=:]*[=:]\s*/.exec(cell)?.[0] ?? '';
  const number = NUMBER.exec(cell.slice(before.length))?.[0] ?? '';
  const after = cell.slice(before.length + number.length);
  const isKnown = after === '' || isUnit(after);
  // Without a text around it a number is left out for a reason: a word of bits such as 00011010.
  if (before === '' && after === '') return null;
  return isKnown && !Number.isNaN(parseDecimalText(number, decimal)) ? { before, after } : null;
}

/** A number with this text around it, or a word that stands for none. */
function hasAffix(cell: string, { before, after }: Affix, decimal: '.' | ','): boolean {
  if (TOKEN.test(cell)) return true;
  if (!cell.startsWith(before) || !cell.endsWith(after) || cell.length < before.length + after.length) return false;
  const core = cell.slice(before.length, cell.length - after.length).trim();
  return TOKEN.test(core) || !Number.isNaN(parseDecimalText(core, decimal));
}

/**
 * Set the columns of numbers with a name or unit around each.
 *
 * @param data - rows of the file.
 * @returns layout and kinds; a column without a name or unit takes the one of its cells.
 */
export function takeAffixes(
  layout: Layout,
  kinds: readonly ColumnKind[],
  data: readonly (readonly string[])[],
): { layout: Layout; kinds: ColumnKind[] } {
  const affixes: Layout['affixes'] = [];
  const columns = [...layout.columns];
  const own = kinds.map((kind, column): ColumnKind => {
    if (kind !== 'text') return kind;
    const cells = data.map((row) => row[column] ?? '').filter((cell) => cell !== '' && !layout.absent.includes(cell));
    const [affix] = cells.map((cell) => affixOf(cell, layout.decimal)).filter((one) => one !== null);
    if (affix === undefined || !cells.every((cell) => hasAffix(cell, affix, layout.decimal))) return kind;
    affixes.push({ column, ...affix });
    columns[column] = named(columns[column] as LayoutColumn, affix, columns);
    return 'affixed';
  });
  return { layout: { ...layout, columns, affixes }, kinds: own };
}

function named(column: LayoutColumn, { before, after }: Affix, columns: readonly LayoutColumn[]): LayoutColumn {
  const name = before.replace(/\s*[=:]\s*$/, '').trim();
  const isFree = name !== '' && !columns.some((other) => other.name === name);
  return {
    ...column,
    name: column.header === '' && isFree ? name : column.name,
    unit: column.unit === '' ? after.trim() : column.unit,
  };
}
