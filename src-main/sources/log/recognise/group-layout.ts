// The layout of a file whose columns have times of their own, put together from what its head says.
import { nameColumns } from '../columns/column-names.ts';
import type { ColumnKind, Layout, TimeGroup } from '../parse/layout.ts';
import { ownUnit, plainCells } from './make-layout.ts';
import type { Settled } from './recognised.ts';

export interface GroupHead {
  readonly delimiter: string;
  readonly decimal: '.' | ',';
  /** One for each column, also those of times. */
  readonly names: readonly string[];
  /** Units that the head states, by column; empty: none. */
  readonly units: readonly string[];
  readonly groups: readonly TimeGroup[];
  /** The last column holds remarks. */
  readonly hasRemarks: boolean;
  readonly headerText: string;
}

/**
 * Put the layout together.
 *
 * @returns it, with what each column holds.
 */
export function makeGroupLayout(
  { delimiter, decimal, names, units, groups, hasRemarks, headerText }: GroupHead,
  { dialect, timeZone, encoding }: Settled,
): { layout: Layout; kinds: ColumnKind[] } {
  const columns = nameColumns(names).map((column, index) => ({
    ...column,
    unit: ownUnit(dialect, column.header) ?? (units[index] || column.unit),
  }));
  const values = new Set(groups.flatMap((group) => group.columns));
  const isLeftOut = (index: number) =>
    dialect.leave_out.some((one) => one === index + 1 || one === names[index] || one === columns[index]?.name);
  const kinds = names.map((_, index): ColumnKind => {
    if (hasRemarks && index === names.length - 1) return 'open';
    if (!values.has(index)) return 'time';
    return isLeftOut(index) ? 'ignored' : 'number';
  });
  const layout: Layout = {
    encoding: encoding.name,
    delimiter,
    decimal,
    comment: dialect.comment,
    columns,
    timeColumns: kinds.flatMap((kind, index) => (kind === 'time' ? [index] : [])),
    timeFormat: 'relative-seconds',
    startMs: groups[0]?.zeroMs ?? null,
    dayMs: null,
    zone: dialect.time.zone ?? timeZone,
    ...plainCells(dialect),
    groups: [...groups],
    headerText,
  };
  return { layout, kinds };
}

/** True where a person has said nothing of the time or the names: then the head of a file may. */
export function isOpen({ time, header }: Settled['dialect']): boolean {
  return time.column === 'auto' && time.format === 'auto' && time.start === null && header === 'auto';
}
