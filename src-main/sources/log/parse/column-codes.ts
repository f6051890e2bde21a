// What the parser of rows does with each kind of column, as numbers: a row is read by comparing them.

import { PLAIN_NUMBER, WHOLE_NUMBER } from '../cells/plain-cells.ts';
import type { ColumnKind } from './layout.ts';

export const KIND = {
  number: PLAIN_NUMBER,
  whole: WHOLE_NUMBER,
  skip: 2,
  time: 3,
  open: 4,
  text: 5,
  affixed: 6,
  mask: 7,
  status: 8,
  affixedWhole: 9,
} as const;
export const CODE: Readonly<Record<ColumnKind, number>> = {
  ignored: KIND.skip,
  number: KIND.number,
  whole: KIND.whole,
  time: KIND.time,
  open: KIND.open,
  text: KIND.text,
  mask: KIND.mask,
  affixed: KIND.affixed,
  'affixed-whole': KIND.affixedWhole,
  bit: KIND.skip,
  status: KIND.status,
};
