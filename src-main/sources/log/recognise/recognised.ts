// What recognition goes by and what it gives.
import type { Dialect } from '../../../model/dialect.ts';
import type { Encoding } from '../cells/encoding.ts';
import type { ColumnKind, Layout } from '../parse/layout.ts';
import type { Line } from './cut.ts';
import type { Head } from './settle-time.ts';

/** What is known of a file before its rows are looked at. */
export interface Settled {
  readonly lines: readonly Line[];
  readonly head: Head;
  readonly dialect: Dialect;
  readonly timeZone: string;
  readonly encoding: Encoding;
}

export interface Recognised {
  readonly layout: Layout;
  readonly kinds: readonly ColumnKind[];
  /** Byte of the file at which the first line after the header begins. */
  readonly dataByte: number;
  /** Lines before it. */
  readonly dataLine: number;
  /** Where relative times get their start; null: stamps are absolute. */
  readonly startFrom: 'header' | 'name' | 'file' | null;
  /**
   * The start was found without a dialect that says where it stands; the unit of the time was taken for seconds; rows that
   * write no time were counted.
   */
  readonly assumed: { readonly start: boolean; readonly seconds: boolean; readonly counted?: true };
  /** What was concluded from what. */
  readonly reasons: readonly string[];
}
