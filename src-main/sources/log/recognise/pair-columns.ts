// Tables in which a time stands before each group of columns, under the same name each time: Time, H2, Time, N2.

import type { ColumnKind, Layout, TimeGroup } from '../parse/layout.ts';
import { compileTimeFormat } from '../time/time-format.ts';

/** Milliseconds of one, by the format of a count from a start. */
const UNITS_MS: Readonly<Record<string, number>> = {
  'relative-ms': 1,
  'relative-seconds': 1000,
  'relative-minutes': 60_000,
  'relative-hours': 3_600_000,
};

type Rows = readonly (readonly string[])[];

/**
 * Find the groups of such a table.
 *
 * @param layout - its layout with the start of its time.
 * @param data - rows.
 * @returns layout and kinds with a time for each group; null when it is none, or cannot be read so.
 */
export function pairColumns(
  layout: Layout,
  kinds: readonly ColumnKind[],
  data: Rows,
): { layout: Layout; kinds: ColumnKind[] } | null {
  const { columns, timeColumns, timeFormat, startMs, dayMs, delimiter } = layout;
  const header = columns[0]?.header.toLowerCase() ?? '';
  const isFirst = timeColumns.length === 1 && timeColumns[0] === 0 && header !== '';
  if (!isFirst || dayMs !== null || delimiter.length !== 1) return null;
  const unitMs = UNITS_MS[timeFormat];
  const isPlain = layout.masks.length + layout.affixes.length === 0;
  if (!isPlain || layout.statuses !== undefined || (startMs !== null && unitMs === undefined)) return null;
  const isTime = columns.map(
    (column, index) =>
      index === 0 ||
      (column.header.toLowerCase() === header && kinds[index] !== 'ignored' && readsAll(layout, data, index)),
  );
  const isOwn = isTime.some((is, index) => is && index > 0 && data.some((row) => row[index] !== row[0]));
  const holdsQuotes = data.some((row) => row.some((cell) => /["\n]/.test(cell)));
  if (!isOwn || holdsQuotes) return null;
  const groups: TimeGroup[] = [];
  const count =
    startMs === null ? { zeroMs: 0, unitMs: 1, format: timeFormat } : { zeroMs: startMs, unitMs: unitMs ?? 1 };
  const own = [...kinds];
  for (const index of columns.keys()) {
    if (isTime[index] === true) {
      own[index] = 'time';
      groups.push({ time: index, columns: [], ...count });
    } else if (kinds[index] === 'number' || kinds[index] === 'open') {
      own[index] = 'number';
      groups.at(-1)?.columns.push(index);
    }
  }
  // Two times side by side are two ways to tell one.
  if (groups.some((group) => group.columns.length === 0)) return null;
  const times = groups.flatMap(({ time }) => (time === null ? [] : [time]));
  return { layout: { ...layout, timeColumns: times, groups }, kinds: own };
}

/** Cells of a column that all are times as the first column has them, or empty behind its end. */
function readsAll({ timeFormat, decimal }: Layout, data: Rows, column: number): boolean {
  const reader = compileTimeFormat(timeFormat, { decimal });
  const encoder = new TextEncoder();
  const cells = data.map((row) => row[column] ?? '').filter((cell) => cell !== '');
  return (
    cells.length > 0 &&
    cells.every((cell) => {
      const bytes = encoder.encode(cell);
      return reader.read(bytes, 0, bytes.length);
    })
  );
}
