// A table whose lines are of several channels or devices: which one stands in a cell.
import type { Dialect, DialectInput } from '../../../../model/dialect.ts';
import { idOf, type Sample } from '../../cells/write-pattern.ts';
import { findPossibleNames, isNamedIn } from '../../columns/name-column.ts';
import type { ColumnKind, Layout } from '../../parse/layout.ts';
import { type Undecided, undecided } from '../header-line.ts';
import { tellApart } from './tell-apart.ts';

/** Ask about a column that may say which channel, or which device, a line of the sample is of; null: there is none. */
export function longTable(
  layout: Layout,
  kinds: readonly ColumnKind[],
  sample: Sample,
  path: string,
  numeric: Dialect['numeric'],
): Undecided | null {
  const isKept = (index: number) => isNamedIn(numeric, layout, index);
  const column = findPossibleNames(
    layout,
    kinds.map((kind, index) => (isKept(index) ? 'ignored' : kind)),
    sample.rows,
  );
  if (column === -1) return null;
  const names = [...new Set(sample.rows.map((row) => row[column] ?? ''))];
  const shown = names.slice(0, 3).map((name) => `"${name}"`);
  const apart = kinds[column] === 'text' ? tellDevicesApart(layout, kinds, column, names, sample) : null;
  return undecided(
    'log.long-table',
    `Column "${layout.columns[column]?.name}" of ${path} seems to say which channel a line belongs to (${shown.join(', ')}): that is not certain.`,
    `Where it names channels, let the tool write a header with the words time, tag, value. ${apart === null ? '' : 'Where it names devices, the line pattern gives each channels of its own. '}If it is a remark or a state, leave it out; if it counts, say that it is numeric.`,
    false,
    [
      ...(apart === null ? [] : [apart]),
      { leave_out: [column + 1] },
      ...(kinds[column] === 'number' ? [{ numeric: [column + 1] }] : []),
    ],
  );
}

/** A dialect that gives each device channels of its own; null where no pattern can say it. */
function tellDevicesApart(
  layout: Layout,
  kinds: readonly ColumnKind[],
  column: number,
  names: readonly string[],
  sample: Sample,
): DialectInput | null {
  const { columns, headerText } = layout;
  const isAlone = headerText === '' && kinds.filter((kind) => kind === 'number' || kind === 'whole').length === 1;
  const nameOf = (index: number, name: string) => (isAlone ? name : `${name} ${columns[index]?.name ?? ''}`);
  const apart = tellApart(layout, kinds, sample, column, names, nameOf);
  if (apart === null) return null;
  const { line, values } = apart;
  const units = names.flatMap((name) =>
    values.map((index): [string, string] => [idOf(nameOf(index, name)), columns[index]?.unit ?? '']),
  );
  const known = units.filter(([, unit]) => unit !== '');
  return { line, ...(known.length > 0 && { units: Object.fromEntries(known) }) };
}
