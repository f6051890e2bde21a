// Columns that hold the unit of the value in front of them: `3.2;mbar`. The unit belongs to the layout as that of the channel,
// and a value beside another one is refused: mbar and Pa in one channel would be read wrong in silence.

import { isUnit } from '../cells/unit-grammar.ts';
import type { ColumnKind, Layout } from '../parse/layout.ts';
import { isUnitHeader } from './find-keyed.ts';
import { type Undecided, undecided } from './header-line.ts';

type Rows = readonly (readonly string[])[];

/**
 * Take the columns of units.
 *
 * @param data - rows.
 * @returns layout and kinds, a value with its unit and a column of units as its status; or the question that is open where the
 *   unit changes in these rows.
 */
export function takeUnitColumns(
  layout: Layout,
  kinds: readonly ColumnKind[],
  data: Rows,
  path: string,
): { layout: Layout; kinds: ColumnKind[] } | Undecided {
  const statuses = [...(layout.statuses ?? [])];
  const columns = [...layout.columns];
  const own = [...kinds];
  for (const [column, kind] of kinds.entries()) {
    const of = column - 1;
    if (kind !== 'text' || kinds[of] !== 'number') continue;
    const units = [...new Set(data.map((row) => row[column] ?? '').filter((cell) => cell !== ''))];
    const [unit] = units;
    if (unit === undefined || !areUnits(units, layout.columns[column]?.header ?? '')) continue;
    const { name = '', unit: told = '' } = columns[of] ?? {};
    if (units.length > 1) return mixed(name, units, of, path);
    columns[of] = { ...(columns[of] as Layout['columns'][number]), unit: told === '' ? unit : told };
    statuses.push({ column, of, good: [unit] });
    own[column] = 'status';
  }
  if (statuses.length === 0) return { layout, kinds: own };
  return { layout: { ...layout, columns, statuses }, kinds: own };
}

/** A single letter numbers things as well, where no header calls it a unit. */
function areUnits(cells: readonly string[], header: string): boolean {
  if (!cells.every(isUnit)) return false;
  return isUnitHeader(header) || (header === '' && cells.every((cell) => cell.length > 1));
}

function mixed(name: string, units: readonly string[], column: number, path: string): Undecided {
  return undecided(
    'log.units-mixed',
    `The values of "${name}" in ${path} have several units in the column behind them: ${units.slice(0, 4).join(', ')}.`,
    'Let the tool begin a new file where it changes the unit. Or leave both columns out.',
    false,
    [{ leave_out: [column + 1, column + 2] }],
  );
}
