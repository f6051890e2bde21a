// Columns of words that say how good the value of another column is, as the parser of rows needs them.

import { isUnit } from '../cells/unit-grammar.ts';
import type { Layout } from './layout.ts';

export interface StatusWords {
  /** Column (from 0) of the value. */
  readonly of: number;
  readonly good: ReadonlySet<string>;
  /** They are units: a value beside another one belongs to other rows. */
  readonly isUnit: boolean;
}

/**
 * List the status columns of a layout.
 *
 * @returns what their words say, by column.
 */
export function statusWords({ statuses = [] }: Pick<Layout, 'statuses'>): ReadonlyMap<number, StatusWords> {
  return new Map(
    statuses.map(({ column, of, good }) => [column, { of, good: new Set(good), isUnit: good.every(isUnit) }]),
  );
}
