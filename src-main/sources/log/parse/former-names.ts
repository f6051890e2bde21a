// A log that was cut while its tool kept it open goes on without the line that names its columns: the tool wrote that once. The
// witnesses that it is the same log are its path, the number of columns, the columns of the time and the form of the stamps.
import type { Dialect } from '../../../model/dialect.ts';
import type { Layout } from './layout.ts';

/** True where a line of the log names its columns. */
export function isNamed({ columns }: Layout): boolean {
  return columns.some(({ header }) => header !== '');
}

/**
 * Let a dialect name the columns of a log as they were named before.
 *
 * @param former - how the log was read before.
 * @param found - how it would be read now.
 * @param dialect - the dialect of the settings.
 * @returns the dialect with those names and units; null where the log may be another one.
 */
export function withNamesOf(former: Layout, found: Layout, dialect: Dialect): Dialect | null {
  const formOf = ({ columns, timeColumns, timeFormat }: Layout) =>
    JSON.stringify([columns.length, timeColumns, timeFormat]);
  if (formOf(former) !== formOf(found)) return null;
  const header = former.columns.map((column) => column.header);
  if (header.includes('')) return null;
  const units = former.columns.flatMap((column) => (column.unit === '' ? [] : [[column.header, column.unit] as const]));
  return { ...dialect, header, units: { ...Object.fromEntries(units), ...dialect.units } };
}
